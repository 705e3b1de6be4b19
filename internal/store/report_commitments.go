package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// commitmentKeys are what money of commitments is added up by.
var commitmentKeys = []string{"use", "provider", "billing_account", "account", "region", "cluster", "commitment", "commitment_type", "instance_type", "instance_family", "state", "currency"}

// halfDay is the half of the day of what a commitment covered, the day of all else.
const halfDay = "date_trunc('day', r.hour, 'UTC') + case when r.use = 'covered' and r.commitment is not null and extract(hour from r.hour at time zone 'UTC') >= 12 then interval '12 hours' else interval '0' end"

// Money of commitments by team, who are few, and by owner. A row of a team names
// any one of its owners, who lead to the team and not to more.
var (
	commitmentTable = dayTable{
		name: "commitment",
		keys: append(slices.Clone(commitmentKeys), "team"),
		sums: append(plainSums("effective_cost", "worth"), daySum{"owner_id", "min(r.owner_id::text)::uuid"}),
		at:   halfDay,
		rows: "report.commitment_costs",
	}
	commitmentOwnerTable = dayTable{
		name: "commitment_owner",
		keys: append(slices.Clone(commitmentKeys), "team", "owner_id"),
		sums: plainSums("effective_cost", "worth"),
		at:   halfDay,
		rows: "report.commitment_costs",
	}
	// heldTable says in how many hours a team held any machine of a family.
	heldTable = dayTable{
		name: "held",
		keys: []string{"team", "instance_family", "region"},
		sums: plainSums("hours"),
		rows: "report.held_hours",
	}
	// levelTable says hour by hour what of the machines of a type was on demand, and
	// for which work.
	levelTable = dayTable{
		name:   "level",
		keys:   []string{"use", "provider", "region", "instance_type", "instance_family", "gpus", "work", "state", "currency"},
		sums:   plainSums("effective_cost", "gpu_hours", "capacity_gpu_hours"),
		at:     "r.hour",
		rows:   "report.commitment_costs",
		hourly: true,
	}
)

// commitmentRows is what @commitment_rows stands for: money of machines by what a
// commitment has to do with it.
func (c *compiler) commitmentRows() string {
	table := commitmentTable
	if len(ownerKeysOf(c.q)) > 0 {
		table = commitmentOwnerTable
	}
	return c.dayRows(table, append(slices.Clone(commitmentKeys), "owner_id", "effective_cost", "worth")...)
}

// planCommitments is the planner of commitments, which compare the halves of
// their window: a month that lies in both is read by day, and a day that does
// from the ledger, unless they meet at noon.
func planCommitments(ctx context.Context, tx pgx.Tx, q metrics.Query) (*rollupPlan, error) {
	days, err := windowDays(ctx, tx, q)
	if err != nil {
		return nil, err
	}
	c := &compiler{q: q}
	text := c.expand(statement("report.middle"))
	var at *time.Time
	if err := tx.QueryRow(ctx, text, c.args...).Scan(&at); err != nil {
		return nil, fmt.Errorf("report.middle: %w", err)
	}
	if at == nil { // nothing is stored
		return dayPlan(q, days), nil
	}
	middle := period.FromTime(*at)
	if middle != middle.Floor(period.Day/2) {
		days = slices.DeleteFunc(days, func(d cleanDay) bool { return d.day == middle.Floor(period.Day) })
	}
	month := period.MonthOf(middle)
	for i, d := range days {
		days[i].inMonth = d.inMonth && (middle == month.From || d.day < month.From || d.day >= month.To)
	}
	return dayPlan(q, days), nil
}
