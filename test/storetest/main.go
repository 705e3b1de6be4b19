package storetest

import (
	"context"
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
)

// seen collects the statements that the tests of a package ran.
var seen sync.Map

// Tracer records executed statements.
type Tracer struct{}

// TraceQueryStart records a statement.
func (Tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	seen.Store(data.SQL, true)
	return ctx
}

// TraceQueryEnd does nothing.
func (Tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart records the statements of a batch.
func (Tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		seen.Store(q.SQL, true)
	}
	return ctx
}

// TraceBatchQuery does nothing.
func (Tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd does nothing.
func (Tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// New opens a store on a fresh database with the current schema.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, pgtest.New(t, Migrate))
}

// Open opens a store on a database.
func Open(t testing.TB, dsn string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dsn, pg.Options{Tracer: Tracer{}})
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

// Main runs the tests of a room and fails if a statement of its folder sql was never run on PostgreSQL. elsewhere
// names, by area or name, the statements that tests of another package run, and which package.
func Main(m *testing.M, elsewhere map[string]string) {
	code := m.Run()
	if code == 0 && fullRun() && ran() {
		for _, name := range unseen(elsewhere) {
			println("no test runs statement " + name)
			code = 1
		}
	}
	os.Exit(code)
}

// The read side's queries are composed from its files.
var readSide = regexp.MustCompile(`^(report|explain|view|page)`)

// unseen are the statements that should have been run but were not.
func unseen(elsewhere map[string]string) (list []string) {
	named, err := pg.Named(os.DirFS("."))
	if err != nil {
		panic(err)
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		text := pg.Statement(name)
		area, _, _ := strings.Cut(name, ".")
		if elsewhere[area] != "" || elsewhere[name] != "" || filledIn(text) || readSide.MatchString(name) {
			continue
		}
		if _, ok := seen.Load(text); !ok {
			list = append(list, name)
		}
	}
	return list
}

// filledIn reports whether a statement reaches the server in another form: COPY is not traced, and some have table
// names filled in.
func filledIn(text string) bool {
	if strings.HasPrefix(text, "copy ") {
		return true
	}
	for _, place := range []string{":table", ":number", ":rows", ":fresh"} {
		if strings.Contains(text, place) {
			return true
		}
	}
	return false
}

// ran reports whether any statement was run: tests are skipped without PostgreSQL.
func ran() (some bool) {
	seen.Range(func(_, _ any) bool { some = true; return false })
	return some
}

// fullRun reports whether all tests were selected.
func fullRun() bool {
	for _, a := range os.Args {
		if strings.HasPrefix(a, "-test.run=") || strings.HasPrefix(a, "-test.bench=") ||
			strings.HasPrefix(a, "-test.list=") {
			return false
		}
	}
	return true
}
