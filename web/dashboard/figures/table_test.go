package figures

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Columns that say nothing are hidden and named; the last column, and two rows, are no wall.
func TestColumnsThatSayNothingAreNamed(t *testing.T) {
	columns := []Column{
		{Name: "team", Text: "Team"}, {Name: "shared", Text: "Shared"}, {Name: "queue", Text: "Queue"},
		{Name: "final", Text: "Final"}, {Name: "one", Text: "One"}, {Name: "cost", Text: "Cost"},
	}
	defined := map[string]metrics.Column{"final": {Kind: metrics.Bool}}
	row := func(one string) page.Record {
		known := func(text string) metrics.Value { return metrics.Value{Valid: true, Text: text} }
		return page.Record{
			At: map[string]int{"team": 0, "shared": 1, "queue": 2, "final": 3, "one": 4, "cost": 5},
			Values: []metrics.Value{
				known("vision"), known("0"), metrics.Null, {Valid: true}, known(one), known("0"),
			},
		}
	}
	for _, test := range []struct {
		rows []page.Record
		want []string
	}{
		{[]page.Record{row("0"), row("0"), row("2")},
			[]string{"Columns without data are hidden: Queue.", "Columns with only zeros are hidden: Shared."}},
		{[]page.Record{row("0"), row("0"), row("0")},
			[]string{"Columns without data are hidden: Queue.", "Columns with only zeros are hidden: Shared, One."}},
		{[]page.Record{row("0"), row("0")}, []string{"Columns without data are hidden: Queue."}},
	} {
		if diff := cmp.Diff(test.want, leftOutColumns(columns, test.rows, nil, defined)); diff != "" {
			t.Error(diff)
		}
	}
}

// Rows that a panel leaves out are counted.
func TestRowsLeftOutAreCounted(t *testing.T) {
	m := Panel{Leave: Leave{Column: "interruptions", One: "quiet hour", Many: "quiet hours"}}
	row := func(v metrics.Value) page.Record {
		return page.Record{At: map[string]int{"interruptions": 0}, Values: []metrics.Value{v}}
	}
	rows := []page.Record{row(metrics.Value{Valid: true, Int: 2}), row(metrics.Null), row(metrics.Value{Valid: true})}
	shown, note := m.shownRows(rows)
	if len(shown) != 1 || shown[0].Count("interruptions") != 2 || note[0] != "Not shown: 2 quiet hours." {
		t.Errorf("%v, %v", shown, note)
	}
	if _, note := m.shownRows(rows[:2]); note[0] != "Not shown: 1 quiet hour." {
		t.Error(note)
	}
}

// A cell that has no such figure by its nature is empty and says why; an unknown figure is n/a.
func TestABlankCellSaysWhy(t *testing.T) {
	columns := []Column{{Name: "idle_cost", Text: "Idle cost", Blank: func(r page.Record) string {
		return map[bool]string{true: "a risk"}[r.Value("effective_cost").Valid]
	}}}
	defined := map[string]metrics.Column{"idle_cost": {Kind: metrics.Money, Name: "idle_cost"}}
	for _, c := range []struct {
		idle, cost  metrics.Value
		text, title string
	}{
		{metrics.Null, metrics.Value{Valid: true, Text: "5"}, "", "a risk"},
		{metrics.Null, metrics.Null, "n/a", ""},
		{metrics.Value{Valid: true, Text: "5"}, metrics.Value{Valid: true, Text: "5"}, "5.00", ""},
	} {
		row := page.Record{At: map[string]int{"idle_cost": 0, "effective_cost": 1}, Values: []metrics.Value{c.idle, c.cost}}
		got := figureCells(&page.Context{}, rowsOf{}, row, columns, defined)[0].Figure
		if got.Text != c.text || c.title != "" && got.Title != c.title {
			t.Errorf("%v of %v is %+v", c.idle, c.cost, got)
		}
	}
}
