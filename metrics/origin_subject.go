package metrics

import (
	"net/url"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// Sides of a formula, as they follow the name of a column in a subject.
const (
	leftSide  = "left"  // the dividend of a ratio, the first of a difference
	rightSide = "right" // the divisor, the amount that is taken away
)

// FigureSubject is the subject of a dataset's figure: DATASET.COLUMN with the options that select its row. Terms are
// added to the filter.
func FigureSubject(dataset, column string, o Options, terms ...string) string {
	o.Order, o.Limit = "", ""
	o.Filter = Both(append([]string{o.Filter}, terms...)...)
	if dataset == costs.Name && slices.Contains(ledger.Metrics, ledger.Metric(column)) {
		o.Filter = costFilter(dataset, o.Filter)
		o.Currency, o.CurrencyMissing, o.Basis = "", "", "" // an explanation of costs has all of them
		return subjectOf(costs.Name, o)
	}
	return subjectOf(dataset+"."+column, o)
}

func subjectOf(of string, o Options) string {
	v := url.Values{}
	for _, opt := range OptionList {
		if text := *opt.Get(&o); text != "" {
			v.Set(opt.Name, text)
		}
	}
	return strings.TrimSuffix(of+"?"+v.Encode(), "?")
}

// Both joins filters that are not empty.
func Both(filters ...string) string {
	filters = slices.DeleteFunc(slices.Clone(filters), func(f string) bool { return f == "" })
	if len(filters) < 2 {
		return strings.Join(filters, "")
	}
	for i, f := range filters {
		if strings.Contains(f, " or ") {
			filters[i] = "(" + f + ")"
		}
	}
	return strings.Join(filters, " and ")
}

// IsValue is the condition that a key has a value; NULL is no value.
func IsValue(key string, v Value, kind Kind) string {
	if !v.Valid || v.String(kind) == "" {
		return key + " is null"
	}
	return key + " = '" + strings.ReplaceAll(v.String(kind), "'", "''") + "'"
}

// TakesOptions reports whether options of a report may follow a subject after a question mark.
func TakesOptions(subject string) bool {
	of, _, _ := strings.Cut(subject, "?")
	_, _, figure := cutFigure(of)
	return figure || of == "costs" || of == "spot" || strings.HasPrefix(of, "owner/") || strings.HasPrefix(of, "spot/")
}

// cutFigure splits DATASET.COLUMN.
func cutFigure(of string) (d *Dataset, column string, ok bool) {
	name, column, ok := strings.Cut(of, ".")
	if !ok {
		return nil, "", false
	}
	d, err := LookupDataset(name)
	return d, column, err == nil
}

// figure reads DATASET.COLUMN?options.
func (s *Subject) figure(d *Dataset, column, query string) error {
	if d.Name == costs.Name && slices.Contains(ledger.Metrics, ledger.Metric(column)) {
		return s.report(costs.Name, query)
	}
	o, err := s.options(query)
	if err != nil {
		return err
	}
	s.Kind, s.Given, s.Column = "figure", o, column
	if s.Query, err = Parse(d.Name, o); err != nil {
		return err
	}
	_, err = s.Query.figureColumn(column)
	return err
}

// figureColumn is the column of a figure: a column of the answer, or a side of its formula such as
// cost_per_1k_tokens.left.
func (q Query) figureColumn(path string) (Column, error) {
	name, sides, _ := strings.Cut(path, ".")
	all := q.Columns()
	i := slices.IndexFunc(all, func(c Column) bool { return c.Name == name })
	if i < 0 || !all[i].Kind.Decimal() && !all[i].Kind.Integer() {
		return Column{}, refuse("subject", q.Dataset.Name+"."+path, "%q is not a figure of %s; its figures are %s",
			clip(name), q.Dataset.Name, strings.Join(q.figureNames(), ", "))
	}
	c := all[i]
	if sides == "" {
		return c, nil
	}
	f := c.Formula
	for side := range strings.SplitSeq(sides, ".") {
		switch {
		case f.Op != OpRatio && f.Op != OpLess || side != leftSide && side != rightSide:
			return Column{}, refuse("subject", q.Dataset.Name+"."+path, "%s has no side %q: it is %s", name, clip(side), f)
		case side == leftSide:
			f = *f.Num
		default:
			f = *f.Den
		}
	}
	return q.sideColumn(path, f), nil
}

// sideColumn is the column of a part of a formula; one of the dataset's own if it has the same formula.
func (q Query) sideColumn(path string, f Formula) Column {
	for _, c := range q.Columns() {
		if c.Formula.String() == f.String() && c.Formula.Op != OpField {
			return c
		}
	}
	c := Column{Name: path, Kind: Quantity, Formula: f, Doc: f.String() + "."}
	switch {
	case f.Op == OpCount:
		c.Kind = Count
	case f.Field == Basis || strings.HasSuffix(f.Field, "_cost") || strings.HasSuffix(f.Field, "_cost_once"):
		c.Kind, c.Unit = Money, "currency"
	}
	return c
}

func (q Query) figureNames() (list []string) {
	for _, c := range q.Columns() {
		if c.Kind.Decimal() || c.Kind.Integer() {
			list = append(list, c.Name)
		}
	}
	return list
}
