package figures

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// Reading holds the data of a page; its course and further panels may fail alone.
type Reading struct {
	dataset    *metrics.Dataset
	columns    map[string]metrics.Column
	keys       []string // keys that rows are grouped by
	order      string
	Rows       []page.Record
	further    bool          // there is another page
	Whole      []page.Record // one per currency
	currencies []string      // of the whole, the largest first
	teams      []string
	picks      [][]string    // values of the page's picks; with Spent, those that have cost
	course     []page.Record // per day and group
	courseKey  string
	more       [][]page.Record
	moreWhole  [][]page.Record
	err        error
	courseErr  error
	moreErr    []error
	ties       []*money.Amount // of the page's Ties; nil: not read
	estimates  string          // how good provisional cost was, if a row has any
	decisions  decisions
}

// leftOut names the filters that a dataset does not accept.
func leftOut(s page.Scope, d *metrics.Dataset) []string {
	var out []string
	for _, f := range [][2]string{{"team", s.Team}, {"cluster", s.Cluster}} {
		if f[1] != "" && !page.Takes(d, f[0]) {
			out = append(out, f[0])
		}
	}
	return out
}

// csv is the link to a question's answer as CSV.
func csv(q ask.Question) views.Link { return views.Link{Text: "CSV", Href: q.As("csv")} }

// question asks the rows of the page.
func (f *Page) question(s page.Scope, o metrics.Options) ask.Question {
	return ask.Question{Dataset: f.Dataset, Options: s.For(f.Dataset, o), Figures: namesOf(f.Columns)}
}

func (d *room) readFigures(ctx context.Context, p *page.Context, f *Page, order string) *Reading {
	out := &Reading{order: order, columns: map[string]metrics.Column{},
		picks: make([][]string, len(f.Picks))}
	if out.dataset, out.err = metrics.LookupDataset(f.Dataset); out.err != nil {
		return out
	}
	for _, c := range out.dataset.Columns {
		out.columns[c.Name] = c
	}
	// A page shows one currency: the chosen one, else the one with the largest cost.
	if out.Whole, out.err = d.readWhole(ctx, p.Scope, f); out.err != nil {
		return out
	}
	out.currencies = currenciesByCost(out.Whole, p.Scope.Basis)
	s := p.Scope
	if list := page.Named(out.currencies); s.Currency == "" && len(list) > 1 && !f.Every {
		s = s.In(list[0])
	}
	q, err := metrics.Parse(f.Dataset, s.For(f.Dataset,
		metrics.Options{Filter: f.terms(s), GroupBy: f.by(s), Order: order, Limit: strconv.Itoa(mostFigures + 1)}))
	if err != nil {
		out.err = err
		return out
	}
	for _, k := range q.GroupBy {
		out.keys = append(out.keys, k.Name)
	}
	out.more, out.moreWhole = make([][]page.Record, len(f.More)), make([][]page.Record, len(f.More))
	out.moreErr = make([]error, len(f.More))
	q = q.Narrowed(f.only)
	q.Offset = (s.Page - 1) * mostFigures
	q.Only = f.asks(s)
	var rowsErr, extentErr, teamsErr error
	tieErrs := make([]error, len(f.Ties))
	work := []func(){
		func() { out.Rows, rowsErr = page.Gather(ctx, d.Reader, q) },
		func() { p.Extent, extentErr = d.Reader.Extent(ctx) },
	}
	if page.Takes(out.dataset, "team") {
		work = append(work, func() { out.teams, teamsErr = d.readSpent(ctx, s, "team") })
	}
	pickErrs := make([]error, len(f.Picks))
	for i, pick := range f.Picks {
		if out.picks[i] = pick.Values; pick.Spent {
			work = append(work, func() { out.picks[i], pickErrs[i] = d.readSpent(ctx, s, pick.Key) })
		}
	}
	if f.comparable(s) {
		out.ties = make([]*money.Amount, len(f.Ties))
		for i, t := range f.Ties {
			work = append(work, func() { out.ties[i], tieErrs[i] = d.readTie(ctx, s, t) })
		}
	}
	if f.Course != nil {
		work = append(work, func() { out.courseErr = d.readCourse(ctx, s, f, out) })
	}
	for i := range f.More {
		work = append(work, func() {
			m := &f.More[i]
			out.more[i], out.moreErr[i] = m.rows(ctx, d.Reader, s)
			if m.All != "" && out.moreErr[i] == nil {
				out.moreWhole[i], out.moreErr[i] = m.read(ctx, d.Reader, s, metrics.Options{})
			}
		})
	}
	page.Parallel(work...)
	out.err = cmp.Or(slices.Concat(tieErrs, pickErrs, []error{rowsErr, extentErr, teamsErr})...)
	if f.Every && out.Whole == nil {
		out.currencies = currenciesByCost(append(slices.Clone(out.Rows), slices.Concat(out.moreWhole...)...), s.Basis)
	}
	if out.further = len(out.Rows) > mostFigures; out.further {
		out.Rows = out.Rows[:mostFigures]
	}
	provisional := func(r page.Record) bool { return r.Has("state") && r.Text("state") == string(ledger.Provisional) }
	if slices.ContainsFunc(slices.Concat(out.Whole, out.Rows), provisional) {
		if estimates, err := metrics.ReadEstimates(ctx, d.Reader); err == nil { // the page is complete without
			out.estimates = "Provisional cost has no bill yet. " + estimates.Sentence()
			p.Estimates = estimates
		}
	}
	return out
}

// Draw reads and lays out the panel for a page outside this package.
func (m *Panel) Draw(ctx context.Context, reader page.Reader, p *page.Context) (views.TablePanel, error) {
	rows, err := m.rows(ctx, reader, p.Scope)
	if err != nil {
		return views.TablePanel{Title: m.Title}, err
	}
	return morePanel(p, m, rows, nil), nil
}

func (m *Panel) rows(ctx context.Context, reader page.Reader, s page.Scope) ([]page.Record, error) {
	return m.read(ctx, reader, s, metrics.Options{
		GroupBy: m.By, Granularity: m.Step, Order: m.Order, Limit: strconv.Itoa(cmp.Or(m.Limit, 20))})
}

func (m *Panel) read(ctx context.Context, reader page.Reader, s page.Scope, o metrics.Options) ([]page.Record, error) {
	o.Filter = m.Filter
	q, err := metrics.Parse(m.Dataset, s.For(m.Dataset, o))
	if err != nil {
		return nil, err
	}
	if !m.Layouts {
		q.Only = namesOf(m.Columns)
	}
	return page.Gather(ctx, reader, q)
}

// readWhole reads the totals, one row per currency. A dataset that cannot be grouped by
// currency has no totals.
func (d *room) readWhole(ctx context.Context, s page.Scope, f *Page) ([]page.Record, error) {
	q, err := metrics.Parse(f.Dataset, s.Mixed().For(f.Dataset,
		metrics.Options{Filter: f.Filter, GroupBy: wholeBy(f.Dataset)}))
	if err != nil {
		return nil, nil //nolint:nilerr // a dataset without currencies has no totals; the page is complete without
	}
	q.Only = append(append(f.asks(s), namesOf(f.Facts)...), "state")
	return page.Gather(ctx, d.Reader, q.Narrowed(f.only))
}

// wholeBy is the key that groups all rows of a currency into one. Grouped datasets never add
// currencies, and use their own keys if a query names none.
func wholeBy(dataset string) string {
	if d, err := metrics.LookupDataset(dataset); err == nil && d.Grouped {
		return string(metrics.OnTenant)
	}
	return "currency"
}

// asks lists the columns to query: the shown ones, and those that words and strips read.
// Expensive columns that are not shown are not computed.
func (f *Page) asks(s page.Scope) []string {
	if f.reads == nil { // a page made per request, which Check did not see
		f.reads = f.heard()
	}
	return append(append(namesOf(f.Columns), f.reads...), s.Basis+"_cost")
}

// namesOf lists the dataset columns that a table's columns need.
func namesOf(columns []Column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
		for beside := range strings.SplitSeq(c.Sub+","+c.Least, ",") {
			if beside != "" {
				names = append(names, beside)
			}
		}
	}
	return names
}

// unasked lists columns that were read but not queried.
func (r *Reading) unasked() (names []string) {
	for _, list := range append([][]page.Record{r.Rows, r.Whole, r.course}, r.more...) {
		for _, row := range list[:min(1, len(list))] { // rows of one result share their list
			names = append(names, row.ReadUnasked()...)
		}
	}
	return names
}

// readSpent lists the values of a key that have cost, the largest first.
func (d *room) readSpent(ctx context.Context, s page.Scope, key string) ([]string, error) {
	s = s.Without(key)
	spent := map[string]money.Amount{}
	err := page.Each(ctx, d.Reader, "costs", s.Costs(metrics.Options{GroupBy: key}), []string{"effective_cost"},
		func(r page.Record) error {
			if value := r.Text(key); value != "" {
				spent[value] = spent[value].Add(r.Known("effective_cost"))
			}
			return nil
		})
	return page.Largest(spent), err
}

// readCourse reads the column of the course per day.
func (d *room) readCourse(ctx context.Context, s page.Scope, f *Page, out *Reading) error {
	out.courseKey = cmp.Or(f.Course.Per, f.by(s))
	if i := strings.IndexByte(out.courseKey, ','); i >= 0 {
		out.courseKey = out.courseKey[:i]
	}
	q, err := metrics.Parse(f.Dataset, s.For(f.Dataset,
		metrics.Options{Filter: f.Filter, GroupBy: out.courseKey, Granularity: string(metrics.Day)}))
	if err != nil {
		return err
	}
	q.Only = []string{f.Course.Column, "effective_cost"}
	out.course, err = page.Gather(ctx, d.Reader, q.Narrowed(f.only))
	return err
}

// currenciesByCost lists currencies, the one with the largest cost first.
func currenciesByCost(whole []page.Record, basis string) []string {
	cost := map[string]money.Amount{}
	var out []string
	for _, r := range whole {
		code := r.Text("currency")
		if _, ok := cost[code]; !ok {
			out = append(out, code)
		}
		a := r.Known(basis + "_cost")
		if a.Sign() < 0 {
			a = a.Neg()
		}
		cost[code] = cost[code].Add(a)
	}
	slices.SortStableFunc(out, func(a, b string) int { return cost[b].Cmp(cost[a]) })
	return out
}
