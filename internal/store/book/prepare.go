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

// bulkChunks is from how many chunks on a month without chunks is indexed faster at the end.
const bulkChunks = 200

// Prepare creates the months of the ledger that the work needs. A new month that gets many chunks has no indexes until
// FinishCalculation; if the calculation dies before, the next StartCalculation creates them. For much work, it first
// refreshes the statistics of parts, which may be new.
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
