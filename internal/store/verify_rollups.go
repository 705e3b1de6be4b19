package store

import "gpuledger/internal/period"

// ofRollUps prove that what reports are read from in place of the ledger is
// what the ledger says. Days that analysis has not added up since they changed
// are not read by reports, and not checked.
func ofRollUps(hours period.Interval) []invariant {
	return []invariant{
		byStatement("roll-ups of days", "each day that was added up is what the ledger says of it, by grain, cause, currency and state",
			"verify.rollup_days", tenant, hours.From, hours.To, grainNumbers()),
		byStatement("roll-ups of months", "each month that was added up is what its days are, by grain and group",
			"verify.rollup_months", tenant, hours.From, hours.To),
		byStatement("days of runs", "what each run is read from by day is what the ledger says of it, by cause, currency and state",
			"verify.run_days", tenant, hours.From, hours.To),
	}
}
