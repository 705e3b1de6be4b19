package report

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// runDatasets are those that read the whole lives of runs (@run_rows).
var runDatasets = []string{"runs", "attempts", "groups", "scaling", "experiments"}

// planRuns is the planner of runs: their whole lives are read from star.run_days and
// star.run_months, whatever the window, but the days that it cuts. What is in the
// window is told apart, so months that it cuts are read by day.
func planRuns(ctx context.Context, tx pgx.Tx, q metrics.Query) (*RollupPlan, error) {
	days, err := cleanDays(ctx, tx, "-infinity", "infinity")
	if err != nil {
		return nil, err
	}
	cut := func(at period.Second, whole period.Interval) bool { return whole.From < at && at < whole.To }
	days = slices.DeleteFunc(days, func(d CleanDay) bool {
		day := period.DayOf(d.Day)
		return cut(q.Window.From, day) || cut(q.Window.To, day)
	})
	for i := range days {
		month := period.MonthOf(days[i].Day)
		days[i].InMonth = days[i].InMonth && !cut(q.Window.From, month) && !cut(q.Window.To, month)
	}
	return planOf(Pieces(metrics.Query{Granularity: metrics.Total}, false, days)), nil
}

// runRows are the rows of runs of all time: those of months and days that were added
// up, and of all else from the ledger.
func (c Compiler) runRows() string {
	parts := []piece{{From: fromLedger}}
	if c.Plan != nil {
		parts = c.Plan.Pieces
	}
	var texts []string
	for _, p := range parts {
		c := c.over(p.Span)
		step, ok := stepOf(&star.Run.Rollups[0], p.From)
		if !ok {
			texts = append(texts, c.runHalves())
			continue
		}
		texts = append(texts, c.in(star.Run.Table(&star.Run.Rollups[0], step).Name()).Expand(pg.Statement("report.run_days")))
	}
	return strings.Join(texts, "\nunion all\n")
}

// runHalves are the rows of runs from the ledger: those with a bill, and those
// without.
func (c Compiler) runHalves() string {
	var texts []string
	for _, facts := range []string{"report.facts_billed", "report.facts_uncovered"} {
		texts = append(texts, c.from(facts).Expand(pg.Statement("report.run_facts")))
	}
	return strings.Join(texts, "\nunion all\n")
}

// ofRuns leaves out facts of runs that the answer has no row of, where those are some:
// a day is added up for everybody.
func (c Compiler) ofRuns() string {
	if c.arguments == nil || c.Q.Window == (period.Interval{}) || c.Q.Dataset.Name == "interruptions" {
		return ""
	}
	if c.Q.Dataset.Name == "groups" {
		return "and q.run_id in (" + c.Expand(pg.Statement("report.known_groups")) + ")"
	}
	return "and q.run_id in (" + c.runsAsked(c.runTerms()) + ")"
}

// theseRuns leaves out rows of runs themselves where the filter alone tells that, or
// what is shown.
func (c Compiler) theseRuns(column string) string {
	terms := c.runTerms()
	if len(terms) == 0 {
		return ""
	}
	return "and " + column + " in (" + c.runsAsked(terms) + ")"
}

func (c Compiler) runsAsked(terms []string) string {
	return "select k.run_id from (\n" + strings.Join(append([]string{c.Expand(pg.Statement("report.known_runs")) + "\n) k where true"}, terms...), " and ")
}

// runTerms are what the question says of runs k (report.known_runs): terms of its
// filter that are the same for all rows of a run, and those that are shown.
func (c Compiler) runTerms() (terms []string) {
	if c.Q.Dataset.Name == "runs" || c.Q.Dataset.Name == "attempts" {
		for _, term := range metrics.Terms(c.Q.Filter) {
			if !slices.ContainsFunc(metrics.FilterKeys(term), func(key string) bool { return !c.ofWholeRun(key) }) {
				terms = append(terms, c.filter("k", term, false))
			}
		}
	}
	if c.shown {
		terms = append(terms, "k.run_id in (select many from shown)")
	}
	return terms
}

// ofWholeRun reports whether a key of runs or attempts is the same in all rows of a run,
// and known of the run itself (report.known_runs).
func (c Compiler) ofWholeRun(key string) bool {
	if real, ok := c.Q.Dataset.Aliases[key]; ok {
		key = real
	}
	return slices.Contains(metrics.OwnerKeys, key) || slices.Contains([]string{"run_id", "group_id", "group", "cluster", "namespace", "workload_kind", "run_kind"}, key) ||
		c.Q.Dataset.Name == "runs" && slices.Contains([]string{"name", "kind", "status"}, key)
}
