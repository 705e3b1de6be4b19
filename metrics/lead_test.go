package metrics

import (
	"slices"
	"strings"
	"testing"
)

// Each dataset says which of its columns a narrow table shows first, and names only columns that it has.
func TestEachDatasetHasALead(t *testing.T) {
	for _, d := range Datasets {
		if len(d.Lead) < 3 {
			t.Errorf("%s: the lead is %q", d.Name, d.Lead)
		}
		for i, name := range d.Lead {
			_, column := d.Column(name)
			if !column && (name != Basis || !d.HasMoney()) || slices.Contains(d.Lead[:i], name) {
				t.Errorf("%s: %s is no column of it, or named twice", d.Name, name)
			}
		}
		if _, has := d.Column("currency"); has && slices.Contains(d.Lead, Basis) && !slices.Contains(d.Lead, "currency") {
			t.Errorf("%s: money without its currency", d.Name)
		}
	}
}

func TestLeadingColumnsFollowTheQuestion(t *testing.T) {
	for _, c := range []struct {
		dataset string
		options Options
		want    string // its beginning
	}{
		{"costs", Options{GroupBy: "team,cause"}, "team cause effective_cost currency"},
		{"costs", Options{GroupBy: "team", Granularity: "day"}, "period_start team effective_cost currency"},
		{"costs", Options{GroupBy: "team", Basis: "billed"}, "team billed_cost currency"},
		{"costs", Options{GroupBy: "team", Order: "-energy_kwh"}, "team energy_kwh effective_cost"},
		{"runs", Options{}, "name team status effective_cost currency gpu_hours"},
		{"runs", Options{GroupBy: "model"}, "model effective_cost currency runs completed_runs"},
		{"runs", Options{Order: "-started_at"}, "started_at name team"},
	} {
		q, err := Parse(c.dataset, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(q.Leading(), " "); !strings.HasPrefix(got+" ", c.want+" ") {
			t.Errorf("%s %+v: %s", c.dataset, c.options, got)
		}
	}
}
