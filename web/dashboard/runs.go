package dashboard

import (
	"context"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// runRow is one run in one currency.
type runRow struct {
	ID, Cluster, Namespace, Name, Kind, Team, Project, Model, Status string
	Started, Ended                                                   period.Second
	Attempts, Preemptions                                            int64
	GPUHours, Active                                                 money.Amount
	Cost, Effective                                                  *money.Amount // in the chosen basis; effective
	Lost, LostMin                                                    money.Amount
	SpotSavings                                                      *money.Amount
	Causes                                                           map[ledger.Cause]money.Amount
	// ProviderSplit is the provider's own split of the machines, nil when it
	// says nothing.
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
	{ledger.Used, "used_cost"}, {ledger.Overhead, "overhead_cost"}, {ledger.HeldIdle, "held_idle_cost"}, {ledger.Lost, "lost_cost"},
	{ledger.Unobserved, "unobserved_cost"}, {ledger.Host, "host_cost"}, {ledger.Metered, "metered_cost"},
}

func readRun(r record, basis string) runRow {
	row := runRow{
		ID: r.text("run_id"), Cluster: r.text("cluster"), Namespace: r.text("namespace"), Name: r.text("name"), Kind: r.text("kind"),
		Team: r.text("team"), Project: r.text("project"), Model: r.text("model"), Status: r.text("status"),
		Started: r.second("started_at"), Ended: r.second("ended_at"), Attempts: r.count("attempts"), Preemptions: r.count("preemptions"),
		GPUHours: r.known("gpu_hours"), Active: r.known("active_gpu_hours"), Cost: r.amount(basis + "_cost"), Effective: r.amount("effective_cost"),
		Lost: r.known("lost_cost"), LostMin: r.known("lost_cost_min"), SpotSavings: r.amount("spot_savings"), runPace: readPace(r),
		ProviderSplit: r.amount("provider_split_cost"), Causes: map[ledger.Cause]money.Amount{}, Quality: ledger.Quality(r.text("quality")), State: ledger.State(r.text("state")), Currency: r.text("currency"),
	}
	for _, c := range runCauseColumns {
		row.Causes[c.cause] = r.known(c.column)
	}
	return row
}

// runsOf lists the runs that cost something at the scope's provider, nil
// without one.
func runsOf(ctx context.Context, reader Reader, s scope) (map[string]bool, error) {
	if s.Provider == "" {
		return nil, nil
	}
	ids := map[string]bool{}
	err := each(ctx, reader, "costs", s.costs(metrics.Options{GroupBy: "run"}), []string{"gpu_hours"}, func(r record) error {
		if id := r.text("run"); id != "" {
			ids[id] = true
		}
		return nil
	})
	return ids, err
}

// readRuns lists the runs of the scope.
func readRuns(ctx context.Context, reader Reader, s scope, order string) ([]runRow, error) {
	terms := []string{equal("kind", s.Kind), equal("status", s.Status)}
	ids, err := runsOf(ctx, reader, s)
	if err != nil {
		return nil, err
	}
	if s.Text != "" {
		terms = append(terms, "name like "+quote("%"+likeEscaper.Replace(s.Text)+"%"))
	}
	only := append([]string{"gpu_hours", "effective_cost", s.Basis + "_cost", "lost_cost_min", "quality", "state"}, paceColumns[:listedPace]...)
	for _, c := range runCauseColumns {
		only = append(only, c.column)
	}
	var out []runRow
	err = each(ctx, reader, "runs", s.options(metrics.Options{Filter: both(terms...), Order: order}), only, func(r record) error {
		if ids == nil || ids[r.text("run_id")] {
			out = append(out, readRun(r, s.Basis))
		}
		return nil
	})
	return out, err
}

var statusTones = map[string]string{"succeeded": "good", "failed": "bad", "running": "", "cancelled": "", "queued": "", "unknown": ""}

func statusTag(status string) views.Tag {
	return views.Tag{Text: strings.ReplaceAll(status, "_", " "), Tone: statusTones[status]}
}

// runColumns are the columns of the runs table; order is the dataset's column
// that the head sorts by.
var runColumns = []struct {
	text, order, class string
	number             bool
}{
	{"Run", "name", "long", false},
	{"Status", "status", "", false},
	{"Attempts", "attempts", "wide-only", true},
	{"Started", "started_at", "xl-only nowrap", false},
	{"Lasted", "", "max-only", true},
	{"GPU-h", "gpu_hours", "wide-only", true},
	{"By cause", "", "wide-only", false},
	{"Lost", "lost_cost", "wide-only", true},
	{"Budget", "budget_ratio", "full-only", true},
	{"Cost", "$", "", true},
}

// runsTable lays runs out; sorted is the active order, empty for no sort links.
func (p *pageContext) runsTable(rows []runRow, sorted string) views.Table {
	t := views.Table{Caption: "Runs with their cost by cause", Of: "runs"}
	for _, c := range runColumns {
		head := views.SortLink{Text: c.text, Number: c.number, Class: c.class}
		order := c.order
		if order == "$" {
			order = p.scope.Basis + "_cost"
		}
		if sorted != "" && order != "" {
			next := "-" + order
			if order == "name" || order == "status" {
				next = order
			}
			switch sorted {
			case order:
				head.Sort, next = "ascending", "-"+order
			case "-" + order:
				head.Sort, next = "descending", order
			}
			head.Href = p.scope.with("order", next)
		}
		t.Heads = append(t.Heads, head)
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, views.Row{Cells: p.runCells(r)})
	}
	return t
}

func (p *pageContext) runCells(r runRow) []views.Cell {
	c := p.printed(r.Currency)
	status := statusTag(r.Status)
	atLeast := r.LostMin
	strip := causeStrip(c, "row", r.Causes, &atLeast)
	started, lasted := views.Text(format.NA), views.Text(format.NA)
	if r.Started != 0 {
		started = views.Text(format.Instant(r.Started))
		end := r.Ended
		if end == 0 {
			end = p.extent.To
		}
		if end > r.Started {
			lasted = views.Text(format.Duration(int64(end - r.Started)))
		}
	}
	lost := views.Cell{Figure: p.lost(c, r.LostMin, r.Lost, "effective")}
	if r.Effective == nil {
		lost.Figure = views.Figure{Text: format.NA, Title: "no bill and no rate covers this run yet", Zero: true}
	}
	cost := views.Cell{Figure: figure(c, r.Cost, c.Money, p.scope.Basis+" cost · "+string(r.State)+" · "+string(r.Quality))}
	if r.Effective == nil {
		cost.Figure.Title = lost.Figure.Title
	} else {
		cost.Why = p.scope.carried(runPath("/explain/run/", r.ID))
	}
	return []views.Cell{
		{Figure: views.Figure{Text: r.Name}, Href: p.scope.carried(runPath("/runs/", r.ID)), Sub: teamName(r.Team) + " · " + r.Namespace},
		{Tag: &status}, views.Text(strconv.FormatInt(r.Attempts, 10)), started, lasted, {Figure: quantity(r.GPUHours)}, {Strip: &strip}, lost, p.budgetCell(c, r), cost,
	}
}

// printed is how money of a currency is printed: by its code where several
// stand on the page.
func (p *pageContext) printed(currency string) format.Currency {
	if p.several {
		return format.Coded(currency)
	}
	return format.Currency(currency)
}

// totalCells adds rows up; only runs of one currency count.
func (p *pageContext) totalCells(name, currency string, rows []runRow) []views.Cell {
	c := p.printed(currency)
	var sum runRow
	sum.Causes = map[ledger.Cause]money.Amount{}
	for _, r := range rows {
		if r.Currency != currency {
			continue
		}
		if r.Cost != nil {
			if sum.Cost == nil {
				sum.Cost = &money.Amount{}
			}
			add(sum.Cost, *r.Cost)
		}
		add(&sum.GPUHours, r.GPUHours)
		add(&sum.Lost, r.Lost)
		add(&sum.LostMin, r.LostMin)
		for cause, a := range r.Causes {
			sum.Causes[cause] = sum.Causes[cause].Add(a)
		}
	}
	strip := causeStrip(c, "row", sum.Causes, &sum.LostMin)
	lost := views.Cell{Figure: p.lost(c, sum.LostMin, sum.Lost, "effective")}
	if sum.Cost == nil { // nothing of it has a price
		lost.Figure = views.Figure{Text: format.NA, Title: "no bill and no rate covers these runs yet", Zero: true}
	}
	cost := views.Cell{Figure: figure(c, sum.Cost, c.Money, p.scope.Basis+" cost")}
	return []views.Cell{views.Text(name), {}, {}, {}, {}, {Figure: quantity(sum.GPUHours)}, {Strip: &strip}, lost, {}, cost}
}

const topRuns = 8

// topRuns lists the costliest runs on the overview.
func (p *pageContext) topRuns(o *views.Overview, runs []runRow) {
	if p.currency == "" && len(runs) > 0 {
		p.currency = format.Currency(runs[0].Currency)
	}
	var own []runRow
	for _, r := range runs {
		if r.Currency == string(p.currency) {
			own = append(own, r)
		}
	}
	shown := own[:min(topRuns, len(own))]
	t := p.runsTable(shown, "")
	if rest := own[len(shown):]; len(rest) > 0 {
		t.Rows = append(t.Rows, views.Row{Others: true, Cells: p.totalCells(format.Plural(len(rest), "other", "others"), string(p.currency), rest)})
	}
	if len(own) > 1 {
		t.Total = p.totalCells("All runs", string(p.currency), own)
	}
	o.Runs = t
	o.RunsTitle = "Costliest runs"
	o.RunsNote = "whole life of runs that overlap the period"
	o.RunsLinks = []views.Link{{Text: "All runs", Href: p.scope.carried("/runs")}, {Text: "CSV", Href: p.scope.api("runs", metrics.Options{})}}
}
