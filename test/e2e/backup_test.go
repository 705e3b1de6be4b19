package e2e

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"

	"gpuledger/internal/localpg"
	"gpuledger/test/pgtest"
	"gpuledger/test/tier"
)

// mustOutliveADump: a dump that is taken while imports run, restored into an empty database, verifies and gives the
// same reports.
func mustOutliveADump(t *testing.T, dsn, files string) {
	t.Helper()
	bin, err := localpg.Find("")
	if err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(t.TempDir(), "ledger.dump")
	tool := func(name string, args ...string) {
		t.Helper()
		path, err := exec.LookPath(filepath.Join(bin, name))
		if err != nil {
			tier.Absent(t, "no ", name, " beside the PostgreSQL in ", bin, ": backup is not tried")
		}
		if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	imports := make(chan int)
	go func() { // has no new facts, but still writes
		code, _, _ := gpuledger(t, "--database-url="+dsn, "import", "auto", files)
		imports <- code
	}()
	tool("pg_dump", "-Fc", "-f", dump, "-d", dsn)
	if code := <-imports; code != exitOK {
		t.Errorf("the import beside the dump: status %d", code)
	}
	restored := pgtest.Empty(t)
	tool("pg_restore", "--exit-on-error", "--no-owner", "-d", restored, dump)
	tool("psql", "-X", "-q", "-d", restored, "-c", "analyze")
	if code, out, errs := gpuledger(t, "--database-url="+restored, "verify"); code != exitOK {
		t.Errorf("verify of what was restored: status %d\n%s%s", code, out, errs)
	}
	before, after := answersOf(t, dsn), answersOf(t, restored)
	for i := range before {
		if !bytes.Equal(before[i], after[i]) || len(before[i]) < 100 {
			t.Errorf("answer %d differs after a dump and a restore, or says nothing:\n%.300s\n%.300s", i, before[i], after[i])
		}
	}
}

// answersOf are reports of the books, to compare a ledger before and after.
func answersOf(t *testing.T, dsn string) (all [][]byte) {
	t.Helper()
	for _, report := range [][]string{
		{"costs", "--group-by=team,cause,state"}, {"runs"}, {"reconciliation"}, {"waste"}, {"statements"}, {"audit"},
	} {
		code, out, errs := gpuledger(t, append([]string{"--database-url=" + dsn, "report", "--format=csv"}, report...)...)
		if code != exitOK {
			t.Fatalf("report %v: status %d\n%s", report, code, errs)
		}
		all = append(all, []byte(out))
	}
	return all
}
