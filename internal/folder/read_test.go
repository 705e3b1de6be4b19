package folder

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// page stands for the check of addresses that the server has.
var page = Options{Page: func(address string) error {
	if !strings.HasPrefix(address, "/") {
		return errors.New("there is no such page")
	}
	return nil
}}

func files(texts map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range texts {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// read reads a folder without faults.
func read(t *testing.T, texts map[string]string) *Folder {
	t.Helper()
	f, faults, err := Read(files(texts), page)
	if err != nil || len(faults) > 0 {
		t.Fatalf("%v %v", faults, err)
	}
	return f
}

var good = map[string]string{
	"budgets.yaml": `# the plan of 2026
kind: budgets
budgets:
  - {name: all-teams, key: all, period: month, start: 2026-11-01, amount: 1000.50, unit: money, currency: USD}
  - name: speech
    key: team
    value: speech
    period: month
    start: "2026-11-01"
    amount: "500"
    unit: money
    currency: USD
    parent: all-teams
    reason: two more models
`,
	"rules/policy.yml": `kind: policy
version: strict
valid_from: 2026-11-01
settings:
  idle: lt5pct-2h-mean
`,
	"rules/mapping.yaml": `---
kind: mapping
name: renamed
values:
  - {key: team, from: [nlp], to: speech}
---
# from December on
kind: mapping
name: renamed
valid_from: 2026-12-01
`,
	"prices.yaml": `kind: price_book
rates:
  - {instance_type: p5.48xlarge, price_class: on_demand, currency: USD, hourly: "98.32"}
`,
	"views.yaml": "kind: view\nname: Speech\nurl: /chargeback?team=speech\n---\n" +
		"kind: view\nname: All\nurl: /\nshared: true\n",
	"README.md":        "not a file for apply",
	".hidden/bad.yaml": "kind: nothing\n",
	"empty.yaml":       "# nothing yet\n",
}

func TestAFolderIsRead(t *testing.T) {
	f := read(t, good)
	if f.Files != 7 || len(f.Policies) != 1 || len(f.Mappings) != 2 || len(f.Budgets) != 2 || len(f.Books) != 1 ||
		len(f.Views) != 2 {
		t.Fatalf("%+v", f)
	}
	if b := f.Budgets[0]; b.Amount.String() != "1000.5" || b.File != "budgets.yaml" || b.Line != 4 {
		t.Errorf("%+v", b)
	}
	if m := f.Mappings[1]; m.Line != 9 || m.ValidFrom == 0 || !strings.HasPrefix(m.Document, "# from December on\nkind") {
		t.Errorf("%+v", m)
	}
	if b := f.Books[0]; b.Name != "prices" || len(b.Rates) != 1 || b.Lines[0] != 3 || b.Rates[0].Source != "prices.yaml" {
		t.Errorf("%+v", b)
	}
	if _, _, err := Read(files(map[string]string{"a.txt": ""}), page); !errors.Is(err, ErrEmpty) {
		t.Errorf("a folder without files: %v", err)
	}
}

// Every fault of every file is listed, each with its line and the values that are possible.
func TestEveryFaultIsNamed(t *testing.T) {
	_, faults, err := Read(files(map[string]string{
		"a.yaml": "kind: buget\n",
		"b.yaml": "kind: budgets\nbudgets:\n" +
			"  - {name: x, key: team, value: y, period: fortnight, start: 2026-11-01, amount: 1, unit: tokens}\n" +
			"  - {name: x, perid: life}\n" +
			"  - name: z\n    key: team\n    value: y\n    period: life\n    amount: a lot\n    unit: tokens\n" +
			"  - {name: z, key: team, value: y, period: life, amount: [1], unit: tokens}\n",
		"c.yaml": "kind: policy\nversion: x\nsettings:\n  idle: never\n---\nkind: mapping\nname: m\nvalus: []\n",
		"d.yaml": "name: nothing\n",
		"e.yaml": "kind: view\nname: ''\nurl: elsewhere\nshared: false\n",
		"f.yaml": "kind: price_book\nname: own\nowned: []\nrates:\n  - {instance_type: a}\n",
		"g.yaml": "kind: view\nname: [\n",
		"h.yaml": "- kind: view\n",
		"i.yaml": "kind: view\nname: twice\nurl: /\n---\nkind: view\nname: twice\nurl: /\n",
		"j.yaml": "kind: budgets\nbudget: []\n",
		"k.yaml": "kind: budgets\n",
	}), page)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Error())
	}
	for _, want := range []string{
		`a.yaml:1: kind "buget" is unknown (did you mean budgets?): write one of budgets, mapping, policy, price_book, view`,
		`b.yaml:3: period: "fortnight" is not one of month, quarter, year, life`,
		`b.yaml:4: "perid" is not a field (did you mean period?): write name, key`,
		`b.yaml:9: amount: "a lot" is not a plain decimal`,
		`b.yaml:11: amount is a plain value`,
		`c.yaml:4: idle: "never" is not a preset`,
		`c.yaml:8: "valus" is not a field (did you mean values?)`,
		`d.yaml:1: kind is missing`,
		`e.yaml:2: name is ""`,
		`e.yaml:3: there is no such page`,
		`e.yaml:4: shared is false`,
		`f.yaml:3: owned: machines become bill lines`,
		`f.yaml:5: price_class: missing value`,
		`g.yaml:2: this is not YAML`,
		`h.yaml:1: a file has fields`,
		`i.yaml:6: view "twice" is also in i.yaml:2`,
		`j.yaml:2: "budget" is not a field (did you mean budgets?)`,
		`k.yaml:1: budgets is missing`,
	} {
		found := false
		for _, line := range got {
			found = found || strings.HasPrefix(line, want)
		}
		if !found {
			t.Errorf("%q is missing in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if len(got) != 18 {
		t.Errorf("%d faults:\n%s", len(got), strings.Join(got, "\n"))
	}
}
