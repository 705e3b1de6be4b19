package book

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/pg"
)

// bulkChunks are so many chunks of a month without any that it is quicker to
// index them together at the end.
const bulkChunks = 200

// Prepare makes the months of the ledger that the work needs. A month that is
// new and gets many chunks has no indexes until FinishCalculation; a
// calculation that died before leaves that to the next StartCalculation. Where
// much is to be done the planner learns of the parts first, which may be new.
func (s *Book) Prepare(ctx context.Context, work []posting.DirtyNode) error {
	days := map[period.Second]int{}
	all := 0
	for i := range work {
		all += len(work[i].Days)
		for _, d := range work[i].Days {
			days[period.MonthOf(d.From).From]++
		}
	}
	for _, month := range slices.Sorted(maps.Keys(days)) {
		if days[month] < bulkChunks {
			continue
		}
		for _, table := range pg.LaterIndexed {
			if _, err := pg.Value[bool](ctx, s.Pool, "schema.ensure_bare_month", table, month); err != nil {
				return fmt.Errorf("make partition of %s for %s: %w", table, month.Time().Format("2006-01"), err)
			}
		}
	}
	if all < bulkChunks {
		return nil
	}
	return s.Analyze(ctx, []string{"parts"})
}
