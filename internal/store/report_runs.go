package store

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// runDatasets are those that read the whole lives of runs (@run_rows).
var runDatasets = []string{"runs", "attempts", "groups", "scaling", "experiments"}

// planRuns is the planner of runs: days of their whole lives are read from
// star.run_days, whatever the window, but those that it cuts.
func planRuns(ctx context.Context, tx pgx.Tx, q metrics.Query) (*rollupPlan, error) {
	days, err := cleanDays(ctx, tx, "-infinity", "infinity")
	if err != nil {
		return nil, err
	}
	days = slices.DeleteFunc(days, func(d cleanDay) bool {
		day := period.DayOf(d.day)
		return day.From < q.Window.From && q.Window.From < day.To || day.From < q.Window.To && q.Window.To < day.To
	})
	all := q
	all.Window, all.Zone, all.Granularity = period.Interval{}, "", metrics.Day // of UTC days, not of months
	list := pieces(all, false, days)
	if !slices.ContainsFunc(list, func(p piece) bool { return p.from == fromDays }) {
		return nil, nil
	}
	return &rollupPlan{pieces: list}, nil
}

// runRows are the rows of runs of all time: those of days that were added up,
// and of all else from the ledger.
func (c *compiler) runRows() string {
	asked := c.q.Window
	c.asked = &asked
	defer func() { c.q.Window, c.asked = asked, nil }()
	parts := []piece{{from: fromLedger}}
	if c.plan != nil {
		parts = c.plan.pieces
	}
	var texts []string
	for _, p := range parts {
		c.q.Window = p.span
		if p.from == fromDays {
			texts = append(texts, c.expand(statement("report.run_days")))
			continue
		}
		texts = append(texts, c.runHalves())
	}
	return strings.Join(texts, "\nunion all\n")
}

// runHalves are the rows of runs from the ledger: those with a bill, and those
// without.
func (c *compiler) runHalves() string {
	var texts []string
	for _, c.facts = range []string{"report.facts_billed", "report.facts_uncovered"} {
		texts = append(texts, c.expand(statement("report.run_facts")))
	}
	return strings.Join(texts, "\nunion all\n")
}

// ofRuns leaves out runs that the answer has no row of, where those are some:
// groups are whole, too, and a day is added up for everybody.
func (c *compiler) ofRuns() string {
	if c.asked == nil || *c.asked == (period.Interval{}) || c.q.Dataset.Name == "groups" || c.q.Dataset.Name == "interruptions" {
		return ""
	}
	return c.expand(statement("report.of_runs"))
}

// askedWindow is the window of the question, inside runRows, too.
func (c *compiler) askedWindow() period.Interval {
	if c.asked != nil {
		return *c.asked
	}
	return c.q.Window
}
