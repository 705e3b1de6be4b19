package store

import "context"

// ledgerStatistics are the tables of the ledger that the planner is told about.
var ledgerStatistics = []string{"charge_rows_small", "charge_scopes", "charge_items", "charge_resources", "charge_tags", "parts", "usage", "postings", "spans", "chunks", "nodes", "owners", "workloads", "runs", "attempts", "segments",
	"deliveries", "control_totals"}

// RefreshStatistics tells the planner about facts and ledger where they changed
// by a tenth since it was last told, whoever changed them: a process that was
// killed after it wrote has told nobody. Small changes are left to autovacuum.
func (s *Store) RefreshStatistics(ctx context.Context) error {
	return s.refresh(ctx, append(factStatistics[:len(factStatistics):len(factStatistics)], ledgerStatistics...))
}
