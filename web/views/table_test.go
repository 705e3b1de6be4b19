package views

import (
	"strings"
	"testing"
)

func TestRoundingNoteOnlyIfItShows(t *testing.T) {
	table := func(total string, rows ...string) Table {
		t := Table{
			Heads: []SortLink{{Text: "Team"}, {Text: "Spend", Number: true}},
			Total: []Cell{Text("All"), {Figure: Figure{Text: total, Copy: "1"}}},
		}
		for _, r := range rows {
			t.Rows = append(t.Rows, Row{Cells: []Cell{Text("x"), {Figure: Figure{Text: r}}}})
		}
		return t
	}
	for _, test := range []struct {
		table Table
		off   bool
	}{
		{table("$3,002", "$1,001", "$2,001"), false},
		{table("$3,003", "$1,001", "$2,001"), true},
		{table("$1,002", "$1,001", "$0.60"), false}, // hidden by the rounding of the total
		{table("$1,003", "$1,001", "$0.60"), true},
		{table("$0.03", "$0.01", "$0.01"), true},
		{table("−$2.00", "−$1.00", "−$1.00"), false},
		{table("EUR\u00a03.00", "EUR\u00a01.00", "EUR\u00a02.00"), false},
		{table("$5.00", "0 – $2.00", "$1.00"), false}, // ranges do not add
		{table("$5.00", "< $0.01", "$1.00"), false},
		{table("$2.00", "n/a", "$2.00"), false},
		{table("$9.00", "$1.00"), false}, // a single row
	} {
		if got := test.table.rounding() != ""; got != test.off {
			t.Errorf("%s of %v: note %v, want %v", test.table.Total[1].Figure.Text, test.table.Rows, got, test.off)
		}
	}
	if note := table("$3,003", "$1,001", "$2,001").rounding(); !strings.HasPrefix(note, "Spend: ") {
		t.Errorf("the note names no column: %s", note)
	}
}
