package work

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Run is one run in one currency.
type Run struct {
	ID, Cluster, Namespace, Name, Kind, Team, Project, Model, Status string
	Started, Ended                                                   period.Second
	Attempts, Preemptions                                            int64
	GPUHours, Active                                                 money.Amount
	Cost, Effective                                                  *money.Amount // in the chosen basis; effective
	// of the minutes that it held a card, 0 to 1; only read for a single run
	ActivityP50, ActivityP95 *money.Amount
	Lost, LostMin            money.Amount
	// upper bound, of attempts with an unknown end; not in Lost
	MayBeLost   money.Amount
	SpotSavings *money.Amount
	Causes      map[ledger.Cause]money.Amount
	// ProviderSplit is the provider's own split of the machines, nil if the bill has none.
	ProviderSplit *money.Amount
	Quality       ledger.Quality
	State         ledger.State
	Currency      string
	runPace
}

var runCauseColumns = []struct {
	cause  ledger.Cause
	column string
}{
	{ledger.Used, "used_cost"}, {ledger.Overhead, "overhead_cost"},
	{ledger.HeldIdle, "held_idle_cost"}, {ledger.Lost, "lost_cost"},
	{ledger.Unobserved, "unobserved_cost"}, {ledger.Host, "host_cost"}, {ledger.Metered, "metered_cost"},
}

func readRun(r page.Record, basis string) Run {
	row := Run{
		ID: r.Text("run_id"), Cluster: r.Text("cluster"),
		Namespace: r.Text("namespace"), Name: r.Text("name"), Kind: r.Text("kind"),
		Team: r.Text("team"), Project: r.Text("project"), Model: r.Text("model"), Status: r.Text("status"),
		Started: r.Second("started_at"), Ended: r.Second("ended_at"),
		Attempts: r.Count("attempts"), Preemptions: r.Count("preemptions"),
		GPUHours: r.Known("gpu_hours"), Active: r.Known("active_gpu_hours"),
		Cost: r.Amount(basis + "_cost"), Effective: r.Amount("effective_cost"),
		ActivityP50: r.Amount("activity_p50"), ActivityP95: r.Amount("activity_p95"),
		Lost: r.Known("lost_cost"), LostMin: r.Known("lost_cost_min"),
		MayBeLost: r.Known("may_be_lost_cost"), SpotSavings: r.Amount("spot_savings"), runPace: readPace(r),
		ProviderSplit: r.Amount("provider_split_cost"), Causes: map[ledger.Cause]money.Amount{},
		Quality: ledger.Quality(r.Text("quality")), State: ledger.State(r.Text("state")), Currency: r.Text("currency"),
	}
	for _, c := range runCauseColumns {
		row.Causes[c.cause] = r.Known(c.column)
	}
	return row
}

// runsOf lists the runs with cost at the scope's provider, or nil if the scope has no
// provider.
func runsOf(ctx context.Context, reader page.Reader, s page.Scope) (map[string]bool, error) {
	if s.Provider == "" {
		return nil, nil
	}
	ids := map[string]bool{}
	err := page.Each(ctx, reader, "costs", s.Costs(metrics.Options{GroupBy: "run"}), []string{"gpu_hours"},
		func(r page.Record) error {
			if id := r.Text("run"); id != "" {
				ids[id] = true
			}
			return nil
		})
	return ids, err
}

// ReadRuns lists the runs of the scope.
func ReadRuns(ctx context.Context, reader page.Reader, s page.Scope, order string) ([]Run, error) {
	ids, err := runsOf(ctx, reader, s)
	if err != nil {
		return nil, err
	}
	only := append([]string{"attempts", "preemptions", "gpu_hours", "effective_cost", s.Basis + "_cost", "lost_cost_min",
		"quality", "state"}, paceColumns[:listedPace]...)
	for _, c := range runCauseColumns {
		only = append(only, c.column)
	}
	var out []Run
	err = page.Each(ctx, reader, "runs", s.Closed().For("runs", metrics.Options{Order: order}), only, func(r page.Record) error {
		if ids == nil || ids[r.Text("run_id")] {
			out = append(out, readRun(r, s.Basis))
		}
		return nil
	})
	return out, err
}

var statusTones = map[string]string{
	"succeeded": "good", "failed": "bad", "running": "", "cancelled": "", "queued": "", "unknown": "",
}

func statusTag(status string) views.Tag {
	return views.Tag{Text: strings.ReplaceAll(status, "_", " "), Tone: statusTones[status]}
}

var (
	runHeads = views.Heads(
		"Run: runs.name long", "Status: runs.status", "#Attempts: runs.attempts wide-only",
		"Started: runs.started_at xl-only nowrap", "#Lasted: figure.lasted max-only", "#GPU-h: runs.gpu_hours wide-only",
		"By cause: figure.by_cause wide-only", "#Lost: figure.lost_span wide-only",
		"#Budget: runs.budget_ratio full-only", "#Cost: runs.effective_cost",
	)
)

func runsTable(p *page.Context, rows []Run) views.Table {
	t := views.Table{Caption: "Runs with their cost by cause", Heads: runHeads}
	for _, r := range rows {
		t.Rows = append(t.Rows, views.Row{Cells: runCells(p, r)})
	}
	return t
}

// lasted is the duration of a run; a running run lasts until the last sample.
func lasted(p *page.Context, started, ended period.Second) string {
	if end := cmp.Or(ended, p.Extent.Seen); started != 0 && end > started {
		return format.Duration(int64(end - started))
	}
	return format.NA
}

func runCells(p *page.Context, r Run) []views.Cell {
	c := p.Printed(r.Currency)
	status := statusTag(r.Status)
	atLeast := r.LostMin
	strip := page.CauseStrip(c, "row", r.Causes, &atLeast)
	started := views.Text(format.NA)
	if r.Started != 0 {
		started = views.Text(format.Instant(r.Started))
	}
	lost := views.Cell{Figure: p.Lost(c, r.LostMin, r.Lost, "effective")}
	if r.Effective == nil {
		lost.Figure = views.Figure{Text: format.NA, Title: "no bill or rate covers this run yet", Zero: true}
	}
	cost := views.Cell{
		Figure: page.Figure(c, r.Cost, c.Money, p.Scope.Basis+" cost · "+string(r.State)+" · "+string(r.Quality)),
	}
	if r.Effective == nil {
		cost.Figure.Title = lost.Figure.Title
	} else {
		cost.Why = p.Scope.Carried(page.RunPath("/explain/run/", r.ID))
	}
	return []views.Cell{
		{
			Figure: views.Figure{Text: r.Name}, Href: p.Scope.Carried(page.RunPath("/runs/", r.ID)),
			Sub: page.TeamName(r.Team) + " · " + r.Namespace,
		},
		{Tag: &status}, views.Text(strconv.FormatInt(r.Attempts, 10)), started, views.Text(lasted(p, r.Started, r.Ended)),
		{Figure: page.Quantity(r.GPUHours)}, {Strip: &strip}, lost, budgetCell(p, c, r), cost,
	}
}

// totalCells sums rows of one currency.
func totalCells(p *page.Context, name, currency string, rows []Run) []views.Cell {
	c := p.Printed(currency)
	var sum Run
	sum.Causes = map[ledger.Cause]money.Amount{}
	for _, r := range rows {
		if r.Currency != currency {
			continue
		}
		if r.Cost != nil {
			if sum.Cost == nil {
				sum.Cost = &money.Amount{}
			}
			page.Add(sum.Cost, *r.Cost)
		}
		page.Add(&sum.GPUHours, r.GPUHours)
		page.Add(&sum.Lost, r.Lost)
		page.Add(&sum.LostMin, r.LostMin)
		for cause, a := range r.Causes {
			sum.Causes[cause] = sum.Causes[cause].Add(a)
		}
	}
	strip := page.CauseStrip(c, "row", sum.Causes, &sum.LostMin)
	lost := views.Cell{Figure: p.Lost(c, sum.LostMin, sum.Lost, "effective")}
	if sum.Cost == nil { // no run has a price
		lost.Figure = views.Figure{Text: format.NA, Title: "no bill or rate covers these runs yet", Zero: true}
	}
	cost := views.Cell{Figure: page.Figure(c, sum.Cost, c.Money, p.Scope.Basis+" cost")}
	return []views.Cell{
		views.Text(name), {}, {}, {}, {}, {Figure: page.Quantity(sum.GPUHours)}, {Strip: &strip}, lost, {}, cost,
	}
}

const topRuns = 8

// TopRuns lists the costliest runs on the overview.
func TopRuns(p *page.Context, o *views.Overview, runs []Run) {
	if p.Currency == "" && len(runs) > 0 {
		p.Currency = format.Currency(runs[0].Currency)
	}
	var own []Run
	for _, r := range runs {
		if r.Currency == string(p.Currency) {
			own = append(own, r)
		}
	}
	shown := own[:min(topRuns, len(own))]
	t := runsTable(p, shown)
	if rest := own[len(shown):]; len(rest) > 0 {
		t.Rows = append(t.Rows, views.Row{
			Others: true, Cells: totalCells(p, format.Plural(len(rest), "other", "others"), string(p.Currency), rest),
		})
	}
	if len(own) > 1 {
		t.Total = totalCells(p, "All runs", string(p.Currency), own)
	}
	o.Runs = t
	o.RunsTitle = "Costliest runs"
	o.RunsNote = "runs that overlap the period, over their whole life"
	o.RunsLinks = []views.Link{
		{Text: "All runs", Href: p.Scope.Carried("/runs")}, {Text: "CSV", Href: p.Scope.API("runs", metrics.Options{})},
	}
}
