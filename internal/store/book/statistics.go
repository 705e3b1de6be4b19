package book

import (
	"context"
	"slices"

	"gpuledger/internal/store/facts"
)

// LedgerStatistics are the tables of the ledger that the planner is told about.
var LedgerStatistics = []string{"charge_rows_small", "charge_scopes", "charge_items", "charge_resources", "charge_tags",
	"parts", "usage", "posting_rows", "posting_terms", "spans", "chunks",
	"nodes", "owners", "workloads", "runs", "attempts", "segments",
	"deliveries", "control_totals"}

// RefreshStatistics tells the planner about facts and ledger where they changed
// by a tenth since it was last told, whoever changed them: a process that was
// killed after it wrote has told nobody. Small changes are left to autovacuum.
func (s *Book) RefreshStatistics(ctx context.Context) error {
	return s.Refresh(ctx, append(slices.Clip(facts.FactStatistics), LedgerStatistics...))
}
