package e2e

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// When the server that serve runs for itself is killed, serve gets another one: it is ready again and answers from the
// stored data.
func TestServeGetsItsServerBack(t *testing.T) {
	dir, err := os.MkdirTemp("", "gpl")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)                      // the server has left it, or the next test fails
	if err := os.Chmod(dir, 0o711); err != nil { // the server may run as another user
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DATABASE_URL", "")
	p := start(t, "--data-dir="+dir, "serve", "--addr="+addr)
	status := func(path string) int {
		r, err := http.Get("http://" + addr + path)
		if err != nil {
			return 0
		}
		_ = r.Body.Close()
		return r.StatusCode
	}
	until := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !holds(); {
			if time.Now().After(end) {
				t.Fatalf("%s: not within a minute\n%s", what, clip(p.errs.String()))
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	postmaster := func() int {
		text, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
		if err != nil {
			return 0
		}
		first, _, _ := strings.Cut(string(text), "\n")
		pid, err := strconv.Atoi(first)
		if err != nil {
			return 0
		}
		return pid
	}
	ready := func() bool { return status("/readyz") == http.StatusOK && status("/api/v1/costs") == http.StatusOK }
	until("ready", ready)
	old := postmaster()
	if old == 0 {
		t.Fatal("no server runs in its data directory")
	}
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	until("another server", func() bool { now := postmaster(); return now != 0 && now != old })
	until("ready again", ready)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-p.ended
	if now := postmaster(); now != 0 {
		until("the server has ended", func() bool { return syscall.Kill(now, 0) != nil })
	}
}
