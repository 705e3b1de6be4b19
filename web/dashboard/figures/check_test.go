package figures

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/web/dashboard/page"
)

func TestAMisspeltPagePanics(t *testing.T) {
	for want, f := range map[string]Page{
		"": {
			Dataset: "spot", Columns: []Column{{Name: "effective_cost"}}, By: "team", Order: "-effective_cost",
		},
		"dataset":         {Dataset: "spots"},
		"efective_cost":   {Dataset: "spot", Columns: []Column{{Name: "efective_cost"}}},
		"teem":            {Dataset: "spot", Groupings: []Grouping{{"Teams", "teem"}}},
		"grouping Teams":  {Dataset: "spot", Groupings: []Grouping{{"Teams", "teem"}}},
		"lost_costs":      {Dataset: "spot", Columns: []Column{{Name: "lost_cost", Least: "lost_costs"}}},
		"-efective":       {Dataset: "spot", Order: "-efective"},
		"pricin":          {Dataset: "spot", Filter: "pricin = spot"},
		"panel Machines":  {Dataset: "spot", More: []Panel{{Title: "Machines", Dataset: "devices", By: "nodes"}}},
		"no column \"x\"": {Dataset: "spot", Course: &Course{Column: "x"}},
		"net_saving":      {Dataset: "spot", Say: says("net_saving")},
		"tie":             {Dataset: "spot", Ties: []Tie{{Dataset: "waste", Filter: "kinds = x"}}},
	} {
		f.Path = "/x"
		said := func() (said string) {
			defer func() {
				if p := recover(); p != nil {
					said = fmt.Sprint(p)
				}
			}()
			f.Check()
			return ""
		}()
		if (said == "") != (want == "") || !strings.Contains(said, want) {
			t.Errorf("want a panic with %q, got %q", want, said)
		}
	}
}

// says returns a sentence that reads columns of the first row.
func says(columns ...string) func(*page.Context, *Reading) (string, string) {
	return func(_ *page.Context, r *Reading) (string, string) {
		for _, c := range columns {
			r.Rows[0].Text(c)
		}
		return "", ""
	}
}

// TestColumnsReadByWordsAreQueried covers columns that a sentence reads only if another cell is unknown, zero, negative
// or has a listed value.
func TestColumnsReadByWordsAreQueried(t *testing.T) {
	read := map[string]bool{}
	f := Page{Dataset: "runs", Say: func(p *page.Context, r *Reading) (string, string) {
		row := r.Rows[0]
		cost := row.Amount("effective_cost")
		switch {
		case cost == nil:
			row.Text("quality")
		case cost.Sign() == 0:
			row.Count("attempts")
		case cost.Sign() < 0:
			row.Text("team")
		case row.Text("status") == "running":
			row.Text("lost_cost")
		}
		return "", ""
	}}
	for _, name := range f.heard() {
		read[name] = true
	}
	want := map[string]bool{
		"effective_cost": true, "quality": true, "attempts": true, "team": true, "status": true, "lost_cost": true,
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Error(diff)
	}
}
