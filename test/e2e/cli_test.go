package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/store"
	"gpuledger/test/pgtest"
	"gpuledger/test/tier"
)

// emptyDatabase is empty, without the schema, which the first command makes.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	return "--database-url=" + pgtest.Empty(t)
}

// freshDatabase has the schema and no rows.
func freshDatabase(t *testing.T) string {
	t.Helper()
	return "--database-url=" + pgtest.New(t, store.MigrateDSN)
}

// TestDemo takes a small fleet through every command, as a new user would.
func TestDemo(t *testing.T) {
	db, dir := emptyDatabase(t), t.TempDir()
	must := func(args ...string) string {
		t.Helper()
		code, out, errs := gpuledger(t, append([]string{db, "--data-dir=" + dir}, args...)...)
		if code != exitOK {
			t.Fatalf("%v: status %d\n%s%s", args, code, out, errs)
		}
		return out
	}
	if !t.Run("is seen as each role", func(t *testing.T) { demoAsEachRole(t, db, dir) }) {
		return
	}
	if states := must("report", "budgets", "--columns=state", "--format=csv"); !strings.Contains(states, "at_80") ||
		!strings.Contains(states, "at_120") {
		t.Errorf("no budget of the demo is nearly spent, or none is overspent:\n%s", states)
	}
	if events := must("report", "annotations", "--columns=kind", "--format=csv"); !strings.Contains(events, "deploy") {
		t.Errorf("no deploy among the events of the demo:\n%s", events)
	}
	if out := must("doctor"); !strings.Contains(out, `-instruct" is no model that an owner has`) ||
		strings.Contains(out, `"acme/`) {
		t.Errorf("doctor of served names:\n%s", out)
	}
	if out := must("migrate"); !strings.HasPrefix(out, "schema version ") {
		t.Errorf("migrate says %q", out)
	}
	var report struct {
		Checks []struct{ State string }
	}
	if err := json.Unmarshal([]byte(must("verify", "--output=json")), &report); err != nil || len(report.Checks) == 0 {
		t.Errorf("verify: %v, %d checks", err, len(report.Checks))
	}
	var summary struct {
		State         string
		ControlTotals []any `json:"control_totals"`
	}
	// the restated one is older than the other
	if err := json.Unmarshal([]byte(must("import", "aws-cur", filepath.Join(dir, "demo", "small"), "--output=json")),
		&summary); err != nil || summary.State != "older" || len(summary.ControlTotals) == 0 {
		t.Errorf("importing the bills again: %v, %+v", err, summary)
	}
	if out := must("allocate", "--output=json"); !strings.Contains(out, `"chunks":0`) {
		t.Errorf("allocating again did work: %s", out)
	}
	runs := strings.Split(must("report", "runs", "--format=csv", "--limit=1"), "\r\n")
	id, _, _ := strings.Cut(runs[1], ",")
	if out := must("explain", "run/"+id, "--format=text"); !strings.Contains(out, " line ") ||
		!strings.Contains(out, "policy unit-costs-2026") {
		t.Errorf("explain names no bill line:\n%s", out)
	}
	file := filepath.Join(dir, "costs.parquet")
	must("report", "costs", "--group-by=team", "--format=parquet", "--out="+file)
	if data, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(data, []byte("PAR1")) {
		t.Errorf("costs.parquet: %v", err)
	}
	if code, _, errs := gpuledger(t, db, "explain", "run/none"); code != exitFailed ||
		!strings.Contains(errs, "not in the ledger") {
		t.Errorf("explaining nothing: status %d, %s", code, errs)
	}
	if _, stop := serveLedger(t, db); stop() != exitOK {
		t.Error("serve does not end well")
	}
	// A restated bill is pending work, not a violation.
	must("import", "auto", filepath.Join(dir, "demo", "small-later"))
	if code, out, errs := gpuledger(t, db, "verify"); code != exitPending ||
		!strings.Contains(errs, "gpuledger allocate") {
		t.Errorf("verify beside work that waits: status %d\n%s%s", code, out, errs)
	}
	must("allocate")
	must("verify")
	for _, args := range [][]string{
		{"report", "chargeback", "--billing-period=2025-10", "--format=csv"},
		{"export", "chargeback", "--billing-period=2025-10", "--to=" + t.TempDir()},
	} {
		if code, out, errs := gpuledger(t, append(args, db)...); code != exitOK ||
			!strings.Contains(errs, "note: billing period 2025-10 has no rows; chargeback has data from ") {
			t.Errorf("%v: status %d\n%s%s", args, code, out, errs)
		}
	}
	if code, out, errs := gpuledger(t, db, "close", "2026-10", "--check"); code != exitOK ||
		out != "nothing blocks closing 2026-10\n" {
		t.Errorf("what blocks closing: status %d\n%s%s", code, out, errs)
	}
	must("close", "2026-10")
	t.Run("has examples that run", func(t *testing.T) { examplesRun(t, db, dir) })
	if !tier.Full() { // TestB08AClosedMonthAfterADump covers it on a toy ledger
		return
	}
	mustOutliveADump(t, strings.TrimPrefix(db, "--database-url="), filepath.Join(dir, "demo", "small", "aws-cur"))
}
