package folder

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"gpuledger/internal/export"
	"gpuledger/internal/outgoing"
	"gpuledger/metrics"
)

// page stands for the check of addresses that the server has.
var page = Options{Page: func(address string) error {
	if !strings.HasPrefix(address, "/") {
		return errors.New("there is no such page")
	}
	return nil
}, Target: func(uri string) error {
	if strings.HasPrefix(uri, "ftp:") {
		return errors.New("nothing can be written to ftp")
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
	"schedules.yaml": `kind: schedule
name: finance
dataset: costs
to: s3://bucket/costs
group_by: team,cost_center
filter: "team = 'a: b'"
keep: 24
---
kind: schedule
name: sheet
dataset: journal
to: /var/exports
every: monthly
format: csv
for_excel: true
months: 1
`,
	"README.md":        "not a file for apply",
	".hidden/bad.yaml": "kind: nothing\n",
	"empty.yaml":       "# nothing yet\n",
}

func TestAFolderIsRead(t *testing.T) {
	f := read(t, good)
	if f.Files != 9 || len(f.Policies) != 1 || len(f.Mappings) != 2 || len(f.Budgets) != 2 || len(f.Books) != 1 ||
		len(f.Views) != 2 || len(f.Schedules) != 2 {
		t.Fatalf("%+v", f)
	}
	if x := f.Schedules[0]; x.Line != 2 || x.Schedule != (outgoing.Schedule{Name: "finance", Dataset: "costs",
		Format: export.Parquet, Target: "s3://bucket/costs", Every: outgoing.Daily, Months: 3, Keep: 24,
		Options: metrics.Options{GroupBy: "team,cost_center", Filter: "team = 'a: b'"}}) {
		t.Errorf("%+v", x)
	}
	if x := f.Schedules[1]; x.Line != 10 || x.Every != outgoing.Monthly || x.Format != export.CSV || !x.ForExcel ||
		x.Months != 1 || x.Keep != 0 {
		t.Errorf("%+v", x)
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
			"  - {name: z, key: team, value: y, period: life, amount: [1], unit: tokens}\n" +
			"  - {key: tem, value: y, period: fortnight, start: 1 Nov, amount: -5, unit: money}\n" +
			"  - {name: w, perod: life, amount: -6, unit: euros}\n",
		"c.yaml": "kind: policy\nversion: x\nsettings:\n  idle: never\n---\nkind: mapping\nname: m\nvalus: []\n",
		"d.yaml": "name: nothing\n",
		"e.yaml": "kind: view\nname: ''\nurl: elsewhere\nshared: false\n",
		"f.yaml": "kind: price_book\nname: own\nowned: []\nrates:\n  - {instance_type: a}\n",
		"g.yaml": "kind: view\nname: [\n",
		"h.yaml": "- kind: view\n",
		"i.yaml": "kind: view\nname: twice\nurl: /\n---\nkind: view\nname: twice\nurl: /\n",
		"j.yaml": "kind: budgets\nbudget: []\n",
		"k.yaml": "kind: budgets\n",
		"l.yaml": "kind: schedule\nname: a b\ndataset: cots\nto: ftp://x/y\nevery: dayly\nmonths: many\nkeep: -1\n" +
			"for_excel: 'on'\n---\nkind: schedule\nname: x\ndataset: costs\nto: out\nformat: parqet\nmonths: 500\n" +
			"group_by: taem\ntz: Mars\n",
		"m.yaml": "kind: schedule\nevry: daily\n",
		"n.yaml": "kind: schedule\nformat: xlsx\n",
		"o.yaml": "kind: view\nname: o\nurl: /\n---\nkind: price_book\nname: hall\nowned:\n" +
			"  - name: dgx\n    nodes: [a]\n    gpus: 8\n    in_service: 2026-11-01\n    through: 2026-11\n" +
			"    currency: EUR\n    purchase_price: dear\n  - {name: hgx, colour: red}\n  - {nodes: [b]}\n",
	}), page)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Error())
	}
	for _, want := range []string{
		`a.yaml:1: kind "buget" is unknown (did you mean budgets?): write one of budgets, mapping, policy, price_book, ` +
			`schedule, view`,
		`b.yaml:3: period: "fortnight" is not one of month, quarter, year, life`,
		`b.yaml:4: "perid" is not a field (did you mean period?): write name, key`,
		`b.yaml:9: amount: "a lot" is not a plain decimal`,
		`b.yaml:11: amount is a plain value`,
		`b.yaml:12: amount: "-5" is not a plain decimal`,
		`b.yaml:12: currency: "" is not a currency code`,
		`b.yaml:12: key: "tem" is not a key of budgets`,
		`b.yaml:12: name: its name identifies a budget`,
		`b.yaml:12: period: "fortnight" is not one of`,
		`b.yaml:12: start: "1 Nov" is not a day`,
		`b.yaml:13: "perod" is not a field`,
		`b.yaml:13: amount: "-6" is not a plain decimal`,
		`b.yaml:13: unit: "euros" is not one of`,
		`c.yaml:4: idle: "never" is not a preset`,
		`c.yaml:8: "valus" is not a field (did you mean values?)`,
		`d.yaml:1: kind is missing`,
		`e.yaml:2: name is ""`,
		`e.yaml:3: there is no such page`,
		`e.yaml:4: shared is false`,
		`f.yaml:5: price_class: missing value`,
		`g.yaml:2: this is not YAML`,
		`h.yaml:1: a file has fields`,
		`i.yaml:6: view "twice" is also in i.yaml:2`,
		`j.yaml:2: "budget" is not a field (did you mean budgets?)`,
		`k.yaml:1: budgets is missing`,
		`l.yaml:2: name "a b": must be at most 64`,
		`l.yaml:3: dataset: unknown dataset "cots" (did you mean costs?)`,
		`l.yaml:4: to: nothing can be written to ftp`,
		`l.yaml:5: every "dayly": must be hourly, daily, weekly or monthly (did you mean daily?)`,
		`l.yaml:6: months: "many" is not a whole number`,
		`l.yaml:8: for_excel: "on" is not true or false`,
		`l.yaml:13: to "out": must be an absolute path`,
		`l.yaml:14: format "parqet": must be csv, parquet or xlsx (did you mean parquet?)`,
		`l.yaml:15: months "500": must be from 1 to 120`,
		`l.yaml:16: group_by "taem": `,
		`l.yaml:17: tz "Mars": is not an IANA time zone`,
		`m.yaml:2: "evry" is not a field (did you mean every?): write kind, name, dataset, to, every`,
		`n.yaml:1: dataset is missing: write name, dataset and to`,
		`n.yaml:1: name is missing`,
		`n.yaml:1: to is missing`,
		`o.yaml:14: purchase_price: not a number: `,
		`o.yaml:15: colour: unknown key: known keys are name, cluster, nodes`,
		`o.yaml:16: name: missing value`,
	} {
		found := false
		for _, line := range got {
			found = found || strings.HasPrefix(line, want)
		}
		if !found {
			t.Errorf("%q is missing in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if len(got) != 45 {
		t.Errorf("%d faults:\n%s", len(got), strings.Join(got, "\n"))
	}
}
