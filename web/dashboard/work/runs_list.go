package work

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// mostRuns is how many runs the list shows at once; the API has all.
const mostRuns = 100

func (d *room) runList(w http.ResponseWriter, r *http.Request) {
	s, _, err := page.ReadFiltered(r, "runs", page.Rows)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	order := s.Order
	if order == "" {
		order = "-" + s.Basis + "_cost"
	}
	if _, err := metrics.Parse("runs", s.Options(metrics.Options{Order: order})); err != nil {
		d.Refused(w, r, err)
		return
	}
	p := &page.Context{Scope: s}
	v := views.RunList{Shell: d.Shell(r, s, "runs", "Runs"), Text: s.Text}
	rows, err := ReadRuns(ctx, d.Reader, s, order)
	if err == nil {
		p.Extent, err = d.Reader.Extent(ctx)
	}
	if err != nil {
		e := d.PanelError(s, err, "The runs")
		v.Error, v.Sentence = &e, "The runs could not be read."
		d.Render(w, r, http.StatusOK, views.RunListPage(v))
		return
	}
	v.Earlier, v.Later = p.Neighbours()
	listRuns(p, &v, rows, order)
	d.Render(w, r, http.StatusOK, views.RunListPage(v))
}

// spentOn adds up what runs cost per currency. Runs that nothing prices yet
// have none. The largest comes first.
func spentOn(rows []Run) (currencies []string, spent map[string]money.Amount) {
	spent = map[string]money.Amount{}
	for _, r := range rows {
		if _, ok := spent[r.Currency]; !ok {
			currencies = append(currencies, r.Currency)
		}
		var cost money.Amount
		if r.Cost != nil {
			cost = *r.Cost
		}
		spent[r.Currency] = spent[r.Currency].Add(cost)
	}
	slices.SortStableFunc(currencies, func(a, b string) int {
		if priced := cmp.Compare(min(len(b), 1), min(len(a), 1)); priced != 0 {
			return priced
		}
		return spent[b].Cmp(spent[a])
	})
	return currencies, spent
}

// inCurrency keeps the runs of the asked currency, and all without one.
func inCurrency(s page.Scope, rows []Run) []Run {
	if s.Currency == "" || !slices.ContainsFunc(rows, func(r Run) bool { return r.Currency == s.Currency }) {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r Run) bool { return r.Currency != s.Currency })
}

func listRuns(p *page.Context, v *views.RunList, rows []Run, order string) {
	all, _ := spentOn(rows)
	rows = inCurrency(p.Scope, rows)
	currencies, _ := spentOn(rows)
	if len(currencies) > 0 {
		p.Currency = format.Currency(currencies[0])
	}
	p.Several = len(currencies) > 1
	teams := map[string]money.Amount{}
	for _, r := range rows {
		cost := teams[r.Team]
		if r.Cost != nil && r.Currency == string(p.Currency) {
			page.Add(&cost, *r.Cost)
		}
		teams[r.Team] = cost
	}
	v.Bar = p.Bar(page.Choices{Teams: page.Largest(teams), Where: "attempts > 3 or lost_cost > 100"})
	if len(all) > 1 {
		v.Bar.Menus = append(v.Bar.Menus, p.CurrencyMenu(all, len(currencies) > 1))
	}
	v.Bar.Filter = runFilter(p, v.Bar.Filter)
	v.Sentence, v.Sub = runsSentence(p, currencies, rows)
	for _, kv := range p.Scope.Params() {
		if kv[0] != "q" && kv[1] != "" {
			v.Search.Hidden = append(v.Search.Hidden, kv)
		}
	}
	nothing := p.WithoutData()
	if nothing != "" && len(rows) > 0 {
		v.Sub = nothing + " Listed are runs that have not ended."
	}
	if len(rows) == 0 {
		v.None = cmp.Or(nothing, "No run overlaps "+format.Days(p.Shown())+".")
		if p.Shown().Empty() {
			v.None = "Runs appear when workloads and telemetry are imported and allocated."
		}
		if p.Scope.Team+p.Scope.Kind+p.Scope.Status+p.Scope.Text+p.Scope.Cluster+p.Scope.Provider+p.Scope.Filter != "" {
			v.None, v.Clear = "No run matches the filter.", p.Scope.With("team", "", "kind", "", "status", "", "q", "", "cluster", "", "provider", "", "filter", "")
		}
		return
	}
	from := min((p.Scope.Page-1)*mostRuns, len(rows))
	to := min(from+mostRuns, len(rows))
	if from > 0 {
		v.Previous = p.Scope.With("page", strconv.Itoa(p.Scope.Page-1))
	}
	if to < len(rows) {
		v.Next = p.Scope.With("page", strconv.Itoa(p.Scope.Page+1))
	}
	v.Shown = format.Count(int64(from+1)) + " – " + format.Count(int64(to)) + " of " + format.Count(int64(len(rows)))
	v.Table = runsTable(p, rows[from:to], order)
	v.Table.Wide = p.Several
	rest := slices.Concat(rows[:from], rows[to:])
	for _, currency := range currencies {
		n := 0
		for _, r := range rest {
			if r.Currency == currency {
				n++
			}
		}
		if n > 0 {
			v.Table.Rows = append(v.Table.Rows, views.Row{Others: true, Cells: totalCells(p, page.InCode(format.Plural(n, "other", "others"), currency, p.Several), currency, rest)})
		}
	}
	switch {
	case p.Several:
		for _, currency := range currencies {
			v.Table.Totals = append(v.Table.Totals, totalCells(p, page.InCode("All runs", currency, true), currency, rows))
		}
	case len(rows) > 1:
		v.Table.Total = totalCells(p, "All runs", string(p.Currency), rows)
	}
	v.Note = "whole life of runs that overlap the period"
	v.Notes = []string{page.BasisNames[p.Scope.Basis][0] + " cost, before sharing, " + strings.Join(page.Named(currencies), ", "), "Causes and lost work are effective cost"}
	if p.Several {
		v.Notes = append(v.Notes, "Currencies are never added: each has a total of its own")
	}
}

// runFilter adds kind and status to the menu of teams.
func runFilter(p *page.Context, m *views.Menu) *views.Menu {
	if m == nil {
		m = &views.Menu{Label: "+ Filter"}
	}
	m.Items = append(m.Items, views.MenuItem{Text: "Status"})
	for _, s := range []string{"running", "succeeded", "failed", "cancelled", "unknown"} {
		m.Items = append(m.Items, views.MenuItem{Text: s, Href: p.Scope.With("status", s), Current: p.Scope.Status == s})
	}
	m.Items = append(m.Items, views.MenuItem{Text: "Kind"})
	for _, k := range []string{"training", "fine_tuning", "evaluation", "batch"} {
		m.Items = append(m.Items, views.MenuItem{Text: strings.ReplaceAll(k, "_", " "), Href: p.Scope.With("kind", k), Current: p.Scope.Kind == k})
	}
	return m
}

// runsSentence says what the listed runs cost and what of it was lost.
func runsSentence(p *page.Context, currencies []string, rows []Run) (sentence, sub string) {
	type spend struct{ cost, lost, lostMin money.Amount }
	var hours money.Amount
	failed, priced := 0, 0
	by := map[string]*spend{}
	for _, c := range currencies {
		by[c] = &spend{}
	}
	for _, r := range rows {
		s := by[r.Currency]
		if r.Cost != nil {
			page.Add(&s.cost, *r.Cost)
			priced++
		}
		page.Add(&hours, r.GPUHours)
		page.Add(&s.lost, r.Lost)
		page.Add(&s.lostMin, r.LostMin)
		if r.Status == "failed" {
			failed++
		}
	}
	switch n := len(rows); {
	case n == 0:
		return "No runs.", ""
	case priced == 0:
		return format.Plural(n, "run", "runs") + " held " + format.GPUHours(hours) + " GPU-hours.", "No bill and no rate covers them yet, so their cost is not known."
	default:
		sentence = format.Plural(n, "run", "runs") + " cost "
	}
	var costs, losses []string
	for _, c := range page.Named(currencies) {
		costs = append(costs, p.Printed(c).Money(by[c].cost))
		if by[c].lost.Sign() > 0 {
			losses = append(losses, p.Printed(c).Span(by[c].lostMin, by[c].lost))
		}
	}
	sentence += page.Listed(costs) + "."
	if len(losses) > 0 {
		sub = page.Listed(losses) + " of it was lost after the last checkpoint of attempts that did not finish."
	}
	if failed > 0 {
		if sub != "" {
			sub += " "
		}
		sub += format.Plural(failed, "run", "runs") + " failed."
	}
	return sentence, sub
}
