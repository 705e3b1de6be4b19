package dashboard

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

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

// spentOn adds up what runs cost per currency. Runs that nothing prices yet
// have none. The largest comes first.
func spentOn(rows []runRow) (currencies []string, spent map[string]money.Amount) {
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
func (s scope) inCurrency(rows []runRow) []runRow {
	if s.Currency == "" || !slices.ContainsFunc(rows, func(r runRow) bool { return r.Currency == s.Currency }) {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r runRow) bool { return r.Currency != s.Currency })
}

func (p *pageContext) listRuns(v *views.RunList, rows []runRow, order string) {
	all, _ := spentOn(rows)
	rows = p.scope.inCurrency(rows)
	currencies, _ := spentOn(rows)
	if len(currencies) > 0 {
		p.currency = format.Currency(currencies[0])
	}
	p.several = len(currencies) > 1
	teams := map[string]money.Amount{}
	for _, r := range rows {
		cost := teams[r.Team]
		if r.Cost != nil && r.Currency == string(p.currency) {
			add(&cost, *r.Cost)
		}
		teams[r.Team] = cost
	}
	v.Bar = p.bar(choices{teams: largest(teams)})
	if len(all) > 1 {
		v.Bar.Menus = append(v.Bar.Menus, p.currencyMenu(all, len(currencies) > 1))
	}
	v.Bar.Filter = runFilter(p, v.Bar.Filter)
	v.Sentence, v.Sub = runsSentence(p, currencies, rows)
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
		if p.scope.Team+p.scope.Kind+p.scope.Status+p.scope.Text+p.scope.Cluster+p.scope.Provider != "" {
			v.None, v.Clear = "No run matches the filter.", p.scope.with("team", "", "kind", "", "status", "", "q", "", "cluster", "", "provider", "")
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
	v.Table.Wide = p.several
	rest := slices.Concat(rows[:from], rows[to:])
	for _, currency := range currencies {
		n := 0
		for _, r := range rest {
			if r.Currency == currency {
				n++
			}
		}
		if n > 0 {
			v.Table.Rows = append(v.Table.Rows, views.Row{Others: true, Cells: p.totalCells(inCode(format.Plural(n, "other", "others"), currency, p.several), currency, rest)})
		}
	}
	switch {
	case p.several:
		for _, currency := range currencies {
			v.Table.Totals = append(v.Table.Totals, p.totalCells(inCode("All runs", currency, true), currency, rows))
		}
	case len(rows) > 1:
		v.Table.Total = p.totalCells("All runs", string(p.currency), rows)
	}
	v.Note = "whole life of runs that overlap the period"
	v.Notes = []string{basisNames[p.scope.Basis][0] + " cost, before sharing, " + strings.Join(named(currencies), ", "), "Causes and lost work are effective cost"}
	if p.several {
		v.Notes = append(v.Notes, "Currencies are never added: each has a total of its own")
	}
}

// named leaves out the currency of what has no price.
func named(currencies []string) []string {
	return slices.DeleteFunc(slices.Clone(currencies), func(c string) bool { return c == "" })
}

// inCode adds the currency where several stand on the page.
func inCode(text, currency string, several bool) string {
	switch {
	case !several:
		return text
	case currency == "":
		return text + " without a price"
	}
	return text + ", " + currency
}

// currencyMenu offers one currency or all.
func (p *pageContext) currencyMenu(currencies []string, all bool) views.Menu {
	m := views.Menu{Label: "Currency", Value: "all", Items: []views.MenuItem{{Text: "All", Note: "never added", Href: p.scope.with("currency", ""), Current: all}}}
	for _, c := range named(currencies) {
		current := !all && c == string(p.currency)
		if current {
			m.Value = c
		}
		m.Items = append(m.Items, views.MenuItem{Text: c, Href: p.scope.with("currency", c), Current: current})
	}
	return m
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
func runsSentence(p *pageContext, currencies []string, rows []runRow) (sentence, sub string) {
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
			add(&s.cost, *r.Cost)
			priced++
		}
		add(&hours, r.GPUHours)
		add(&s.lost, r.Lost)
		add(&s.lostMin, r.LostMin)
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
	for _, c := range named(currencies) {
		costs = append(costs, p.printed(c).Money(by[c].cost))
		if by[c].lost.Sign() > 0 {
			losses = append(losses, p.printed(c).Span(by[c].lostMin, by[c].lost))
		}
	}
	sentence += listed(costs) + "."
	if len(losses) > 0 {
		sub = listed(losses) + " of it was lost after the last checkpoint of attempts that did not finish."
	}
	if failed > 0 {
		if sub != "" {
			sub += " "
		}
		sub += format.Plural(failed, "run", "runs") + " failed."
	}
	return sentence, sub
}

// listed joins words as a sentence does: "a, b and c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
