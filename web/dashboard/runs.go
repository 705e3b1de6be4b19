package dashboard

import (
	"context"
	"net/http"
	"slices"
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
	SpotSavings, Budget                                              *money.Amount
	Causes                                                           map[ledger.Cause]money.Amount
	Quality                                                          ledger.Quality
	State                                                            ledger.State
	Currency                                                         string
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
		Lost: r.known("lost_cost"), LostMin: r.known("lost_cost_min"), SpotSavings: r.amount("spot_savings"), Budget: r.amount("budget"),
		Causes: map[ledger.Cause]money.Amount{}, Quality: ledger.Quality(r.text("quality")), State: ledger.State(r.text("state")), Currency: r.text("currency"),
	}
	for _, c := range runCauseColumns {
		row.Causes[c.cause] = r.known(c.column)
	}
	return row
}

// readRuns lists the runs of the scope.
func readRuns(ctx context.Context, reader Reader, s scope, order string) ([]runRow, error) {
	var terms []string
	for _, f := range []struct{ key, value string }{{"kind", s.Kind}, {"status", s.Status}} {
		if f.value != "" {
			terms = append(terms, f.key+" = "+quote(f.value))
		}
	}
	if s.Text != "" {
		escape := strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)
		terms = append(terms, "name like "+quote("%"+escape.Replace(s.Text)+"%"))
	}
	only := []string{"gpu_hours", "effective_cost", s.Basis + "_cost", "lost_cost_min", "quality", "state"}
	for _, c := range runCauseColumns {
		only = append(only, c.column)
	}
	var out []runRow
	err := each(ctx, reader, "runs", s.options(metrics.Options{Filter: strings.Join(terms, " and "), Order: order}), only, func(r record) error {
		out = append(out, readRun(r, s.Basis))
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
	{"Lasted", "", "xl-only", true},
	{"GPU-h", "gpu_hours", "wide-only", true},
	{"By cause", "", "wide-only", false},
	{"Lost", "lost_cost", "wide-only", true},
	{"Cost", "$", "", true},
}

// runsTable lays runs out; sorted is the active order, empty for no sort links.
func (p *pageContext) runsTable(rows []runRow, sorted string) views.Table {
	t := views.Table{Caption: "Runs with their cost by cause"}
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
	c := format.Currency(r.Currency)
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
	}
	return []views.Cell{
		{Figure: views.Figure{Text: r.Name}, Href: p.scope.carried(runPath("/runs/", r.ID)), Sub: teamName(r.Team) + " · " + r.Namespace},
		{Tag: &status}, views.Text(strconv.FormatInt(r.Attempts, 10)), started, lasted, {Figure: quantity(r.GPUHours)}, {Strip: &strip}, lost, cost,
	}
}

// totalCells adds rows up; only runs of the page's currency count.
func (p *pageContext) totalCells(name string, rows []runRow) []views.Cell {
	var sum runRow
	sum.Causes = map[ledger.Cause]money.Amount{}
	for _, r := range rows {
		if r.Currency != string(p.currency) {
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
	strip := causeStrip(p.currency, "row", sum.Causes, &sum.LostMin)
	lost := views.Cell{Figure: p.lost(p.currency, sum.LostMin, sum.Lost, "effective")}
	if sum.Cost == nil { // nothing of it has a price
		lost.Figure = views.Figure{Text: format.NA, Title: "no bill and no rate covers these runs yet", Zero: true}
	}
	cost := views.Cell{Figure: figure(p.currency, sum.Cost, p.currency.Money, p.scope.Basis+" cost")}
	return []views.Cell{views.Text(name), {}, {}, {}, {}, {Figure: quantity(sum.GPUHours)}, {Strip: &strip}, lost, cost}
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
		t.Rows = append(t.Rows, views.Row{Others: true, Cells: p.totalCells(format.Plural(len(rest), "other", "others"), rest)})
	}
	if len(own) > 1 {
		t.Total = p.totalCells("All runs", own)
	}
	o.Runs = t
	o.RunsTitle = "Costliest runs"
	o.RunsNote = "whole life of runs that overlap the period"
	o.RunsLinks = []views.Link{{Text: "All runs", Href: p.scope.carried("/runs")}, {Text: "CSV", Href: p.scope.api("runs", metrics.Options{})}}
}

// mostRuns is how many runs the list shows at once; the API has all.
const mostRuns = 100

func (d *Dashboard) runList(w http.ResponseWriter, r *http.Request) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), panelTimeout)
	defer cancel()
	order := s.Order
	if order == "" {
		order = "-" + s.Basis + "_cost"
	}
	if _, err := metrics.Parse("runs", s.options(metrics.Options{Order: order})); err != nil {
		d.refused(w, r, err)
		return
	}
	p := &pageContext{scope: s}
	v := views.RunList{Shell: d.shell(r, s, "runs", "Runs"), Text: s.Text}
	rows, err := readRuns(ctx, d.reader, s, order)
	if err == nil {
		p.extent, err = d.reader.Extent(ctx)
	}
	if err != nil {
		e := d.panelError(s, err, "The runs")
		v.Error, v.Sentence = &e, "The runs could not be read."
		d.render(w, r, http.StatusOK, views.RunListPage(v))
		return
	}
	v.Earlier, v.Later = p.neighbours()
	p.listRuns(&v, rows, order)
	d.render(w, r, http.StatusOK, views.RunListPage(v))
}

func (p *pageContext) listRuns(v *views.RunList, rows []runRow, order string) {
	spend := map[string]money.Amount{}
	teams := map[string]*sums{}
	var currencies []string
	for _, r := range rows {
		if _, ok := spend[r.Currency]; !ok {
			currencies = append(currencies, r.Currency)
			spend[r.Currency] = money.Amount{}
		}
		if teams[r.Team] == nil {
			teams[r.Team] = &sums{}
		}
		if r.Cost != nil {
			spend[r.Currency] = spend[r.Currency].Add(*r.Cost)
			add(&teams[r.Team].Cost, *r.Cost)
		}
		if spend[r.Currency].Cmp(spend[string(p.currency)]) > 0 || p.currency == "" {
			p.currency = format.Currency(r.Currency)
		}
	}
	v.Bar = p.bar(largest(teams), nil)
	v.Bar.Filter = runFilter(p, v.Bar.Filter)
	v.Sentence, v.Sub = runsSentence(p, rows)
	for _, kv := range p.scope.params() {
		if kv[0] != "q" && kv[1] != "" {
			v.Search.Hidden = append(v.Search.Hidden, kv)
		}
	}
	if len(rows) == 0 {
		v.None = "No run overlaps " + format.Days(p.shown()) + "."
		if p.shown().Empty() {
			v.None = "Runs appear when workloads and telemetry are imported and allocated."
		}
		if p.scope.Team+p.scope.Kind+p.scope.Status+p.scope.Text+p.scope.Cluster != "" {
			v.None, v.Clear = "No run matches the filter.", p.scope.with("team", "", "kind", "", "status", "", "q", "", "cluster", "")
		}
		return
	}
	from := min((p.scope.Page-1)*mostRuns, len(rows))
	to := min(from+mostRuns, len(rows))
	if from > 0 {
		v.Previous = p.scope.with("page", strconv.Itoa(p.scope.Page-1))
	}
	if to < len(rows) {
		v.Next = p.scope.with("page", strconv.Itoa(p.scope.Page+1))
	}
	v.Shown = format.Count(int64(from+1)) + " – " + format.Count(int64(to)) + " of " + format.Count(int64(len(rows)))
	v.Table = p.runsTable(rows[from:to], order)
	if rest := slices.Concat(rows[:from], rows[to:]); len(rest) > 0 {
		v.Table.Rows = append(v.Table.Rows, views.Row{Others: true, Cells: p.totalCells(format.Plural(len(rest), "other", "others"), rest)})
	}
	if len(rows) > 1 {
		v.Table.Total = p.totalCells("All runs", rows)
	}
	v.Note = "whole life of runs that overlap the period"
	v.Notes = []string{basisNames[p.scope.Basis][0] + " cost, before sharing, " + string(p.currency), "Causes and lost work are effective cost"}
	if len(currencies) > 1 {
		v.Notes = append(v.Notes, "The total adds "+string(p.currency)+" only; other currencies are not added")
	}
}

// runFilter adds kind and status to the menu of teams.
func runFilter(p *pageContext, m *views.Menu) *views.Menu {
	if m == nil {
		m = &views.Menu{Label: "+ Filter"}
	}
	m.Items = append(m.Items, views.MenuItem{Text: "Status"})
	for _, s := range []string{"running", "succeeded", "failed", "cancelled", "unknown"} {
		m.Items = append(m.Items, views.MenuItem{Text: s, Href: p.scope.with("status", s), Current: p.scope.Status == s})
	}
	m.Items = append(m.Items, views.MenuItem{Text: "Kind"})
	for _, k := range []string{"training", "fine_tuning", "evaluation", "batch"} {
		m.Items = append(m.Items, views.MenuItem{Text: strings.ReplaceAll(k, "_", " "), Href: p.scope.with("kind", k), Current: p.scope.Kind == k})
	}
	return m
}

// runsSentence says what the listed runs cost and what of it was lost.
func runsSentence(p *pageContext, rows []runRow) (sentence, sub string) {
	var cost, lost, lostMin, hours money.Amount
	n, failed, priced := 0, 0, 0
	for _, r := range rows {
		if r.Currency != string(p.currency) {
			continue
		}
		n++
		if r.Cost != nil {
			add(&cost, *r.Cost)
			priced++
		}
		add(&hours, r.GPUHours)
		add(&lost, r.Lost)
		add(&lostMin, r.LostMin)
		if r.Status == "failed" {
			failed++
		}
	}
	if n == 0 {
		return "No runs.", ""
	}
	if priced == 0 {
		return format.Plural(n, "run", "runs") + " held " + format.GPUHours(hours) + " GPU-hours.", "No bill and no rate covers them yet, so their cost is not known."
	}
	sentence = format.Plural(n, "run", "runs") + " cost " + p.currency.Money(cost) + "."
	if lost.Sign() > 0 {
		sub = p.currency.Span(lostMin, lost) + " of it was lost after the last checkpoint of attempts that did not finish."
	}
	if failed > 0 {
		if sub != "" {
			sub += " "
		}
		sub += format.Plural(failed, "run", "runs") + " failed."
	}
	return sentence, sub
}
