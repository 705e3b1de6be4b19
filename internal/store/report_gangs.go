package store

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// gangTable is what gangs waited for, by attempt.
var gangTable = dayTable{
	name: "gang",
	keys: []string{"run_id", "attempt_id", "currency"},
	sums: plainSums("effective_cost"),
	rows: "report.gang_hours",
}

// planQueue is the planner of the queue: attempts that begin in the window wait
// before it ends or after, so gang waits are read of all time.
func planQueue(ctx context.Context, tx pgx.Tx, q metrics.Query) (*rollupPlan, error) {
	q.Window = period.Interval{}
	return planDays(ctx, tx, q)
}

// gangRows are what attempts paid for their gangs, in all of their lives.
func (c *compiler) gangRows() string {
	window := c.q.Window
	defer func() { c.q.Window = window }()
	c.q.Window = period.Interval{}
	if c.q.Dataset.Name != "queue" && !slices.Contains(runDatasets, c.q.Dataset.Name) { // plans of others are of other times
		return c.expand(statement(gangTable.rows))
	}
	return c.dayRows(gangTable, "run_id", "attempt_id", "currency", "effective_cost")
}
