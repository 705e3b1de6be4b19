package report

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// commitmentRows is what @commitment_rows stands for: money of machines by what a
// commitment has to do with it.
func (c Compiler) commitmentRows() string {
	rollup := "commitment"
	if len(ownerKeysOf(c.Q)) > 0 {
		rollup = "commitment_owner"
	}
	return c.wholeRows(&star.Commitment, star.Commitment.Rollup(rollup))
}

// planCommitments is the planner of commitments, which compare the halves of
// their window: a month that lies in both is read by day, and a day that does
// from the ledger, unless they meet at noon.
func planCommitments(ctx context.Context, tx pgx.Tx, q metrics.Query) (*RollupPlan, error) {
	days, err := WindowDays(ctx, tx, q)
	if err != nil {
		return nil, err
	}
	c := Asking(q, nil)
	text := c.Expand(pg.Statement("report.middle"))
	var at *time.Time
	if err := tx.QueryRow(ctx, text, c.Args...).Scan(&at); err != nil {
		return nil, fmt.Errorf("report.middle: %w", err)
	}
	if at == nil { // nothing is stored
		return dayPlan(q, days), nil
	}
	middle := period.FromTime(*at)
	if middle != middle.Floor(period.Day/2) {
		days = slices.DeleteFunc(days, func(d CleanDay) bool { return d.Day == middle.Floor(period.Day) })
	}
	month := period.MonthOf(middle)
	for i, d := range days {
		days[i].InMonth = d.InMonth && (middle == month.From || d.Day < month.From || d.Day >= month.To)
	}
	return dayPlan(q, days), nil
}
