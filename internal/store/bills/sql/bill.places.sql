-- What was last read at each place of a bill.
select place, sha256, delivery_id from delivery_places where tenant_id = $1 and lineage = $2
