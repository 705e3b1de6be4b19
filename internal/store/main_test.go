package store

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/pgtest"
)

// seen collects the statements that the tests of this package ran.
var seen sync.Map

type tracer struct{}

func (tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	seen.Store(data.SQL, true)
	return ctx
}

func (tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		seen.Store(q.SQL, true)
	}
	return ctx
}

func (tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// newStore opens a store on a fresh database with the current schema.
func newStore(t testing.TB) *Store {
	t.Helper()
	return openStore(t, pgtest.New(t, MigrateDSN))
}

func openStore(t testing.TB, dsn string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn, Options{Tracer: tracer{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

var cloneCount atomic.Int64

func execAdmin(t testing.TB, dsn, sql string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(ctx, sql)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		t.Fatal(sql, err)
	}
}

// The read side's files are its own tests' business.
var readSide = regexp.MustCompile(`^(report|explain|view|page)`)

func TestEveryStatementHasACallerAndEveryCallerAStatement(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		code.Write(text)
	}
	called := map[string]bool{}
	for _, m := range regexp.MustCompile(`"([a-z]+\.[a-z_]+)"`).FindAllStringSubmatch(code.String(), -1) {
		called[m[1]] = true
	}
	for _, scope := range []string{"node", "loose"} { // chunkWriter chooses by scope
		called["chunk."+scope+"_part_months"] = true
		called["chunk.history_of_"+scope] = true
	}
	for name, text := range statements {
		if readSide.MatchString(name) {
			continue
		}
		if !called[name] {
			t.Errorf("sql/%s.sql has no caller", name)
		}
		if strings.Contains(text, "where") && !strings.Contains(text, "tenant_id") && !strings.Contains(text, "next_") && !strings.Contains(text, "pg_class") { // a stage's own tables, and the server's
			t.Errorf("sql/%s.sql selects rows without a tenant", name)
		}
	}
	areas := map[string]bool{}
	for name := range statements {
		area, _, _ := strings.Cut(name, ".")
		areas[area] = true
	}
	for name := range called {
		if area, _, _ := strings.Cut(name, "."); areas[area] && !readSide.MatchString(name) && !strings.HasSuffix(name, "_") && statements[name] == "" {
			t.Errorf("%q is called but sql/%s.sql does not exist", name, name)
		}
	}
}

// elsewhere are statements that tests of other packages run on PostgreSQL, by
// area or name: closing over whole ledgers, several processes at once.
var elsewhere = map[string]string{
	"adjust": "internal/posting", "devices": "internal/posting", "layouts": "internal/posting", "close": "internal/posting", "statement": "internal/posting", "workers": "internal/workers", "waste": "internal/posting",
	"calculation.keep": "internal/workers", "calculation.mark": "internal/workers", "calculation.name": "internal/workers", "calculation.evict": "internal/workers",
	"advice.teams": "internal/posting", "calculation.fence": "internal/workers", "dirty.work": "internal/posting", "chunk.count_late": "internal/posting",
	"day.final_usage": "internal/posting", "day.final_postings": "internal/posting", "part.take_over_final": "internal/posting", "telemetry.touch_capacity": "internal/posting",
}

// TestMain fails the package when a statement was never run on PostgreSQL.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && fullRun() {
		if _, ran := seen.Load(statement("chunk.put")); ran { // not where tests were skipped for want of PostgreSQL
			for name, text := range statements {
				if strings.HasPrefix(text, "copy ") || strings.Contains(text, ":table") || strings.Contains(text, ":number") || strings.Contains(text, ":rows") || strings.Contains(text, ":fresh") || readSide.MatchString(name) {
					continue
				}
				area, _, _ := strings.Cut(name, ".")
				if elsewhere[area] != "" || elsewhere[name] != "" {
					continue
				}
				if _, ok := seen.Load(text); !ok {
					println("no test runs sql/" + name + ".sql")
					code = 1
				}
			}
		}
	}
	os.Exit(code)
}

// fullRun reports whether all tests were asked for.
func fullRun() bool {
	for _, a := range os.Args {
		if strings.HasPrefix(a, "-test.run=") || strings.HasPrefix(a, "-test.bench=") || strings.HasPrefix(a, "-test.list=") || a == "-test.short=true" {
			return false
		}
	}
	return true
}
