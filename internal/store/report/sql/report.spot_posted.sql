-- report.spot_money of the ledger alone, for days of spot.
with sums as materialized (
@spot_sums
)
@spot_money
