package e2e

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/localpg"
	"gpuledger/test/pgtest"
)

// filesOfTests holds files that several tests read; it is removed when they end.
var filesOfTests string

func TestMain(m *testing.M) {
	localpg.SuperviseIfAsked()
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "gpuledger-cmd-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	filesOfTests = dir
	return m.Run()
}

// smallFleet writes the small preset once and returns its folder.
func smallFleet(t testing.TB) string {
	t.Helper()
	dir, err := writeSmallFleet()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var writeSmallFleet = sync.OnceValues(func() (string, error) {
	return simulate("small", fleetsim.Preset(fleetsim.Small))
})

// smallLedger is a database with the small fleet, allocated.
func smallLedger(t testing.TB) string {
	t.Helper()
	return "--database-url=" + pgtest.Filled(t, "small", func(dsn string) {
		must(t, "--database-url="+dsn, "import", "auto", smallFleet(t))
		must(t, "--database-url="+dsn, "allocate")
	})
}

func simulate(name string, cfg fleetsim.Config) (string, error) {
	dir := filepath.Join(filesOfTests, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	fleet, err := fleetsim.New(cfg)
	if err != nil {
		return "", err
	}
	_, err = fleet.WriteTo(context.Background(), dir)
	return dir, err
}

func clip(s string) string {
	if len(s) > 2000 {
		return s[:1000] + " … " + s[len(s)-1000:]
	}
	return s
}

// connect opens a connection of the test's own; db is a --database-url flag.
func connect(t testing.TB, db string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db[len("--database-url="):])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return conn
}

func execute(t testing.TB, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func scan[T any](t testing.TB, conn *pgx.Conn, sql string, args ...any) T {
	t.Helper()
	var v T
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// until repeats until the answer is true.
func until(t testing.TB, what string, answer func() bool) {
	t.Helper()
	deadline, tick := time.After(30*time.Second), time.NewTicker(2*time.Millisecond)
	defer tick.Stop()
	for !answer() {
		select {
		case <-deadline:
			t.Fatal("waited 30 s for ", what)
		case <-tick.C:
		}
	}
}

var addressLine = regexp.MustCompile(`https?://\S+`)
