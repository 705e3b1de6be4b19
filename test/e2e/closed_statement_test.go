package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/fleetsim"
)

// TestStatementsOfAClosedMonthStay: a mapping and an allocation after the month is closed change none of its owners'
// statements, although the fees of its bills amortise on in later hours (rule 13.3). Its costs are those of its stored
// statement.
func TestStatementsOfAClosedMonthStay(t *testing.T) {
	cfg := fleetsim.Preset(fleetsim.Small).Story() // its days cross the end of October
	cfg.History, cfg.Start = 0, cfg.Start.AddDate(0, 0, -cfg.Days/2-1)
	files, err := simulate("two-months", cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := freshDatabase(t)
	must(t, db, "import", "auto", files)
	must(t, db, "allocate")
	must(t, db, "close", "2026-10")
	statements := func() map[string]string {
		t.Helper()
		dir := t.TempDir()
		must(t, db, "statement", "--all-owners", "team", "--billing-period", "2026-10", "--format", "json", "--out", dir)
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, f := range list {
			text, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			out[f.Name()] = string(text)
		}
		return out
	}
	costs := func(option string) string {
		t.Helper()
		return must(t, db, "report", "costs", option, "--group-by=team", "--columns=team,currency,effective_cost,billed_cost",
			"--order=team", "--format=csv")
	}
	before, costsBefore := statements(), costs("--billing-period=2026-10")
	if len(before) < 4 || !strings.Contains(costsBefore, "foundation-models") {
		t.Fatalf("%d statements: %s", len(before), costsBefore)
	}
	if stored := costs("--statement=2026-10"); stored != costsBefore {
		t.Errorf("the stored statement has other costs than the closed month:\n%s\n%s", stored, costsBefore)
	}
	var stale int
	if err := connect(t, db).QueryRow(t.Context(), "select count(*) from stale_days").Scan(&stale); err != nil || stale != 0 {
		t.Errorf("the roll-ups of %d days do not show yet that the month is closed: %v", stale, err)
	}
	for _, dataset := range []string{"reconciliation", "charges"} {
		states := someColumns(t, db, dataset, "state", "--billing-period=2026-10")
		if strings.ReplaceAll(states, "final", "") != strings.Repeat("\n", strings.Count(states, "\n")) {
			t.Errorf("%s of the closed month are not all final: %s", dataset, clip(states))
		}
	}
	charge, _, _ := strings.Cut(someColumns(t, db, "charges", "charge_id", "--billing-period=2026-10"), "\n")
	if text := must(t, db, "explain", "charge/"+charge); !strings.Contains(text, `"state": "final"`) {
		t.Errorf("the explanation of a line of the closed month is not final: %s", clip(text))
	}
	dir := t.TempDir()
	mapping := "kind: mapping\nname: renamed\nvalid_from: 2026-11-01\n" +
		"values: [{key: team, from: [foundation-models], to: fm}]\n"
	if err := os.WriteFile(filepath.Join(dir, "renamed.yaml"), []byte(mapping), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, db, "apply", "-f", dir, "--no-money", "--reason", "a new name")
	must(t, db, "allocate")
	if now := costs("--billing-period=2026-11"); !strings.Contains(now, "\nfm,") {
		t.Errorf("the mapping changes nothing in November: %s", now)
	}
	after := statements()
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s has changed after its month was closed:\n%s\n%s", name, clip(text), clip(after[name]))
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d statements, and %d before", len(after), len(before))
	}
	if now := costs("--billing-period=2026-10"); now != costsBefore {
		t.Errorf("the costs of the closed month have changed:\n%s\n%s", now, costsBefore)
	}
	must(t, db, "verify")
}
