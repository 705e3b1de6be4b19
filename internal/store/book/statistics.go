package book

import (
	"context"
	"slices"

	"gpuledger/internal/store/facts"
)

// LedgerStatistics are the tables of the ledger whose planner statistics are refreshed.
var LedgerStatistics = []string{"charge_rows_small", "charge_scopes", "charge_items", "charge_resources", "charge_tags",
	"charge_details",
	"parts", "usage", "posting_rows", "posting_terms", "spans", "chunks",
	"nodes", "owners", "workloads", "runs", "attempts", "segments",
	"deliveries", "control_totals"}

// RefreshStatistics refreshes the planner statistics of facts and ledger tables that changed by a tenth since their
// last refresh, no matter which process changed them: one that was killed after it wrote did not refresh them. Small
// changes are left to autovacuum.
func (s *Book) RefreshStatistics(ctx context.Context) error {
	return s.Refresh(ctx, append(slices.Clip(facts.FactStatistics), LedgerStatistics...))
}
