package report

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// runDatasets are those that read the whole lives of runs (@run_rows).
var runDatasets = []string{"runs", "attempts", "groups", "scaling", "experiments"}

// planRuns is the planner of runs: days of their whole lives are read from
// star.run_days, whatever the window, but those that it cuts.
func planRuns(ctx context.Context, tx pgx.Tx, q metrics.Query) (*RollupPlan, error) {
	days, err := cleanDays(ctx, tx, "-infinity", "infinity")
	if err != nil {
		return nil, err
	}
	days = slices.DeleteFunc(days, func(d CleanDay) bool {
		day := period.DayOf(d.Day)
		return day.From < q.Window.From && q.Window.From < day.To || day.From < q.Window.To && q.Window.To < day.To
	})
	all := q
	all.Window, all.Zone, all.Granularity = period.Interval{}, "", metrics.Day // of UTC days, not of months
	list := Pieces(all, false, days)
	if !slices.ContainsFunc(list, func(p piece) bool { return p.From == fromDays }) {
		return nil, nil
	}
	return &RollupPlan{Pieces: list}, nil
}

// runRows are the rows of runs of all time: those of days that were added up,
// and of all else from the ledger.
func (c *Compiler) runRows() string {
	asked := c.Q.Window
	c.asked = &asked
	defer func() { c.Q.Window, c.asked = asked, nil }()
	parts := []piece{{From: fromLedger}}
	if c.Plan != nil {
		parts = c.Plan.Pieces
	}
	var texts []string
	for _, p := range parts {
		c.Q.Window = p.Span
		if p.From == fromDays {
			texts = append(texts, c.Expand(pg.Statement("report.run_days")))
			continue
		}
		texts = append(texts, c.runHalves())
	}
	return strings.Join(texts, "\nunion all\n")
}

// runHalves are the rows of runs from the ledger: those with a bill, and those
// without.
func (c *Compiler) runHalves() string {
	var texts []string
	for _, c.facts = range []string{"report.facts_billed", "report.facts_uncovered"} {
		texts = append(texts, c.Expand(pg.Statement("report.run_facts")))
	}
	return strings.Join(texts, "\nunion all\n")
}

// ofRuns leaves out runs that the answer has no row of, where those are some:
// groups are whole, too, and a day is added up for everybody.
func (c *Compiler) ofRuns() string {
	if c.asked == nil || *c.asked == (period.Interval{}) || c.Q.Dataset.Name == "groups" || c.Q.Dataset.Name == "interruptions" {
		return ""
	}
	return c.Expand(pg.Statement("report.of_runs"))
}

// askedWindow is the window of the question, inside runRows, too.
func (c *Compiler) askedWindow() period.Interval {
	if c.asked != nil {
		return *c.asked
	}
	return c.Q.Window
}
