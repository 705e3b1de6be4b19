package metrics

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// partKeys are the keys by which figures are taken apart, the first with several values first.
var partKeys = []string{
	"kind", "team", "project", "model", "service", "cause", "gpu_model", "pricing", "instance_type", "cluster", "node", "run",
}

// adds reports whether figures of a column are sums over rows.
func (c Column) adds() bool { return c.Formula.Op == OpSum || c.Formula.Op == OpSumAll }

// byParts takes a sum apart by the first key that has several values, else by day. If there is one part at each step, it
// goes on to the dataset's own rows, or to the key by which costs are found.
func (o *origins) byParts(ctx context.Context, row []Value, out *Origin) error {
	if !o.column.adds() || o.q.Dataset.Derived != nil || out.Value == nil {
		return nil
	}
	opt := o.narrowed(row)
	opt.Filter = Both(append([]string{opt.Filter}, o.selects(row)...)...)
	var alone []Term
	aloneBy, rank := "", 0
	for _, by := range o.cuts() {
		next := opt
		next.GroupBy, next.Granularity = by.keys, by.step
		parts, err := o.cut(ctx, next, o.text(row, "currency"))
		if err != nil {
			return err
		}
		if len(parts) > 1 {
			out.Parts, out.PartsBy = parts, by.name
			return nil
		}
		if len(parts) == 1 && by.rank >= rank && by.rank > 0 {
			alone, aloneBy, rank = parts, by.name, by.rank
		}
	}
	out.Parts, out.PartsBy = alone, aloneBy
	if alone == nil {
		out.Parts = []Term{}
	}
	return nil
}

// partsBy is a way to take a figure apart.
type partsBy struct {
	name, keys, step string
	rank             int // how near to bill lines a single part is; 0: not nearer
}

// cuts are the ways to take the question's figures apart.
func (o *origins) cuts() (list []partsBy) {
	d := o.q.Dataset
	grouped := ""
	for i, k := range o.q.GroupBy {
		if i > 0 {
			grouped += ","
		}
		grouped += k.Name
	}
	has := func(key string) bool {
		return slices.ContainsFunc(o.q.GroupBy, func(k Key) bool { return k.Name == key }) ||
			slices.Contains(FilterKeys(o.q.Filter), key)
	}
	if d.Grouped || o.q.Regrouped() {
		for _, key := range partKeys {
			if _, ok := d.groupKey(key); ok && !has(key) {
				rank := 1
				if slices.Contains(costsKnow[d.Name], key) {
					rank = 2
				}
				list = append(list, partsBy{Lower(key), key, "", rank})
			}
		}
	}
	if d.SplitsByTime() && o.q.Granularity != Hour {
		step := Day
		if o.q.Granularity == Day {
			step = Hour
		}
		list = append(list, partsBy{string(step), grouped, string(step), 0})
	}
	if !d.Grouped && o.q.Regrouped() && !d.Stepped {
		own := o.q
		own.GroupBy = nil
		if c, err := own.figureColumn(o.path); err == nil && (c.Formula.String() == o.column.Formula.String() ||
			o.column.Formula.Op == OpSum && c.Formula.Op == OpField && c.Formula.Field == o.column.Formula.Field) {
			list = append(list, partsBy{"row", "", "", 3})
		}
	}
	return list
}

// cut asks for the parts of a figure in a currency.
func (o *origins) cut(ctx context.Context, opt Options, currency string) ([]Term, error) {
	q, err := Parse(o.q.Dataset.Name, opt)
	if err != nil {
		return nil, nil //nolint:nilerr // the dataset does not combine this key with the filter
	}
	part := &origins{from: o.from, q: q, given: opt, column: o.column, path: o.path}
	if part.answer, err = part.ask(ctx, q, o.column, false); err != nil {
		return nil, err
	}
	var parts []Term
	rest, others := new(big.Rat), 0
	for _, row := range part.answer.Rows {
		if part.text(row, "currency") != currency {
			continue
		}
		value := part.cell(row, o.column.Name)
		r := ratOf(value)
		if r == nil { // it adds nothing
			continue
		}
		if len(parts) >= mostOriginParts {
			rest.Add(rest, r)
			others++
			continue
		}
		parts = append(parts, Term{Name: part.name(row), Value: value, Unit: part.unit(row, o.column),
			Leads: []Lead{{Text: part.name(row), Subject: part.subject(o.path, row)}}})
	}
	if others > 0 {
		digits, _ := rest.FloatPrec()
		text := rest.FloatString(digits)
		parts = append(parts, Term{Name: fmt.Sprintf("%d others", others), Value: &text, Unit: o.column.Unit})
	}
	return parts, nil
}

// name names a row among others.
func (o *origins) name(row []Value) string {
	name := ""
	for _, key := range o.keys() {
		i := slices.IndexFunc(o.answer.Columns, func(c Column) bool { return c.Name == key })
		if i < 0 || key == "currency" || key == "period_start" && o.q.Granularity == Total {
			continue
		}
		text := row[i].String(o.answer.Columns[i].Kind)
		if text == "" {
			text = "no " + Lower(key)
		}
		name += prefixed(map[bool]string{true: ", "}[name != ""], text)
	}
	return name
}
