package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/localpg"
)

// someJobs is an export of one job, as small as an import can be.
func someJobs(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "attempts.csv")
	rows := "run_id,attempt,started_at,ended_at,outcome,nodes,gpus\nr1,1,2026-11-02T00:00:00Z,2026-11-02T01:00:00Z,succeeded,n1,1\n"
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Commands that read do not create a database: they report that it is missing, and doctor names the next command.
func TestReadingAFreshFolderMakesNothing(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	dir := filepath.Join(t.TempDir(), "data")
	const first = "gpuledger import auto FOLDER"
	for _, command := range []string{
		"report costs", "verify", "explain run/1", "user list",
		"token list", "bi list", "policy list", "allocate", "close 2026-10",
	} {
		code, out, errs := gpuledger(t, append([]string{"--data-dir=" + dir}, strings.Fields(command)...)...)
		if code != exitFailed || out != "" || !strings.Contains(errs, "nothing has been imported yet") ||
			!strings.Contains(errs, first) {
			t.Errorf("%s: status %d: %s%s", command, code, out, errs)
		}
	}
	if code, out, errs := gpuledger(t, "--data-dir="+dir, "doctor"); code != exitOK || !strings.Contains(out, first) {
		t.Errorf("doctor: status %d: %s%s", code, out, errs)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	empty := emptyDatabase(t)
	if code, out, errs := gpuledger(t, empty, "doctor"); code != exitOK || !strings.Contains(out, first) {
		t.Errorf("doctor of an empty database: status %d: %s%s", code, out, errs)
	}
	for _, command := range []string{"report costs", "allocate"} {
		if code, _, errs := gpuledger(t, append([]string{empty}, strings.Fields(command)...)...); code != exitFailed ||
			!strings.Contains(errs, first) {
			t.Errorf("%s of an empty database: status %d: %s", command, code, errs)
		}
	}
	if n := scan[int](t, connect(t, empty), "select count(*) from pg_tables where schemaname = 'public'"); n > 0 {
		t.Errorf("reading made %d tables", n)
	}
	must(t, empty, "migrate")
	if code, out, errs := gpuledger(t, empty, "doctor"); code != exitOK || !strings.Contains(out, first) {
		t.Errorf("doctor of tables without rows: status %d: %s%s", code, out, errs)
	}
	if code, out, errs := gpuledger(t, empty, "report", "costs", "--format=json"); code != exitOK ||
		!strings.Contains(out, `"rows":0`) || !strings.Contains(errs, first) {
		t.Errorf("report of tables without rows: status %d: %s%s", code, out, errs)
	}
}

// Commands that start at once in a fresh folder wait for each other: one makes the server, the database and its tables,
// and each does its work.
func TestCommandsAtOnceOnAFreshFolder(t *testing.T) {
	if _, err := localpg.Find(""); err != nil {
		t.Skip(err)
	}
	t.Setenv("DATABASE_URL", "")
	dir, file := t.TempDir(), someJobs(t)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var all []*process
	for _, command := range [][]string{
		{"migrate"}, {"import", "attempts", file}, {"migrate"}, {"import", "attempts", file},
	} {
		all = append(all, start(t, append([]string{"--data-dir=" + dir}, command...)...))
	}
	for _, p := range all {
		p.wait(t)
	}
	if rows := strings.Count(must(t, "--data-dir="+dir, "report", "imports", "--format=csv"), "\r\n"); rows != 3 {
		t.Errorf("%d lines of imports, want a header and 2", rows)
	}
}

// A database with others' tables is left unchanged until a flag asks for the ledger in it, too.
func TestADatabaseOfOthersIsLeftAlone(t *testing.T) {
	db, file := emptyDatabase(t), someJobs(t)
	conn := connect(t, db)
	execute(t, conn, "create table orders (id int)")
	for _, command := range []string{
		"migrate", "import attempts " + file, "report costs", "doctor", "verify", "allocate",
	} {
		code, _, errs := gpuledger(t, append([]string{db}, strings.Fields(command)...)...)
		if code != exitFailed || !strings.Contains(errs, "public.orders") ||
			!strings.Contains(errs, "gpuledger migrate --into-this-database") {
			t.Errorf("%s: status %d: %s", command, code, errs)
		}
	}
	if n := scan[int](t, conn, "select count(*) from pg_tables where schemaname = 'public'"); n != 1 {
		t.Fatalf("%d tables, want the 1 of before", n)
	}
	must(t, db, "migrate", "--into-this-database")
	must(t, db, "import", "attempts", file)
	must(t, db, "report", "imports")
}

// Commands that only read leave an older schema unchanged, and name the command that migrates it, which does.
func TestReadingDoesNotMigrate(t *testing.T) {
	db := emptyDatabase(t)
	must(t, db, "migrate")
	conn := connect(t, db)
	execute(t, conn, "comment on table star.cost_total_days is 'made from an older declaration'")
	for _, command := range []string{"report costs", "doctor", "verify", "user list"} {
		code, _, errs := gpuledger(t, append([]string{db}, strings.Fields(command)...)...)
		if code != exitFailed || !strings.Contains(errs, "run `gpuledger migrate`") {
			t.Errorf("%s: status %d: %s", command, code, errs)
		}
	}
	must(t, db, "migrate")
	must(t, db, "report", "costs")
	execute(t, conn, "update schema_version set version = version + 1")
	for _, command := range []string{"report costs", "doctor", "allocate", "migrate"} {
		if code, _, errs := gpuledger(t, append([]string{db}, strings.Fields(command)...)...); code != exitFailed ||
			!strings.Contains(errs, "use a newer gpuledger") {
			t.Errorf("%s of a newer schema: status %d: %s", command, code, errs)
		}
	}
}
