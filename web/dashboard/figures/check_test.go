package figures

import (
	"fmt"
	"strings"
	"testing"
)

func TestAMisspeltPageStopsTheProgram(t *testing.T) {
	for want, f := range map[string]Page{
		"":                {Dataset: "spot", Columns: []Column{{Name: "effective_cost"}}, By: "team", Order: "-effective_cost"},
		"dataset":         {Dataset: "spots"},
		"efective_cost":   {Dataset: "spot", Columns: []Column{{Name: "efective_cost"}}},
		"teem":            {Dataset: "spot", Groupings: []Grouping{{"Teams", "teem"}}},
		"grouping Teams":  {Dataset: "spot", Groupings: []Grouping{{"Teams", "teem"}}},
		"lost_costs":      {Dataset: "spot", Columns: []Column{{Name: "lost_cost", Least: "lost_costs"}}},
		"-efective":       {Dataset: "spot", Order: "-efective"},
		"pricin":          {Dataset: "spot", Filter: "pricin = spot"},
		"panel Machines":  {Dataset: "spot", More: []Panel{{Title: "Machines", Dataset: "devices", By: "nodes"}}},
		"no column \"x\"": {Dataset: "spot", Course: &Course{Column: "x"}},
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
			t.Errorf("page that should say %q says %q", want, said)
		}
	}
}
