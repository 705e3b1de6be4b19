package figures

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/metrics"
)

// Check panics if a page uses an unknown dataset, column, key or condition, so that a
// misspelling is found at start.
func (f *Page) Check() {
	asks := func(what, dataset string, o metrics.Options, columns []string) {
		d, err := metrics.LookupDataset(dataset)
		if err == nil {
			_, err = metrics.Parse(dataset, o)
		}
		for _, name := range columns {
			if err == nil && !has(d, name) {
				err = fmt.Errorf("%s has no column %q", dataset, name)
			}
		}
		if err != nil {
			panic(fmt.Sprintf("page %s, %s: %v", f.Path, what, err))
		}
	}
	columns := slices.DeleteFunc(namesOf(f.Columns), func(c string) bool { return c == BasisCost })
	asks("rows", f.Dataset, metrics.Options{Filter: f.Filter, GroupBy: f.By, Order: f.Order}, columns)
	asks("filter", f.Dataset, metrics.Options{Filter: f.Rows}, namesOf(f.Facts))
	if f.Search != nil {
		for _, c := range f.Search.Columns {
			asks("search", f.Dataset, metrics.Options{Filter: c + " like 'x'"}, nil)
		}
	}
	for _, pick := range f.Picks {
		asks("pick", f.Dataset, metrics.Options{Filter: pick.Key + " is not null"}, nil)
	}
	for _, g := range f.Groupings {
		if g.Keys != RowsThemselves {
			asks("grouping "+g.Text, f.Dataset, metrics.Options{GroupBy: g.Keys}, nil)
		}
	}
	if f.Course != nil {
		keys, _, _ := strings.Cut(f.Course.Per, ",")
		asks("course", f.Dataset, metrics.Options{GroupBy: keys}, []string{f.Course.Column})
	}
	for _, m := range f.More {
		asks("panel "+m.Title, m.Dataset,
			metrics.Options{Filter: m.Filter, GroupBy: m.By, Granularity: m.Step, Order: m.Order}, namesOf(m.Columns))
	}
	for _, t := range f.Ties {
		if t.Dataset != "" {
			asks("tie", t.Dataset, metrics.Options{Filter: t.Filter}, nil)
		}
	}
	f.reads = f.heard() // panics if words read a column that no dataset has
}

// has reports whether a dataset has a column of this name, or a key that its rows can be grouped by.
func has(d *metrics.Dataset, name string) bool {
	_, column := d.Column(name)
	_, key := metrics.LookupKey(name)
	return column || key && (d.Grouped || slices.Contains(d.Offers, name)) || d.Grouped && name == "period_start"
}
