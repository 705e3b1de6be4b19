package star

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpuledger/metrics"
)

func TestDeclarations(t *testing.T) {
	if err := Check(Facts); err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`^[a-z_]+$`) // columns appear in SQL unquoted
	for _, f := range Facts {
		for _, table := range f.Tables() {
			for _, c := range append(table.Columns(), table.Short()) {
				if !name.MatchString(c) {
					t.Errorf("%s: %q is no name", table.Name(), c)
				}
			}
		}
		for _, d := range f.Reads {
			if _, err := metrics.LookupDataset(d); err != nil {
				t.Errorf("fact %s is read by %q, which is no dataset: %v", f.Name, d, err)
			}
		}
	}
	for _, k := range Cost.Keys { // costs are queried by these keys
		if _, ok := metrics.LookupKey(k.Name); !ok && k.Name != "owner_id" && k.Name != "currency" {
			t.Errorf("%q is a key of costs and of no report", k.Name)
		}
	}
}

// TestCheckRefuses: incomplete declarations, and those that cannot be added up, are refused with a reason.
func TestCheckRefuses(t *testing.T) {
	fact := func(change func(*Fact)) *Fact {
		f := Fact{
			Name: "f", Doc: "Facts.", Rows: "r", Open: "they are invented", Anywhere: "nowhere",
			Keys:     own("k", Text, "A key."),
			Measures: []Measure{{Name: "m", Type: Decimal, Merge: Sum, Doc: "A measure."}},
			Rollups:  []Rollup{{Name: "r", Doc: "A row.", Keys: []string{"k"}, Steps: []Step{Days, Months}}},
		}
		change(&f)
		return &f
	}
	if err := Check([]*Fact{fact(func(*Fact) {})}); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Fact){
		"has no merge":                   func(f *Fact) { f.Measures[0].Merge = "" },
		"which is not exact":             func(f *Fact) { f.Measures[0].Type = Integer },
		"which is not a boolean":         func(f *Fact) { f.Measures[0].Merge = Either },
		"two columns have the same name": func(f *Fact) { f.Measures[0].Name = "k" },
		"key k has no Doc":               func(f *Fact) { f.Keys[0].Doc = "" },
		"measure m has no Doc":           func(f *Fact) { f.Measures[0].Doc = "" },
		"set Org":                        func(f *Fact) { f.Open = "" },
		"set either Place":               func(f *Fact) { f.Anywhere = "" },
		"Org names x":                    func(f *Fact) { f.Open, f.Org = "", []string{"x"} },
		"Org names k":                    func(f *Fact) { f.Open, f.Org = "", []string{"k"} },
		"Place names k":                  func(f *Fact) { f.Anywhere, f.Place = "", []string{"k"} },
		"run_id must be the only key": func(f *Fact) {
			f.Keys, f.Open, f.Org = own("run_id", Text, "A run."), "", []string{"run_id"}
		},
		"has no key x":                      func(f *Fact) { f.Rollups[0].Keys = []string{"x"} },
		"has no measure x":                  func(f *Fact) { f.Rollups[0].Measures = []string{"x"} },
		"Many names x":                      func(f *Fact) { f.Rollups[0].Many = "x" },
		"Months need Days":                  func(f *Fact) { f.Rollups[0].Steps = []Step{Months} },
		"two tables have the name star.r_d": func(f *Fact) { f.Rollups = append(f.Rollups, f.Rollups[0]) },
		"Doc, Rollups and either":           func(f *Fact) { f.Rollups = nil },
		"either Rows or Made":               func(f *Fact) { f.Made = "code" },
		"is not a list of numbers":          func(f *Fact) { f.Measures[0].Merge = Counts },
		"Doc and Steps":                     func(f *Fact) { f.Rollups[0].Doc = "" },
	} {
		if err := Check([]*Fact{fact(change)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("says %v; want %q", err, want)
		}
	}
}

// TestTablesAreBuiltFromFinerOnes: a table's source has, or leads to, all of the table's columns, at its step or a
// finer one, and is filled before it. A table without a source adds up the rows of its fact.
func TestTablesAreBuiltFromFinerOnes(t *testing.T) {
	made := map[string]string{}
	for _, f := range Facts {
		filled := map[string]bool{}
		for _, table := range f.Tables() {
			source, ok := table.Source()
			if made[table.Short()] = ""; ok {
				made[table.Short()] = source.Short()
				if !filled[source.Short()] || source.Step.rank() > table.Step.rank() {
					t.Errorf("%s is made of %s, which is not there yet, or coarser", table.Short(), source.Short())
				}
				for _, c := range table.Columns() {
					if !slices.Contains(source.Columns(), c) && !source.leadsTo(c) {
						t.Errorf("%s is made of %s, which has no %s", table.Short(), source.Short(), c)
					}
				}
			} else if table.OfDays() {
				t.Errorf("%s is made of no days", table.Short())
			}
			filled[table.Short()] = true
		}
		if len(filled) != len(f.tables()) {
			t.Errorf("fact %s fills %d of %d tables", f.Name, len(filled), len(f.tables()))
		}
	}
	for table, want := range map[string]string{
		"cost_place_hours": "", "cost_team_hours": "", "cost_owner_days": "", "cost_run_days": "", "level_hours": "",
		"cost_total_hours": "cost_place_hours", "cost_total_days": "cost_place_days",
		"cost_team_days": "cost_owner_days", "cost_team_months": "cost_owner_months",
		"cost_run_months": "cost_run_days", "device_signal_days": "device_signal_holder_days",
		"commitment_days": "commitment_owner_days",
	} {
		if made[table] != want {
			t.Errorf("%s is made of %q, want %q", table, made[table], want)
		}
	}
}

// TestSecurityKeysOfRollups: a roll-up is secured by the finest keys that it has. Any owner will do if all have the
// same dimensions.
func TestSecurityKeysOfRollups(t *testing.T) {
	for rollup, want := range map[string][2]string{
		"cost_total": {"", ""}, "cost_place": {"", "cluster"},
		"cost_team": {"owner_id", "cluster"}, "cost_work": {"team", "cluster"},
		"cost_owner": {"owner_id", "cluster"}, "cost_run": {"team", "cluster"},
		"commitment": {"team", "cluster"}, "level": {"", ""},
		"run": {"run_id", "run_id"}, "held": {"team", ""}, "spot_node": {"", "node_id"},
		"device_holder": {"owner_id", "node_id"}, "workload_signal": {"owner_id", "node_id"},
		"run_signal": {"run_id", "run_id"}, "idle": {"", "cluster"}, "covered": {"", "cluster"},
	} {
		f, r := Of(rollup)
		if got := [2]string{f.orgKey(r), f.placeKey(r)}; got != want {
			t.Errorf("%s is secured by %q, want %q", rollup, got, want)
		}
	}
	open := []string{"idle"}
	if i := slices.IndexFunc(Facts, func(f *Fact) bool { return f.Open != "" && !slices.Contains(open, f.Name) }); i >= 0 {
		t.Errorf("fact %s has no owner: has it really no owner? If so, list it here", Facts[i].Name)
	}
}

var update = flag.Bool("update", false, "rewrite docs/reference/facts.md")

// TestDocumentIsCurrent compares docs/reference/facts.md with the declarations.
func TestDocumentIsCurrent(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "reference", "facts.md")
	if *update {
		if err := os.WriteFile(path, []byte(Document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != Document() {
		t.Error("docs/reference/facts.md is stale: run go test ./internal/star -update")
	}
}

// TestAlwaysLeavesSharedLists: facts share lists of keys; a key that is never null in one fact may be null in another.
func TestAlwaysLeavesSharedLists(t *testing.T) {
	shared := own("some_id", ID, "Some.")
	if marked := always(shared); !marked[0].Always || shared[0].Always {
		t.Errorf("marked %v, shared %v", marked[0].Always, shared[0].Always)
	}
}
