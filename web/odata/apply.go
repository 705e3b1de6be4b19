package odata

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/metrics"
)

// shape is what $apply makes of the rows: groups of keys, with measures.
type shape struct {
	keys     []string // empty: one row for all
	measures []string // empty: none
	filter   metrics.Expr
	timed    bool                // period_start is a key
	rows     metrics.Granularity // of the rows that are grouped
}

// condition is that of filter(…).
func (s *shape) condition() metrics.Expr {
	if s == nil {
		return nil
	}
	return s.filter
}

// columns are those of the answer.
func (s *shape) columns(all properties) (chosen properties) {
	names := slices.Concat(s.keys, s.measures)
	if s.timed {
		names = append([]string{periodStart}, names...)
	}
	for _, name := range names {
		for _, c := range all {
			if c.Name == name {
				chosen = append(chosen, c)
			}
		}
	}
	return chosen
}

const periodStart = "period_start"

// apply reads $apply: [filter(…)/]groupby((keys)[,aggregate(measures)]). Keys may be any group key of the dataset.
func (q *Question) apply(d *metrics.Dataset, o *metrics.Options) (*shape, error) {
	text := q.params.Get("$apply")
	if text == "" {
		return nil, nil
	}
	known, err := Columns(d)
	if err != nil {
		return nil, err
	}
	ungrouped, err := metrics.Parse(d.Name, *o)
	if err != nil {
		return nil, err
	}
	s := &shape{rows: ungrouped.Granularity}
	rest := text
	if inside, after, ok := step(rest, "filter"); ok {
		if s.filter, err = parseFilter(inside, known); err != nil {
			return nil, asRefusal("$apply", text, err)
		}
		for _, name := range metrics.FilterKeys(s.filter) {
			if _, key := d.FilterKind(name); !key && name != periodStart && name != "currency" {
				return nil, &UnsupportedError{"$apply", "a condition on " + name + " before groupby"}
			}
		}
		rest = strings.TrimPrefix(after, "/")
	}
	inside, after, ok := step(rest, "groupby")
	if !ok || after != "" {
		return nil, &UnsupportedError{"$apply", "anything but [filter(…)/]groupby((…),aggregate(…))"}
	}
	if err := s.group(inside); err != nil {
		return nil, asRefusal("$apply", text, err)
	}
	return s, s.into(d, o, text)
}

// step cuts name(inside) off the front.
func step(text, name string) (inside, after string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), name+"(")
	if !ok {
		return "", "", false
	}
	depth, quoted := 1, false
	for i := range len(rest) {
		switch c := rest[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return rest[:i], strings.TrimSpace(rest[i+1:]), true
			}
		}
	}
	return "", "", false
}

// group reads the inside of groupby.
func (s *shape) group(text string) error {
	keys, rest, ok := step(text, "")
	if !ok {
		return fmt.Errorf("groupby begins with a list of properties in parentheses")
	}
	for name := range strings.SplitSeq(keys, ",") {
		switch name = strings.TrimSpace(name); name {
		case "":
		case periodStart:
			s.timed = true
		default:
			s.keys = append(s.keys, name)
		}
	}
	if rest == "" {
		return nil
	}
	measures, after, ok := step(strings.TrimPrefix(rest, ","), "aggregate")
	if !ok || after != "" {
		return fmt.Errorf("groupby ends with aggregate(…), or after its properties")
	}
	for term := range strings.SplitSeq(measures, ",") {
		words := strings.Fields(term)
		if len(words) != 5 || words[1] != "with" || words[3] != "as" {
			return fmt.Errorf("%q must be written: property with sum as property", strings.TrimSpace(term))
		}
		if words[2] != "sum" || words[0] != words[4] {
			return &UnsupportedError{"$apply", "another method than sum, or another name than the property's"}
		}
		s.measures = append(s.measures, words[0])
	}
	return nil
}

// into asks for the groups.
func (s *shape) into(d *metrics.Dataset, o *metrics.Options, text string) error {
	o.GroupBy = strings.Join(slices.DeleteFunc(slices.Clone(s.keys), func(k string) bool { return k == "currency" }), ",")
	if o.GroupBy == "" && !d.Grouped {
		return refuse("$apply", text, "rows of %s can be grouped by a property other than currency", d.Name)
	}
	if !s.timed && d.Grouped && d.SplitsByTime() {
		o.Granularity = string(metrics.Total)
	}
	if s.timed && !d.SplitsByTime() {
		return refuse("$apply", text, "rows of %s are not split by time", d.Name)
	}
	plain, err := metrics.Parse(d.Name, *o)
	if err != nil {
		return err
	}
	columns := properties(plain.Columns())
	_, hasCurrency := columns.kind("currency")
	for _, name := range s.measures {
		i := slices.IndexFunc(columns, func(c metrics.Column) bool { return c.Name == name })
		switch {
		case i < 0:
			return unknownProperty("$apply", text, name, columns)
		case columns[i].Formula.Op != metrics.OpSum && columns[i].Formula.Op != metrics.OpSumAll:
			return &UnsupportedError{"$apply", "the sum of " + name + ", which is not a sum itself,"}
		}
	}
	if hasCurrency && !slices.Contains(s.keys, "currency") {
		return refuse("$apply", text, "group by currency as well: amounts of two currencies are never added")
	}
	if !s.timed && !d.Grouped && d.Stepped {
		return refuse("$apply", text, "group by period_start as well: %s has rows per period", d.Name)
	}
	return nil
}
