package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/test/pgtest"
)

// A serve that is started before its database is alive but not ready, and starts to work once the database is there.
func TestServeWaitsForItsDatabase(t *testing.T) {
	real, err := pgconn.ParseConfig(pgtest.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "gpl") // sockets have short names
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir) // a link
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	p := start(t, fmt.Sprintf("--database-url=host=%s user=%s dbname=%s sslmode=disable", dir, real.User, real.Database),
		"serve", "--addr="+addr)
	status := func(path string) (code int, retry string) {
		r, err := http.Get("http://" + addr + path)
		if err != nil {
			return 0, ""
		}
		_ = r.Body.Close()
		return r.StatusCode, r.Header.Get("Retry-After")
	}
	until := func(path string, want int) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); ; {
			got, _ := status(path)
			if got == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s answers %d, want %d", path, got, want)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	until("/livez", http.StatusOK)
	for _, path := range []string{"/readyz", "/", "/api/v1/costs", "/api/v1/write"} {
		if got, retry := status(path); got != http.StatusServiceUnavailable || retry == "" {
			t.Errorf("%s without a database: %d, retry after %q", path, got, retry)
		}
	}
	const socket = ".s.PGSQL.5432"
	if err := os.Symlink(filepath.Join(real.Host, socket), filepath.Join(dir, socket)); err != nil {
		t.Fatal(err)
	}
	until("/readyz", http.StatusOK)
	if got := p.end(t); got != exitInterrupted && got != exitOK {
		t.Errorf("status %d: %s", got, p.errs.String())
	}
}
