package e2e

import (
	"context"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/test/tier"
)

// blocksOf are the code blocks of a page in a language.
func blocksOf(t *testing.T, page, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, "docs", filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, b[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return blocks
}

// lastNumber is the number in the last line of an output.
func lastNumber(t *testing.T, what, out string) *big.Rat {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	v, ok := new(big.Rat).SetString(strings.TrimSpace(lines[len(lines)-1]))
	if !ok {
		t.Fatalf("%s printed %s", what, clip(out))
	}
	return v
}

// withPandas is a Python that has the packages of the recipes.
func withPandas(t *testing.T) string {
	t.Helper()
	for _, python := range []string{os.Getenv("GPULEDGER_PYTHON"), "python3", "/usr/bin/python3"} {
		if python != "" && exec.CommandContext(t.Context(), python, "-c", "import pandas, psycopg2, sqlalchemy").Run() == nil {
			return python
		}
	}
	tier.Absent(t, "no Python with pandas, psycopg2 and sqlalchemy (apt-get install python3-pandas python3-psycopg2 "+
		"python3-sqlalchemy)")
	return ""
}

// TestRecipesRun runs what the pages for BI tools say, as a BI login: SQL has rows, and what psql, SQLAlchemy, pandas and
// DuckDB add up is the report's sum.
func TestRecipesRun(t *testing.T) {
	db := smallLedger(t)
	conn, address, drop := asLogin(t, db, "gl_recipes")
	defer drop()
	for _, sql := range blocksOf(t, "answer/recipes.md", "sql") {
		figureOf(t, conn, strings.SplitN(sql, "\n", 2)[0], strings.TrimSuffix(strings.TrimSpace(sql), ";"))
	}
	want := summed(t, db, "effective_cost", "costs", "--filter=currency = USD")
	run := func(what, program string, args ...string) {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = append(os.Environ(), "GPULEDGER_BI="+address)
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		} else if got := lastNumber(t, what, string(out)); got.Cmp(want) != 0 {
			t.Errorf("%s: %s, the report says %s", what, got.FloatString(12), want.FloatString(12))
		}
	}
	for _, sh := range blocksOf(t, "connect/bi.md", "sh") {
		run("psql", "sh", "-c", sh)
	}
	t.Run("duckdb", func(t *testing.T) {
		duck := startDuckDB(t)
		file := filepath.Join(t.TempDir(), "costs.parquet")
		must(t, db, "report", "costs", "--granularity=day", "--group-by=team,cause", "--format=parquet", "--out="+file)
		for _, sql := range blocksOf(t, "connect/bi.md", "duckdb") {
			rows := duck.ask(t, "select sum(cost)::varchar from ("+strings.ReplaceAll(sql, "costs.parquet", file)+")")
			if got := lastNumber(t, "DuckDB", rows[0][0]); got.Cmp(want) != 0 {
				t.Errorf("DuckDB: %s, the report says %s", got.FloatString(12), want.FloatString(12))
			}
		}
	})
	t.Run("python", func(t *testing.T) {
		python := withPandas(t)
		for _, code := range blocksOf(t, "connect/bi.md", "python") {
			run(strings.SplitN(code, "\n\n", 2)[0], python, "-c", code)
		}
	})
}

// TestEveryColumnOfTheViewsHasAMeaning: BI tools show the comments of views and columns.
func TestEveryColumnOfTheViewsHasAMeaning(t *testing.T) {
	conn := connect(t, smallLedger(t))
	rows, err := conn.Query(t.Context(), `select format('%s.%s', c.relname, a.attname)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where n.nspname = 'bi_v1' and c.relkind = 'v'
  and (coalesce(col_description(c.oid, a.attnum), '') = '' or coalesce(obj_description(c.oid, 'pg_class'), '') = '')`)
	if err != nil {
		t.Fatal(err)
	}
	silent, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(silent) > 0 {
		t.Errorf("%d columns without a comment, or of a view without one: %v %v", len(silent), silent[:min(5, len(silent))], err)
	}
	if n := scan[int](t, conn, "select count(*) from information_schema.columns where table_schema = 'bi_v1'"); n < 1000 {
		t.Errorf("only %d columns", n)
	}
}

// TestBIToolsReachTheManagedServer: with --bi-listen, a login of the program's own PostgreSQL connects over TCP, and its
// owner does not.
func TestBIToolsReachTheManagedServer(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	data := "--data-dir=" + filepath.Join(dir, "d")
	if code, _, errs := gpuledger(t, data, "serve", "--addr=127.0.0.1:0", "--bi-listen=0.0.0.0:0"); code != exitFailed ||
		!strings.Contains(errs, "other machines could reach it") {
		t.Errorf("an open address: status %d: %s", code, clip(errs))
	}
	if code, _, errs := gpuledger(t, "--database-url=postgres:///x", "serve", "--bi-listen=127.0.0.1:0"); code != exitFailed ||
		!strings.Contains(errs, "--bi-listen is for the PostgreSQL that gpuledger runs itself") {
		t.Errorf("with a database: status %d: %s", code, clip(errs))
	}
	p := start(t, data, "--log-level=error", "serve", "--addr=127.0.0.1:0", "--bi-listen=127.0.0.1:0")
	listening := regexp.MustCompile(`BI logins connect to (\S+), database gpuledger`)
	until(t, "serve to say where BI logins connect", func() bool {
		if !p.running() {
			t.Fatalf("serve ended: %s", p.errs.String())
		}
		return listening.MatchString(p.out.String()) && addressLine.MatchString(p.out.String())
	})
	at := listening.FindStringSubmatch(p.out.String())[1]
	out := must(t, data, "bi", "login", "bi_tcp")
	said := regexp.MustCompile(`postgres://bi_tcp:\S+@127\.0\.0\.1:5433/gpuledger\?sslmode=disable`).FindString(out)
	if said == "" {
		t.Fatalf("bi login says %s", out)
	}
	conn := connect(t, "--database-url="+strings.Replace(said, "127.0.0.1:5433", at, 1))
	if n := scan[int](t, conn, "select count(*) from bi_v1.costs"); n != 0 {
		t.Errorf("%d rows in an empty ledger", n)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for _, user := range []string{"gpuledger", "postgres"} {
		other, err := pgx.Connect(t.Context(), "postgres://"+user+"@"+at+"/gpuledger?sslmode=disable")
		if err == nil {
			t.Errorf("%s passes", user)
			_ = other.Close(context.WithoutCancel(t.Context()))
		} else if !strings.Contains(err.Error(), "28000") {
			t.Errorf("%s: %v", user, err)
		}
	}
	if code := p.end(t); code != exitOK {
		t.Errorf("serve ended with status %d: %s", code, p.errs.String())
	}
}
