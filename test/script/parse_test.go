package script

import (
	"os"
	"strings"
	"testing"
)

// A small case from which every test of errors starts; its changed line is appended.
const head = "title t\nrule 1\nwhy w\n\n"

func TestErrorsNameLineAndColumn(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"why w\n", "x.case:1: a case begins with the line: title …"},
		{"title t\n", "x.case:1: after the title, write the reason in a sentence or two: why …"},
		{head, "x.case:4: nothing is expected"},
		{head + "gpu n1 count 1\ntitle again\n", "x.case:6:1: title is given twice"},
		{head + "  gpu n1 count 1\n", "x.case:5:3: a statement begins in the first column"},
		{head + "gpus n1 count 1\n", `x.case:5:1: "gpus" is not a statement: known are day, gpu, mig`},
		{head + "gpu n1 label \"a=b c\n", "x.case:5:14: the quotation mark is not closed"},
		{head + "expect costs\n\n", "x.case:5:1: a table follows expect"},
		{head + "expect costs\nteam | cause\na\n", "x.case:7:1: 1 cells where the table has 2 columns"},
	} {
		if _, err := Parse("x.case", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	const fleet = "gpu n1 count 2\n"
	for _, c := range []struct{ line, want string }{
		{"gpu n1 count 1", "x.case:6:5: the machine n1 exists already"},
		{"gpu n2 count 1 colour red", `x.case:6:16: gpu has no key "colour": known are count, model`},
		{"gpu n2 count", "x.case:6:8: count needs a value"},
		{"gpu n2", "x.case:6:1: gpu needs count"},
		{"gpu n2 count 4 type p4d.24xlarge", "x.case:6:14: count: a p4d.24xlarge has 8 GPUs in the catalogue"},
		{"gpu n2 count 1 from 25:61", `x.case:6:21: from: "25:61" is not a time`},
		{"gpu n2 count 1 from 10:00 to 09:00", "x.case:6:1: from 10:00 to 09:00 is not a period"},
		{"hold a on n3", `x.case:6:11: on: no gpu statement names the machine "n3"`},
		{"hold a on n1 gpus 0-2", `x.case:6:19: gpus: "0-2" is not a list of numbers from 0 to 1`},
		{"hold a on n1 gpu 0 outcome dead", `x.case:6:28: outcome: "dead" is unknown`},
		{"hold a on n1 gpu 0 share half", `x.case:6:26: share: "half" is not a share such as 22%`},
		{"charge usage on n1 from 09:00 to 10:00", "x.case:6:1: charge needs cost"},
		{"charge usage on n1 from 09:00 to 10:00 cost 1,5", `x.case:6:45: cost: "1,5" is not an amount`},
		{"charge gift on n1 from 09:00 to 10:00 cost 1", `x.case:6:8: "gift" is not a kind of charge`},
		{"attempt bert zero on n1", `x.case:6:14: "zero" is not an attempt number`},
		{"sample n1 gpu 0 slice 3 activity 5%", "x.case:6:23: slice: no mig statement defines slice 3 of GPU 0"},
		{"sample n1 gpu 0", "x.case:6:1: sample needs activity"},
		{"mig n1 gpu 0 layout 9x1g.5gb", `x.case:6:21: layout: "9x1g.5gb"`},
		{
			"event crashloop of nobody from 09:00 to 09:10",
			`x.case:6:20: of: no hold or attempt names the workload "nobody"`,
		},
		{"policy\n  settings:\n    idel: lt10pct-15min", `x.case:6:1: policy "case-1": line 8: setting "idel" is unknown`},
		{"close 2026-11", "x.case:6:1: nothing is allocated yet"},
		{"remove charge x", `x.case:6:15: no charge is named "x"`},
		{"allocate now", "x.case:6:10: allocate takes no words"},
	} {
		parsed, err := Parse("x.case", head+fleet+c.line+"\nallocate\nexpect costs\nteam | effective\n")
		if err == nil {
			_, err = parsed.Run()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.line, err, c.want)
		}
	}
	if _, err := mustParse(t, head+fleet+"expect costs\nteam | effective\n").Run(); err == nil ||
		!strings.Contains(err.Error(), "x.case:6:1: nothing is allocated yet") {
		t.Errorf("expect before allocate: %v", err)
	}
	if _, err := mustParse(t, head+fleet+"allocate\nexpect costs\nteam | coast\n").Run(); err == nil ||
		!strings.Contains(err.Error(), `x.case:8: "coast" is not a column of costs: known are hour`) {
		t.Errorf("column: %v", err)
	}
}

func mustParse(t *testing.T, text string) *Case {
	t.Helper()
	c, err := Parse("x.case", text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestADifferenceIsShownAsATable(t *testing.T) {
	c := mustParse(t, head+"gpu n1 count 2\nhold a on n1 gpu 0 from 08:00 to 10:00 team a\nsample n1 gpu 0 from 08:00 "+
		"to 10:00 activity 90%\n"+
		"charge usage on n1 from 09:00 to 10:00 cost 8\nallocate\nexpect costs hour 09:00\nteam | cause | effective\na | "+
		"used | 5\nunowned | free | 4\ntotal | | 9\n")
	got, err := c.Run()
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	want := strings.Join([]string{
		"x.case:10: the tables differ (- expected, + got)",
		"    | team    | cause | effective",
		"  - | a       | used  |         5",
		"  + | a       | used  |         4",
		"    | unowned | free  |         4",
		"  - | total   |       |         9",
		"  + | total   |       |         8",
	}, "\n")
	if got[0].String() != want {
		t.Errorf("got\n%s\nwant\n%s", got[0], want)
	}
	text, err := c.Update()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := mustParse(t, text).Run(); err != nil || len(again) != 0 {
		t.Errorf("rewritten it differs still: %v %v\n%s", again, err, text)
	}
}

// FuzzParse: no text makes the parser or the runner panic, and a parsed text is written back unchanged except for its
// tables.
func FuzzParse(f *testing.F) {
	for _, file := range caseFiles(f) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("x.case", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.case:") {
				t.Errorf("no place: %v", err)
			}
			return
		}
		if len(text) > 4096 || strings.Count(text, "2") > 200 {
			return // it would run too long
		}
		if _, err := c.Run(); err != nil && !strings.HasPrefix(err.Error(), "x.case:") {
			t.Errorf("no place: %v", err)
		}
	})
}
