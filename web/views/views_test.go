package views

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files")

func golden(t *testing.T, name string, c templ.Component) {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), "><", ">\n<") + "\n"
	path := filepath.Join("testdata", name+".html")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run with -update", err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s changed (-want +got); if that is meant, run with -update\n%s", path, d)
	}
}

var strip = Strip{Label: "Used 60.0 ¢, Lost 40.0 ¢", Size: "head", Segments: []Segment{
	{Cause: "used", Label: "Used", Amount: "$60.00", Cents: "60.0 ¢", Grow: "g600", Named: true},
	{Cause: "lost", Label: "Lost", Amount: "$10.00 – $40.00", Cents: "40.0 ¢", Grow: "g100", Named: true, Fits: "from-lg"},
	{Cause: "lost", Label: "Lost", Amount: "$10.00 – $40.00", Cents: "40.0 ¢", Grow: "g300", Bound: true},
}}

func TestPartsGolden(t *testing.T) {
	golden(t, "strip", StripOf(strip))
	golden(t, "legend", legend(strip))
	golden(t, "cents", cents(strip))
	golden(t, "tag", TagOf(Tag{Text: "assumed", Tone: "warn", Title: "no checkpoint"}))
	for rule, name := range map[string]string{
		"final": "headline_final", "provisional": "headline_provisional", "": "headline_open",
	} {
		golden(t, name, headline(Headline{Name: "Cost of the run", Rule: rule, Effective: "50482.54",
			Figure: Figure{Text: "$50,483", Title: "$50,482.54 · effective cost", Copy: "50482.54"}}, "mid"))
	}
	golden(t, "facts", facts([]Fact{
		{
			Name: "Lost work", Define: "figure.lost_span", Value: Figure{Text: "n/a", Title: "no bill"},
			Note: "3.3 %", Tag: &Tag{Text: "assumed", Tone: "warn"},
		},
	}))
	golden(t, "panel_error", failed("Where each dollar went", PanelError{
		Tag: "timed out", What: "The flow took longer than 5 s.",
		Holds: "The other panels are not affected.", Retry: "/", Ref: "7c1e-40b2",
	}))
	golden(t, "first_run", firstRun(FirstRun{Done: "1 of 2 done", Steps: []FirstStep{
		{Number: "1", Name: "Bill", Source: "aws-cur", Detail: "412,880 rows", Done: true},
		{Number: "2", Name: "Telemetry", Detail: "Nothing received yet", Command: "gpuledger import openmetrics m.txt"}}}))
	golden(t, "attention_none", attention(Attention{None: "Nothing stands out."}))
}

func TestTableGolden(t *testing.T) {
	heads := Heads("Run", "By cause: figure.by_cause wide-only", "#Cost: costs.effective_cost")
	heads[0].Href, heads[2].Href, heads[2].Sort = "/runs?order=name", "/runs?order=cost", "descending"
	golden(t, "table", Grid(Table{Caption: "Runs", Dense: true,
		Heads: heads,
		Rows: []Row{
			{
				Cells: []Cell{
					{Figure: Figure{Text: "<b>train</b>"}, Href: "/runs/a/b", Sub: "team & co"}, {Strip: &strip},
					{Figure: Figure{Text: "$0.00", Title: "exactly zero", Copy: "0", Zero: true}},
				},
			},
			{Others: true, Cells: []Cell{Text("3 others"), {}, Text("$1.00")}},
		},
		Total: []Cell{Text("All runs"), {}, {Figure: Figure{Text: "$1.00", Title: "$1.001", Copy: "1.001"}}},
	}))
}

func TestGroupedTableGolden(t *testing.T) {
	golden(t, "table_groups", Grid(Table{Caption: "Bills",
		Heads: Heads("Cost: costs.effective_cost", "#Difference: figure.difference"),
		Rows: []Row{
			{Heading: &Heading{Text: "AWS", Note: "111, <b>November</b>", Link: &Link{Text: "Lines", Href: "/charges"}}},
			{
				Cells: []Cell{
					Text("Billed"), {
						Tag: &Tag{Text: "USD 14.80", Tone: "warn", Title: "bill − posted"}, Href: "/reconciliation?by=account",
					},
				},
			},
			{
				Cells: []Cell{
					{Figure: Figure{Text: "a.parquet:7", Title: "data/a.parquet:7"}, Mono: true, Href: "/charges?charge=1"},
					Text("0.00"),
				},
			},
		},
		Totals: [][]Cell{{Text("All, USD"), Text("USD 1.00")}, {Text("All, EUR"), Text("EUR 2.00")}},
	}))
}

func TestRunningGolden(t *testing.T) {
	golden(t, "running", RunningPanel(Running{Poll: "/data/running?newest=1", Trigger: "every 2s", Again: "/data",
		Imports: []RunningImport{
			{
				Name: "AWS", Place: "s3://<bucket>", Href: "/data/1", Phase: "reading", Done: "5", Whole: "10",
				Label: "AWS, reading: 5 B of 10 B", Facts: []Fact{{Name: "Rows", Value: Figure{Text: "7"}, Note: "so far"}},
			},
			{Name: "GCP", Phase: "starting"},
			{Name: "Azure", Phase: "reading", Stale: &Tag{Text: "silent for 6 min", Tone: "warn"}},
		}}))
}

func TestBarGolden(t *testing.T) {
	golden(t, "bar", filterBar(Shell{Bar: Bar{AsOf: "Data to 19 Nov 14:00 UTC", Tone: "good",
		Tags:  []Tag{{Text: "6.3 % provisional", Tone: "warn"}},
		Chips: []Chip{{Label: "team is", Value: "Speech", Remove: "/"}},
		Menus: []Menu{{Label: "Period", Value: "1 – 19 Nov 2026",
			Items: []MenuItem{
				{Text: "November 2026", Note: "1 – 30 Nov", Href: "/?from=2026-11-01", Current: true}, {Text: "Earlier"},
			},
			Form: &PeriodForm{Action: "/", From: "2026-11-01", Hidden: [][2]string{{"team", `"Speech"`}}}}}}}))
}
