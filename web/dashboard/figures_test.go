package dashboard

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
)

// TestPagesShowWhatIsDefined keeps the pages of figures and the definitions
// together: a column that is renamed is missed here, not by a reader.
func TestPagesShowWhatIsDefined(t *testing.T) {
	shown := func(where, dataset string, columns []figures.Column) {
		d, err := metrics.LookupDataset(dataset)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			return
		}
		for _, c := range columns {
			for _, name := range []string{c.Name, c.Sub} {
				if _, ok := d.Column(name); name != "" && !ok {
					t.Errorf("%s: %s has no column %s", where, dataset, name)
				}
			}
		}
	}
	asked := func(where, dataset string, o metrics.Options) {
		if _, err := metrics.Parse(dataset, o); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
	for _, f := range figuresPages() {
		shown(f.Path, f.Dataset, f.Columns)
		shown(f.Path, f.Dataset, f.Facts)
		for _, g := range f.Groupings {
			keys := g.Keys
			if keys == figures.RowsThemselves {
				keys = ""
			}
			asked(f.Path+" by "+g.Text, f.Dataset, metrics.Options{GroupBy: keys, Filter: page.Both(f.Filter, f.Rows)})
		}
		asked(f.Path, f.Dataset, metrics.Options{GroupBy: f.By, Order: f.Order, Filter: page.Both(f.Filter, f.Rows)})
		if f.Course != nil {
			shown(f.Path, f.Dataset, []figures.Column{{Name: f.Course.Column}})
			asked(f.Path, f.Dataset, metrics.Options{GroupBy: cmpKey(f), Granularity: string(metrics.Day)})
		}
		for i := range f.More {
			m := &f.More[i]
			shown(f.Path+", "+m.Title, m.Dataset, m.Columns)
			asked(f.Path+", "+m.Title, m.Dataset, metrics.Options{GroupBy: m.By, Granularity: m.Step, Filter: m.Filter, Order: m.Order})
		}
	}
}

func cmpKey(f *figures.Page) string {
	if f.Course.Per != "" {
		return f.Course.Per
	}
	return f.By
}
