package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/nearest"
)

// resolve checks a filter against the query and splits it: conditions on keys apply to base rows, conditions on
// measures to rows of the answer. Terms joined by "and" are separated; a term that names both applies to the answer,
// which must show the keys.
func (q *Query) resolve(e Expr) error {
	shown := q.Columns()
	for _, term := range Terms(e) {
		measure := ""
		for _, c := range tests(term) {
			if _, key := q.Dataset.FilterKind(c.Key); !key {
				measure = c.Key
			}
		}
		kind := q.Dataset.FilterKind
		if measure != "" {
			kind = q.answerKind(shown)
		}
		checked, err := q.checked(term, measure, kind)
		if err != nil {
			return err
		}
		if measure == "" {
			q.Filter = join(q.Filter, checked)
		} else {
			q.Having = join(q.Having, checked)
		}
	}
	return nil
}

func join(a, b Expr) Expr {
	if a == nil {
		return b
	}
	return And{a, b}
}

// Narrowed limits the query to the base rows that also meet a condition of another query of the same dataset; nil: all
// rows.
func (q Query) Narrowed(by Expr) Query {
	if by != nil {
		q.Filter = join(q.Filter, by)
	}
	return q
}

// Terms are the parts joined by "and" at the top of a filter; empty for nil.
func Terms(e Expr) []Expr {
	switch e := e.(type) {
	case nil:
		return nil
	case And:
		return append(Terms(e.Left), Terms(e.Right)...)
	}
	return []Expr{e}
}

// answerKind finds columns of the answer.
func (q *Query) answerKind(shown []Column) func(name string) (Kind, bool) {
	return func(name string) (Kind, bool) {
		if real, ok := q.Dataset.Aliases[name]; ok {
			name = real
		}
		i := slices.IndexFunc(shown, func(c Column) bool { return c.Name == name })
		if i < 0 {
			return "", false
		}
		return shown[i].Kind, true
	}
}

// checked is the filter with the kinds of its keys, and values written as those kinds.
func (q *Query) checked(e Expr, measure string, kind func(name string) (Kind, bool)) (Expr, error) {
	switch e := e.(type) {
	case And:
		left, err := q.checked(e.Left, measure, kind)
		if err != nil {
			return nil, err
		}
		right, err := q.checked(e.Right, measure, kind)
		return And{left, right}, err
	case Or:
		left, err := q.checked(e.Left, measure, kind)
		if err != nil {
			return nil, err
		}
		right, err := q.checked(e.Right, measure, kind)
		return Or{left, right}, err
	case Not:
		of, err := q.checked(e.Of, measure, kind)
		return Not{of}, err
	case Compare:
		known := false
		if e.Kind, known = kind(e.Key); !known {
			return nil, q.unknown(e.Key, measure)
		}
		return q.checkedCompare(e)
	}
	return nil, fmt.Errorf("unknown expression %T", e)
}

// unknown refuses a name.
func (q *Query) unknown(name, measure string) error {
	d := q.Dataset
	if _, key := d.FilterKind(name); key {
		return fmt.Errorf("one condition names %s, which holds for rows of the answer, and %s, which the answer does not "+
			"show: group by %s, or join the two by and", clip(measure), clip(name), clip(name))
	}
	if _, column := d.Column(name); column {
		return fmt.Errorf("%s is not a column of this answer, so it cannot be tested; the answer has %s", clip(name),
			strings.Join(names(q.Columns(), func(c Column) string { return c.Name }), ", "))
	}
	all := append(d.filterKeys(), names(q.Columns(), func(c Column) string { return c.Name })...)
	near := nearest.Name(name, all)
	return &misnamed{fmt.Sprintf("%q is not a filter key of %s%s; known are %s, and all columns that the answer shows",
		clip(name), d.Name, nearest.Meant(near), d.filterNames()), near}
}

// FilterKind is the kind of the values of a filter key of the dataset.
func (d *Dataset) FilterKind(name string) (Kind, bool) {
	if d.Grouped {
		_, ok := LookupKey(name)
		return Text, ok
	}
	if _, ok := d.offers(name); ok {
		return Text, true
	}
	c, ok := d.Column(name)
	return c.Kind, ok && c.Filter
}

func (q *Query) checkedCompare(c Compare) (Expr, error) {
	switch {
	case c.Kind != Text && c.Op == Like:
		return nil, fmt.Errorf("like works on texts, %s is a %s", c.Key, c.Kind)
	case c.Op.ordered() && (c.Kind == ID || c.Kind == Bool):
		return nil, fmt.Errorf("%s has no order; %s takes =, != and in", c.Kind, c.Key)
	case c.Op.ordered() && c.Values[0] == "":
		return nil, fmt.Errorf("%s %s needs a value", c.Key, c.Op)
	}
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		if v == "" {
			continue
		}
		written, err := q.written(c.Kind, v)
		if err != nil {
			return nil, fmt.Errorf("%s %w", c.Key, err)
		}
		values[i] = written
	}
	c.Values = values
	return c, nil
}

// written returns a value as its kind is written.
func (q *Query) written(k Kind, v string) (string, error) {
	switch {
	case k == ID:
		id, err := ledger.ParseID(v)
		if err != nil {
			return "", fmt.Errorf("%q: %w", clip(v), err)
		}
		return id.String(), nil
	case k == Bool:
		if v != "true" && v != "false" {
			return "", fmt.Errorf("is true or false, not %q", clip(v))
		}
	case k == Time:
		at, err := ParseTime("filter", v, q.Zone)
		if err != nil {
			return "", fmt.Errorf("is a time such as 2026-11-01 or 2026-11-01T05:00, not %q", clip(v))
		}
		if exact, err := time.Parse(time.RFC3339Nano, v); err == nil { // imports end within a second
			return exact.UTC().Format(time.RFC3339Nano), nil
		}
		return at.String(), nil
	case k == Duration:
		if d, err := time.ParseDuration(v); err == nil && d%time.Second == 0 {
			return strconv.FormatInt(int64(d/time.Second), 10), nil
		}
		fallthrough
	case k == Count:
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return "", fmt.Errorf("is a whole number, not %q", clip(v))
		}
		return strconv.FormatInt(n, 10), nil
	case k.Decimal():
		a, err := money.Parse(v)
		if err != nil {
			return "", fmt.Errorf("is a decimal number such as 12.50, not %q", clip(v))
		}
		return a.String(), nil
	}
	return v, nil
}
