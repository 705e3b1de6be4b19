package folder

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"gpuledger/allocation/policy"
	"gpuledger/internal/export"
	"gpuledger/internal/ledger"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/period"
)

// stores is a state after a plan has been stored, as the store does it.
func (s *State) stores(p *Plan) {
	for _, v := range p.Policies {
		s.Policies = append(s.Policies, StoredPolicy{Version: v.Version, Document: v.Document})
	}
	for _, m := range p.Mappings {
		kept := s.Mappings[:0]
		for _, o := range s.Mappings {
			if o.Name != m.Name || o.ValidFrom != m.ValidFrom {
				kept = append(kept, o)
			}
		}
		s.Mappings = append(kept, m)
	}
	for _, b := range p.Budgets {
		kept := s.Budgets[:0]
		for _, o := range s.Budgets {
			if o.Name != b.Name {
				kept = append(kept, o)
			}
		}
		s.Budgets = append(kept, b)
	}
	for _, x := range p.Schedules {
		kept := s.Schedules[:0]
		for _, o := range s.Schedules {
			if o.Name != x.Name {
				kept = append(kept, o)
			}
		}
		s.Schedules = append(kept, x)
	}
	s.Rates = append(s.Rates, p.Rates...)
	for _, b := range p.Owned {
		kept := s.Books[:0]
		for _, o := range s.Books {
			if o.Name != b.Name {
				kept = append(kept, o)
			}
		}
		s.Books = append(kept, StoredBook{Name: b.Name, Document: b.Owned.Text, Newest: b.Owned.IssuedAt})
	}
	for _, v := range p.Views {
		v.Own = true
		if v.ID.IsZero() {
			v.ID = ledger.NewID("view", v.Name)
			s.Views = append(s.Views, v)
		}
		for i := range s.Views {
			if s.Views[i].ID == v.ID {
				s.Views[i].URL = v.URL
			}
		}
	}
}

// applied stores a folder and returns what changed.
func applied(t *testing.T, s *State, texts map[string]string) string {
	t.Helper()
	plan, faults := Compare(s, read(t, texts))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	s.stores(plan)
	var out []string
	for _, c := range plan.Changes {
		if c.Action != None {
			out = append(out, fmt.Sprint(c.Action, " ", c.Kind, " ", c.Name+" "+c.ValidFrom))
		}
	}
	if (len(out) > 0) != plan.Differs() {
		t.Errorf("%q differ: %v", out, plan.Differs())
	}
	return strings.ReplaceAll(strings.Join(out, "; "), " ;", ";")
}

func with(texts map[string]string, name, old, new string) map[string]string {
	out := map[string]string{}
	for n, text := range texts {
		if n == name {
			text = strings.ReplaceAll(text, old, new)
		}
		out[n] = text
	}
	return out
}

// A folder that is applied again changes nothing, in any style; a changed entry is the next version; entries that a
// folder leaves out stay; an export is no difference.
func TestAFolderIsAppliedOnce(t *testing.T) {
	s := &State{}
	if got := applied(t, s, good); got != "create policy strict 2026-11-01; create mapping renamed; "+
		"create mapping renamed 2026-12-01; create budgets all-teams; create budgets speech; create price_book prices; "+
		"create view All; create view Speech; create schedule finance; create schedule sheet " {
		t.Errorf("first: %q", got)
	}
	styled := with(good, "rules/policy.yml", "settings:\n  idle: lt5pct-2h-mean",
		"settings: {idle: 'lt5pct-2h-mean'} # style")
	for name, texts := range map[string]map[string]string{
		"again": good, "another style": styled,
		"another reason":   with(good, "budgets.yaml", "two more models", "why"),
		"defaults written": with(good, "schedules.yaml", "keep: 24", "keep: 24\nevery: daily\nformat: parquet\nmonths: 3"),
		"one file":         {"b.yaml": good["budgets.yaml"]}, "other name": {"p2.yaml": good["prices.yaml"]},
	} {
		if got := applied(t, s, texts); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	texts := good
	for _, c := range []struct{ file, old, new, want string }{
		{"budgets.yaml", "1000.50", "900", "update budgets all-teams "},
		{"rules/mapping.yaml", "nlp", "nlp2", "update mapping renamed "},
		{"views.yaml", "team=speech", "team=asr", "update view Speech "},
		{"schedules.yaml", "keep: 24", "keep: 36", "update schedule finance "},
		{"rules/mapping.yaml", "2026-12-01", "2027-01-01", "update mapping renamed 2027-01-01"},
	} {
		texts = with(texts, c.file, c.old, c.new)
		if got := applied(t, s, texts); got != c.want {
			t.Errorf("%s: %q, want %q", c.new, got, c.want)
		}
	}
	exported, err := Export(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(exported) != 8 {
		t.Errorf("%d files", len(exported))
	}
	if got := applied(t, s, exported); got != "" {
		t.Errorf("the export differs: %q", got)
	}
	fresh := &State{}
	applied(t, fresh, exported)
	if again, err := Export(fresh); err != nil || fmt.Sprint(again) != fmt.Sprint(exported) {
		t.Errorf("the export of an export differs: %v\n%v\n%v", err, again, exported)
	}
}

// Fields of a change name what differs.
func TestFieldsOfAChange(t *testing.T) {
	s := &State{}
	applied(t, s, good)
	plan, _ := Compare(s, read(t, with(good, "budgets.yaml", "1000.50", "900")))
	if f := plan.Of(KindBudgets, "all-teams", "").Fields; len(f) != 1 || f[0] != (policy.Difference{
		Name: "amount", From: "1000.5", To: "900",
	}) {
		t.Errorf("%v", f)
	}
	plan, _ = Compare(s, read(t, map[string]string{
		"p.yaml": "kind: policy\nversion: later\nvalid_from: 2026-12-01\nsettings: {idle: lt30pct-6h-mean}\n" +
			"owners: [{set: {project: p}}]\n",
		"m.yaml": "kind: mapping\nname: n\nvalues: [{key: model, from: [a], to: b}]\n",
	}))
	if f := plan.Of(KindPolicy, "later", "2026-12-01").Fields; len(f) != 2 || f[0].From != "lt5pct-2h-mean" ||
		f[0].To != "lt30pct-6h-mean" || f[1].Name != "owners" {
		t.Errorf("%v", f)
	}
	if keys := strings.Join(plan.Keys(s), " "); keys != "team project model" {
		t.Errorf("keys %s", keys)
	}
	day, _ := period.ParseDay("2026-12-01")
	if at := plan.Book.At(day); at.Settings.Version != "later" || at.Mapped("model", "a") != "b" {
		t.Errorf("the rules after it: %+v", at)
	}
}

// Two schedules for one folder are named by file and line, also if one of them is stored; two may change places.
func TestOneFolderTakesOneSchedule(t *testing.T) {
	s := &State{}
	applied(t, s, good)
	const to = "kind: schedule\nname: %s\ndataset: costs\nto: %s\n---\n"
	for text, want := range map[string]int{
		fmt.Sprintf(to, "other", "s3://bucket/costs/"):                                             1, // finance has it
		fmt.Sprintf(to, "x", "/out") + fmt.Sprintf(to, "y", "file:///out"):                         2,
		fmt.Sprintf(to, "finance", "/var/exports") + fmt.Sprintf(to, "sheet", "s3://bucket/costs"): 0,
		fmt.Sprintf(to, "finance", "s3://bucket/costs/"):                                           0,
	} {
		_, faults := Compare(s, read(t, map[string]string{"s.yaml": text}))
		if len(faults) != want || want > 0 && !strings.Contains(faults[0].Error(), "one folder takes one schedule") {
			t.Errorf("%s: %v", text, faults)
		}
	}
}

// Fields of a schedule are named as in a file, with the values that a file has.
func TestFieldsOfASchedule(t *testing.T) {
	s := &State{}
	first, _ := Compare(s, read(t, good))
	got := fmt.Sprint(first.Of(KindSchedule, "sheet", "").Fields)
	if got != "[{dataset  journal} {to  /var/exports} {every  monthly} {format  csv} {for_excel  true} {months  1}]" {
		t.Errorf("created: %s", got)
	}
	applied(t, s, good)
	texts := with(good, "schedules.yaml", "keep: 24\n", "tz: Europe/Berlin\n")
	changed, _ := Compare(s, read(t, with(texts, "schedules.yaml", "group_by: team,cost_center\n", "")))
	got = fmt.Sprint(changed.Of(KindSchedule, "finance", "").Fields)
	if got != "[{keep 24 0} {group_by team,cost_center } {tz  Europe/Berlin}]" {
		t.Errorf("changed: %s", got)
	}
	if len(changed.Schedules) != 1 || changed.Moves() {
		t.Errorf("%+v", changed)
	}
}

// Every option that a schedule may have is in an export, also texts that YAML reads as another type.
func TestEveryOptionOfAScheduleIsExported(t *testing.T) {
	for text, known := range map[string]string{"true": "csv", "2026": "xlsx", "null": "csv", " a: 'b' # c\n": "csv"} {
		x := outgoing.Schedule{Name: "2026", Dataset: "costs", Target: "/true", Every: outgoing.Weekly,
			Format: export.Format(known), Months: 7, Keep: 8, ForExcel: known == "csv"}
		for _, option := range outgoing.OptionNames {
			*outgoing.OptionOf(&x.Options, option) = text
		}
		exported, err := Export(&State{Schedules: []outgoing.Schedule{x}})
		if err != nil {
			t.Fatal(err)
		}
		f, _, err := Read(files(exported), page) // the options are no possible ones, but read as written
		if err != nil || len(f.Schedules) != 1 || f.Schedules[0].Schedule != x {
			t.Errorf("%q: %+v %v\n%s", text, f.Schedules, err, exported["schedules.yaml"])
		}
	}
}

// What contradicts the ledger is named by file and line, all at once.
func TestContradictionsWithTheLedger(t *testing.T) {
	s := &State{}
	applied(t, s, good)
	s.Policies = append(s.Policies, StoredPolicy{Version: versionOf(t, "version: old\n"), Withdrawn: true})
	f, faults, err := Read(fstest.MapFS{
		"a.yaml": {Data: []byte("kind: policy\nversion: strict\nvalid_from: 2026-11-01\n" +
			"settings: {idle: lt30pct-6h-mean}\n")},
		"b.yaml": {Data: []byte("kind: policy\nversion: old\n")},
		"c.yaml": {Data: []byte("kind: policy\nversion: other\nvalid_from: 2026-11-01\n")},
		"d.yaml": {Data: []byte("kind: budgets\nbudgets:\n" +
			"  - {name: x, key: all, period: month, start: 2026-11-02, amount: 1, unit: tokens}\n" +
			"  - {name: y, key: all, period: life, amount: 1, unit: tokens, parent: nobody}\n")},
		"e.yaml": {Data: []byte("kind: price_book\nrates:\n" +
			"  - {instance_type: p5.48xlarge, price_class: on_demand, currency: USD, hourly: 1}\n")},
		"f.yaml": {Data: []byte("kind: mapping\nname: second\nvalues:\n- {key: team, from: [asr], to: x}\n" +
			"- {key: team, from: [nlp], to: x}\n")},
		"g.yaml": {Data: []byte("kind: mapping\nname: first\nvalid_from: 2026-11-15\nvalues: [{key: team, from: [nlp], " +
			"to: z}]\n")}, // by its name it is before the stored one
		"h.yaml": {Data: []byte("kind: policy\nversion: late\nvalid_from: 2027-05-01\nvalues: [{key: team, from: [nlp], " +
			"to: z}]\n")},
	}, page)
	if err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	_, faults = Compare(s, f)
	var got []string
	for _, fault := range faults {
		got = append(got, fault.Error())
	}
	for i, want := range []string{
		"a.yaml:2: version strict is stored with another content", "b.yaml:2: version old was withdrawn",
		"c.yaml:2: version strict applies from the same day", "d.yaml:3: start: 2026-11-02 is not the first day of a month",
		`d.yaml:4: parent: there is no budget "nobody"`, "e.yaml:3: p5.48xlarge on_demand costs USD 98.32",
		"f.yaml:5: team nlp is mapped by mapping first, too", "f.yaml:5: team nlp is mapped by mapping renamed, too",
		"g.yaml:4: team nlp is mapped by mapping renamed, too", "g.yaml:4: team nlp is mapped by policy late, too",
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Errorf("%q is missing in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

func versionOf(t *testing.T, text string) policy.Version {
	t.Helper()
	v, err := policy.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A change of the rules may need a second person; budgets do not.
func TestGuardedChanges(t *testing.T) {
	s := &State{At: 1}
	s.Policies = []StoredPolicy{{Version: versionOf(t, "version: careful\nsecond_person: [policy]\n")}}
	for text, want := range map[string]bool{
		"kind: mapping\nname: m\n": true, "kind: policy\nversion: x\nvalid_from: 2026-11-01\n": true,
		"kind: view\nname: v\nurl: /\n": false,
	} {
		if plan, faults := Compare(s, read(t, map[string]string{"a.yaml": text})); len(faults) > 0 || plan.Guarded != want {
			t.Errorf("%s: %v %v", text, plan.Guarded, faults)
		}
	}
}

// Documents without a kind, as JSON or with a marker, are exported in a form that is read.
func TestExportAddsTheKind(t *testing.T) {
	for _, text := range []string{
		"version: x\n# why\nnote: n\n", "---\nversion: x\nnote: n\n", `{"version": "x", "note": "n"}`,
		"kind: policy\nversion: x\nnote: n\n",
	} {
		out, err := withKind(KindPolicy, text)
		if err != nil || !same(out, text) || strings.Count(out, "kind: policy") != 1 {
			t.Errorf("%q: %q, %v", text, out, err)
		}
	}
	usd, eur := ledger.Rate{InstanceType: "a", Currency: "USD"}, ledger.Rate{InstanceType: "a", Currency: "EUR"}
	if books := booksOf([]ledger.Rate{usd, usd, eur}); len(books) != 2 || len(books[0]) != 1 || len(books[1]) != 1 {
		t.Errorf("%v", books)
	}
}
