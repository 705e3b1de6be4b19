package panel

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
)

// sheet is the answer in one currency: groups by steps. Without money there is one sheet.
type sheet struct {
	currency string
	keys     []metrics.Key
	column   metrics.Column   // of the measure
	columns  []metrics.Column // of the answer
	steps    []step           // empty: the question has no steps
	groups   []*group         // largest first; others come last
	total    money.Amount     // of the figures that add up
	size     money.Amount     // of all figures without their signs: the largest currency comes first
	rows     []page.Record    // as answered, for bridges and funnels
	blank    int              // groups without the figure
}

// step is a bucket of time.
type step struct {
	span        period.Interval
	provisional bool
}

// group is a row of the sheet.
type group struct {
	values []metrics.Value
	cells  map[int]*money.Amount    // by step; 0 without steps
	total  *money.Amount            // nil: unknown
	before *money.Amount            // of the earlier period
	parts  map[string]*money.Amount // further columns, by name
	kept   []*group                 // of others: the groups that are drawn
	folded int                      // how many groups these others are
}

// provisional reports whether a step of time is provisional.
func (s *sheet) provisional() bool {
	return slices.ContainsFunc(s.steps, func(at step) bool { return at.provisional })
}

// adds reports whether figures of a column add up over groups and time.
func adds(c metrics.Column) bool {
	switch c.Formula.Op {
	case metrics.OpSum, metrics.OpSumAll:
		return true
	}
	return c.Kind == metrics.Money && c.Formula.Op == metrics.OpField
}

// read asks the panel's questions.
// span is the period of the time axis; empty: that of the rows.
func (p *Panel) read(ctx context.Context, reader page.Reader, span period.Interval) ([]*sheet, error) {
	figs := p.drawn()
	sheets, err := p.readSheets(ctx, reader, p.Ask, figs, span)
	if err != nil || p.Before.Dataset == "" {
		return sheets, err
	}
	earlier, err := p.readSheets(ctx, reader, p.Before, figs, period.Interval{})
	if err != nil {
		return nil, fmt.Errorf("the period before: %w", err)
	}
	for _, s := range sheets {
		earlier = slices.DeleteFunc(earlier, func(e *sheet) bool {
			if e.currency == s.currency {
				s.compare(e)
			}
			return e.currency == s.currency
		})
		if p.ByChange {
			slices.SortStableFunc(s.groups, func(x, y *group) int { return y.moved().Cmp(x.moved()) })
		}
	}
	for _, e := range earlier { // a currency that is gone
		gone := &sheet{currency: e.currency, keys: e.keys, column: e.column, columns: e.columns}
		gone.compare(e)
		sheets = append(sheets, gone)
	}
	return sheets, nil
}

// moved is how much a group changed.
func (g *group) moved() money.Amount {
	var a money.Amount
	if g.total != nil {
		a = *g.total
	}
	if g.before != nil {
		a = a.Sub(*g.before)
	}
	return page.Size(&a)
}

func (p *Panel) readSheets(
	ctx context.Context, reader page.Reader, question ask.Question, figs []string,
	span period.Interval,
) ([]*sheet, error) {
	question.Figures = append(slices.Clone(figs), "state")
	q, err := question.Query()
	if err != nil {
		return nil, err
	}
	rows, err := page.Gather(ctx, reader, q)
	if err != nil {
		return nil, err
	}
	columns := q.Columns()
	measure := metrics.Column{}
	if i := slices.IndexFunc(columns, func(c metrics.Column) bool { return c.Name == p.Measure }); i >= 0 {
		measure = columns[i]
	} else if p.Measure != "" {
		return nil, &metrics.OptionError{Option: "measure", Value: p.Measure, Reason: "is not a figure of this question"}
	}
	b := builder{q: q, measure: measure, by: map[string]*sheet{}, groups: map[string]*group{}, places: map[string]int{}}
	b.priced = measure.Kind == metrics.Money || strings.HasPrefix(measure.Unit, "currency") || len(p.Parts) > 0 ||
		measure.Name != "" && !adds(measure)
	b.keys = q.GroupBy
	for _, name := range p.Names { // each row is in its own unit
		b.keys, b.priced = append(b.keys, metrics.Key{Name: name}), false
	}
	for _, c := range columns {
		if slices.Contains(p.Parts, c.Name) {
			b.parts = append(b.parts, c)
		}
	}
	for _, r := range rows {
		b.add(r)
	}
	if measure.Name != "" && !adds(measure) && q.Granularity != metrics.Total && len(rows) > 0 {
		q.Granularity = metrics.Total
		whole, err := page.Gather(ctx, reader, q)
		if err != nil {
			return nil, err
		}
		b.totals(whole)
	}
	return b.finish(columns, span), nil
}

// builder sorts rows into sheets.
type builder struct {
	q       metrics.Query
	keys    []metrics.Key
	measure metrics.Column
	parts   []metrics.Column
	priced  bool // figures are in a currency, so each has a sheet
	by      map[string]*sheet
	order   []*sheet
	groups  map[string]*group
	places  map[string]int // of steps, by currency and start
}

// group finds or adds the group of a row.
func (b *builder) group(r page.Record, s *sheet) *group {
	id := s.currency
	values := make([]metrics.Value, len(b.keys))
	for i, k := range b.keys {
		values[i] = r.Value(k.Name)
		id += "\x00" + idOf(values[i])
	}
	g := b.groups[id]
	if g == nil {
		g = &group{values: values, cells: map[int]*money.Amount{}, parts: map[string]*money.Amount{}}
		b.groups[id] = g
		s.groups = append(s.groups, g)
	}
	return g
}

// totals are the figures of the whole period, of a measure that steps do not add up to.
func (b *builder) totals(rows []page.Record) {
	for _, s := range b.order {
		for _, g := range s.groups {
			g.total = nil
		}
		s.total = money.Amount{}
	}
	for _, r := range rows {
		if s := b.by[b.currencyOf(r)]; s != nil {
			b.group(r, s).total = figures.AmountOf(b.measure, r.Value(b.measure.Name))
		}
	}
}

// currencyOf is the currency of a row's figures.
func (b *builder) currencyOf(r page.Record) string {
	if !b.priced {
		return ""
	}
	return r.Text("currency")
}

func (b *builder) add(r page.Record) {
	currency := b.currencyOf(r)
	s := b.by[currency]
	if s == nil {
		s = &sheet{currency: currency, keys: b.keys, column: b.measure}
		b.by[currency] = s
		b.order = append(b.order, s)
	}
	s.rows = append(s.rows, r)
	if b.measure.Name == "" {
		for _, c := range b.parts {
			s.grow(figures.AmountOf(c, r.Value(c.Name)))
		}
		return
	}
	at := 0
	if b.q.Granularity != metrics.Total && r.Has("period_start") {
		at = b.step(s, r)
	}
	g := b.group(r, s)
	a := figures.AmountOf(b.measure, r.Value(b.measure.Name))
	g.cells[at] = plus(g.cells[at], a)
	g.total = plus(g.total, a)
	for _, c := range b.parts {
		part := figures.AmountOf(c, r.Value(c.Name))
		g.parts[c.Name] = plus(g.parts[c.Name], part)
		s.grow(part)
	}
	s.grow(a)
	if a != nil {
		s.total = s.total.Add(*a)
	}
}

// grow counts a figure to the size of the sheet.
func (s *sheet) grow(a *money.Amount) {
	if a != nil {
		s.size = s.size.Add(page.Size(a))
	}
}

// plus adds where something is known.
func plus(sum, a *money.Amount) *money.Amount {
	if sum == nil || a == nil {
		return cmp.Or(sum, a)
	}
	both := sum.Add(*a)
	return &both
}

// finish orders steps by time and groups by size, and gives gaps their places on the axis.
func (b *builder) finish(columns []metrics.Column, span period.Interval) []*sheet {
	for _, s := range b.order {
		s.columns = columns
		all := len(s.groups)
		s.groups = slices.DeleteFunc(s.groups, func(g *group) bool { return g.total == nil && !g.has() })
		s.blank = all - len(s.groups)
		s.everyStep(b.q.Granularity, span)
		slices.SortStableFunc(s.groups, func(x, y *group) int {
			return cmp.Or(page.Size(y.total).Cmp(page.Size(x.total)), compareValues(x.values, y.values))
		})
	}
	slices.SortStableFunc(b.order, func(x, y *sheet) int {
		return cmp.Or(y.size.Cmp(x.size), cmp.Compare(x.currency, y.currency))
	})
	return b.order
}

// has reports whether any step or further column has a figure.
func (g *group) has() bool {
	for _, a := range g.cells {
		if a != nil {
			return true
		}
	}
	for _, a := range g.parts {
		if a != nil {
			return true
		}
	}
	return false
}

func compareValues(a, b []metrics.Value) int {
	for i := range a {
		if c := cmp.Compare(a[i].Text, b[i].Text); c != 0 {
			return c
		}
	}
	return 0
}

// compare notes what the groups were in the earlier period; groups that are gone get a row.
func (s *sheet) compare(earlier *sheet) {
	for _, e := range earlier.groups {
		i := slices.IndexFunc(s.groups, func(g *group) bool { return slices.Equal(g.values, e.values) })
		if i < 0 {
			s.groups = append(s.groups, &group{values: e.values, cells: map[int]*money.Amount{}, before: e.total})
			continue
		}
		s.groups[i].before = e.total
	}
}

// Measures are the columns of an answer that can be drawn.
func Measures(q metrics.Query) []metrics.Column {
	return slices.DeleteFunc(slices.Clone(q.Columns()), func(c metrics.Column) bool {
		number := c.Kind.Decimal() || c.Kind.Integer()
		return !number || c.Filter || c.Formula.Op == metrics.OpUnknown
	})
}
