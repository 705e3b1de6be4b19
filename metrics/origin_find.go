package metrics

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// mostOrigins is how many rows a subject may select; mostOriginParts how many parts of a figure are named.
const (
	mostOrigins     = 20
	mostOriginParts = 200
)

// origins explains the figures of a subject, row by row.
type origins struct {
	from   Source
	q      Query
	given  Options
	column Column
	path   string // the column as the subject names it
	answer *Answer
}

// originRule explains the figures of a dataset that no formula of a column describes. It returns false for a figure
// that it leaves to the formula.
type originRule func(ctx context.Context, o *origins, row []Value, out *Origin) (bool, error)

// originRules are the rules by dataset.
var originRules map[string]originRule

func init() { // rules ask datasets, which lists of datasets hold
	originRules = map[string]originRule{
		varianceOf.Name: varianceOrigin, budgets.Name: budgetOrigin, waste.Name: findingOrigin,
		recommendations.Name: recommendationOrigin, imports.Name: importOrigin,
	}
}

// ReadOrigins explains the figure that a subject names, one origin per row and currency. It returns a *NotFoundError if
// no row has it.
func ReadOrigins(ctx context.Context, s *Subject, from Source) ([]Origin, error) {
	o := &origins{from: from, q: s.Query, given: s.Given, path: s.Column}
	var err error
	if o.column, err = s.Query.figureColumn(s.Column); err != nil {
		return nil, err
	}
	rule := originRules[s.Query.Dataset.Name]
	if o.answer, err = o.ask(ctx, o.q, o.column, rule != nil); err != nil {
		return nil, err
	}
	o.leaveOutUnknown()
	o.given.Filter = o.chosen() // of parts, a measure is another
	if len(o.answer.Rows) == 0 {
		return nil, &NotFoundError{Subject: s.Text}
	}
	if len(o.answer.Rows) > mostOrigins {
		return nil, refuse("subject", s.Text, "selects %d rows; name one by its keys, or add up with group-by",
			len(o.answer.Rows))
	}
	var out []Origin
	for _, row := range o.answer.Rows {
		of, err := o.origin(ctx, rule, row)
		if err != nil {
			return nil, err
		}
		out = append(out, of)
	}
	return out, nil
}

// chosen is the filter without conditions on measures, which chose rows of the answer.
func (o *origins) chosen() string {
	var terms []string
	if o.q.Filter != nil {
		terms = append(terms, FilterText(o.q.Filter))
	}
	for _, e := range Terms(o.q.Having) {
		if c, ok := e.(Compare); ok && c.Key == "currency" {
			terms = append(terms, FilterText(e))
		}
	}
	return Both(terms...)
}

// leaveOutUnknown leaves out rows that do not know the figure, if others do.
func (o *origins) leaveOutUnknown() {
	unknown := func(row []Value) bool { return o.cell(row, o.column.Name) == nil }
	if !slices.ContainsFunc(o.answer.Rows, func(row []Value) bool { return !unknown(row) }) {
		o.answer.Rows = o.answer.Rows[:min(1, len(o.answer.Rows))]
		return
	}
	o.answer.Rows = slices.DeleteFunc(o.answer.Rows, unknown)
}

// ask asks for a column, with the keys and attributes of its rows; whole asks for all columns.
func (o *origins) ask(ctx context.Context, q Query, c Column, whole bool) (*Answer, error) {
	if !slices.ContainsFunc(q.Columns(), func(have Column) bool { return have.Name == c.Name }) {
		d := *q.Dataset
		d.Columns = append(slices.Clone(d.Columns), c)
		q.Dataset = &d
	}
	q.Order = nil
	q.completeOrder()
	q.Order = slices.DeleteFunc(q.Order, func(by Order) bool { // by keys alone
		i := slices.IndexFunc(q.Columns(), func(have Column) bool { return have.Name == by.Column })
		return q.Columns()[i].figure() && by.Column != "currency"
	})
	q.Only = []string{c.Name, "currency", "state", "period_start"}
	if whole {
		q.Only = nil
	}
	return ReadAnswer(ctx, o.from, q)
}

// cell is a column of a row as text; nil if it is unknown or not there.
func (o *origins) cell(row []Value, name string) *string { return textOf(o.answer, row, name) }

func textOf(a *Answer, row []Value, name string) *string {
	i := slices.IndexFunc(a.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 || !row[i].Valid {
		return nil
	}
	text := row[i].String(a.Columns[i].Kind)
	return &text
}

// text is a cell, empty if unknown.
func (o *origins) text(row []Value, name string) string {
	if t := o.cell(row, name); t != nil {
		return *t
	}
	return ""
}

// amount is a cell as an amount, 0 if unknown.
func (o *origins) amount(row []Value, name string) money.Amount {
	if t := o.cell(row, name); t != nil {
		return money.MustParse(*t)
	}
	return money.Amount{}
}

// origin explains the figure of a row.
func (o *origins) origin(ctx context.Context, rule originRule, row []Value) (Origin, error) {
	out := Origin{
		Name: Label(o.column.Name), Of: strings.Join(o.selects(row), " and "), Value: o.cell(row, o.column.Name),
		Unit: o.unit(row, o.column), State: o.text(row, "state"), Sentence: o.column.Doc, Formula: o.column.Formula.String(),
		Terms: []Term{}, Parts: []Term{}, Leads: []Lead{},
	}
	if strings.Contains(o.path, ".") && o.column.Name == o.path {
		out.Name = o.column.Formula.String()
	}
	if rule != nil {
		done, err := rule(ctx, o, row, &out)
		if done || err != nil {
			out.checkParts()
			return out, err
		}
	}
	if o.column.Formula.Op == OpField || o.column.Formula.Op == OpUnknown {
		out.Formula = "as stored: " + Lower(o.column.Name)
	}
	if err := o.byFormula(ctx, row, &out); err != nil {
		return out, err
	}
	if err := o.byParts(ctx, row, &out); err != nil {
		return out, err
	}
	if o.column.Kind != Money {
		out.roundParts()
	}
	out.checkParts()
	var err error
	out.Leads, err = o.leads(ctx, row, &out)
	return out, err
}

// unit is the unit of a column's figures in a row.
func (o *origins) unit(row []Value, c Column) string {
	if currency := o.text(row, "currency"); currency != "" {
		return strings.Replace(c.Unit, "currency", currency, 1)
	}
	return c.Unit
}

// byFormula states the two sides of a ratio or difference.
func (o *origins) byFormula(ctx context.Context, row []Value, out *Origin) error {
	f := o.column.Formula
	if f.Op != OpRatio && f.Op != OpLess || o.q.Dataset.Derived != nil {
		return nil
	}
	sides := []*Term{}
	for i, side := range []Formula{*f.Num, *f.Den} {
		path := o.path + "." + []string{leftSide, rightSide}[i]
		c := o.q.sideColumn(path, side)
		value, err := o.same(ctx, row, c)
		if err != nil {
			return err
		}
		name := c.Name
		if c.Name == path {
			name = side.String()
		} else {
			path, name = c.Name, Label(c.Name)
		}
		sides = append(sides, &Term{Symbol: []string{"a", "b"}[i], Name: name, Value: value, Unit: o.unit(row, c),
			Leads: []Lead{{Text: name, Subject: o.subject(path, row)}}})
	}
	a, b := sides[0].rat(), sides[1].rat()
	switch {
	case f.Op == OpLess && a != nil:
		out.Formula = "a − b"
		if b == nil {
			b = new(big.Rat)
		}
		out.check(new(big.Rat).Sub(a, b))
	case f.Op == OpRatio:
		out.Formula = "a ÷ b"
		if a != nil && b != nil && b.Sign() != 0 {
			out.check(rounded(new(big.Rat).Quo(a, b), o.column.Kind))
		}
	}
	out.Terms = append(out.Terms, *sides[0], *sides[1])
	return nil
}

// rounded is a quotient as columns show it: to twelve decimals half away from zero; whole seconds are whole.
func rounded(r *big.Rat, k Kind) *big.Rat {
	digits := RatioDigits
	if k.Integer() {
		digits = 0
	}
	out, _ := new(big.Rat).SetString(r.FloatString(digits))
	return out
}

// same is another column of a row.
func (o *origins) same(ctx context.Context, row []Value, c Column) (*string, error) {
	a, err := o.ask(ctx, o.q, c, false)
	if err != nil {
		return nil, err
	}
	want := o.identity(o.answer, row)
	for _, other := range a.Rows {
		if maps.Equal(want, o.identity(a, other)) {
			return textOf(a, other, c.Name), nil
		}
	}
	return nil, nil
}

// identity are the cells that identify a row.
func (o *origins) identity(a *Answer, row []Value) map[string]string {
	id := map[string]string{}
	for _, name := range o.keys() {
		if t := textOf(a, row, name); t != nil {
			id[name] = *t
		}
	}
	return id
}

// keys are the columns that identify a row of the question.
func (o *origins) keys() []string {
	keys := []string{"period_start", "currency"}
	for _, k := range o.q.GroupBy {
		keys = append(keys, k.Name)
	}
	if !o.q.Dataset.Grouped && !o.q.Regrouped() {
		keys = append(keys, o.q.Dataset.RowKey...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// selects are the conditions that select a row among those of the question, without its period.
func (o *origins) selects(row []Value) (terms []string) {
	for _, name := range o.keys() {
		i := slices.IndexFunc(o.answer.Columns, func(c Column) bool { return c.Name == name })
		if name == "period_start" || i < 0 || name == "currency" && len(o.answer.Rows) == 1 {
			continue
		}
		kind, ok := o.q.Dataset.FilterKind(name)
		switch term := IsValue(name, row[i], kind); {
		case !ok && name != "currency", o.tested(name, row[i].String(kind)):
		default:
			terms = append(terms, term)
		}
	}
	return terms
}

// tested reports whether the question's filter already requires a value.
func (o *origins) tested(key, value string) bool {
	for _, e := range []Expr{o.q.Filter, o.q.Having} {
		for _, term := range Terms(e) {
			if c, ok := term.(Compare); ok && c.Key == key && c.Op == Equal && c.Values[0] == value {
				return true
			}
		}
	}
	return false
}

// subject is the subject of another column of a row.
func (o *origins) subject(column string, row []Value) string {
	return FigureSubject(o.q.Dataset.Name, column, o.narrowed(row), o.selects(row)...)
}

// narrowed are the options of the question for the period of a row.
func (o *origins) narrowed(row []Value) Options {
	opt := o.given
	span, ok := o.span(row)
	if !ok {
		return opt
	}
	opt.From, opt.To = later(opt.From, span.From.String(), o.q.Zone), earlier(opt.To, span.To.String(), o.q.Zone)
	if !o.q.Dataset.Stepped || o.q.Dataset.Totals {
		opt.Granularity = ""
	}
	return opt
}

// span is the step of time of a row; false if the question has none.
func (o *origins) span(row []Value) (period.Interval, bool) {
	i := slices.IndexFunc(o.answer.Columns, func(c Column) bool { return c.Name == "period_start" })
	loc, err := time.LoadLocation(o.q.Zone)
	if i < 0 || !row[i].Valid || err != nil || o.q.Granularity == Total {
		return period.Interval{}, false
	}
	from := row[i].Time.In(loc)
	to := from.Add(time.Hour)
	switch o.q.Granularity {
	case Day:
		to = from.AddDate(0, 0, 1)
	case Week:
		to = from.AddDate(0, 0, 7)
	case Month:
		to = from.AddDate(0, 1, 0)
	}
	return period.Interval{From: period.FromTime(from), To: period.FromTime(to)}, true
}

// later and earlier keep the bound of a window that is stricter.
func later(given, bound, zone string) string {
	if g, err := ParseTime("from", given, zone); given != "" && err == nil {
		if b, err := ParseTime("from", bound, "UTC"); err == nil && g > b {
			return given
		}
	}
	return bound
}

func earlier(given, bound, zone string) string {
	if g, err := ParseTime("to", given, zone); given != "" && err == nil {
		if b, err := ParseTime("to", bound, "UTC"); err == nil && g < b {
			return given
		}
	}
	return bound
}
