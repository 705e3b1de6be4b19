package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/localpg"
	"gpuledger/internal/pgtest"
)

// asProgram makes the test binary be gpuledger: for tests that need processes
// they can kill.
const asProgram = "GPULEDGER_TEST_AS_PROGRAM"

// filesOfTests holds what several tests read; it goes when they end.
var filesOfTests string

func TestMain(m *testing.M) {
	localpg.SuperviseIfAsked()
	if os.Getenv(asProgram) != "" {
		main()
	}
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

// must runs a command line in this process and returns its standard output.
func must(t testing.TB, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, &out, &errs); code != exitOK {
		t.Fatalf("gpuledger %q: status %d\n%s%s", args, code, clip(out.String()), clip(errs.String()))
	}
	return out.String()
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

// until asks again and again until the answer is true.
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

// process is gpuledger as a process of its own.
type process struct {
	args      []string
	cmd       *exec.Cmd
	out, errs bytes.Buffer
	ended     chan struct{}
	began     time.Time
	took      time.Duration
}

func start(t testing.TB, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{args: args, cmd: exec.Command(self, args...), ended: make(chan struct{}), began: time.Now()}
	p.cmd.Env = append(os.Environ(), asProgram+"=1")
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // the state says how it ended
		p.took = time.Since(p.began)
		close(p.ended)
	}()
	t.Cleanup(func() { p.kill(t) })
	return p
}

// wait waits for a regular end with status 0.
func (p *process) wait(t testing.TB) {
	t.Helper()
	<-p.ended
	if code := p.cmd.ProcessState.ExitCode(); code != exitOK {
		t.Fatalf("gpuledger %q: status %d\n%s%s", p.args, code, clip(p.out.String()), clip(p.errs.String()))
	}
}

// kill ends the process with SIGKILL, reaps it, and reports whether that is
// what ended it.
func (p *process) kill(t testing.TB) bool {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	<-p.ended
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// killAfter lets the process live for a while; false when it ended before.
func (p *process) killAfter(t testing.TB, d time.Duration) bool {
	t.Helper()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return p.kill(t)
	case <-p.ended:
		p.wait(t)
		return false
	}
}

var addressLine = regexp.MustCompile(`https?://\S+`)

// serveLedger runs the serve command on a free port until the test ends and
// returns its address. stop ends it earlier and returns its exit status.
func serveLedger(t testing.TB, db string, flags ...string) (url string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	r, w := io.Pipe()
	var errs bytes.Buffer
	code := 0
	done := make(chan struct{})
	go func() {
		code = run(ctx, append([]string{db, "--log-level=warn", "serve", "--addr=127.0.0.1:0"}, flags...), w, &errs)
		_ = w.Close()
		close(done)
	}()
	stop = sync.OnceValue(func() int {
		cancel()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Error("serve does not end")
			return exitFailed
		}
		if errs.Len() > 0 {
			t.Errorf("serve logged:\n%s", clip(errs.String()))
		}
		return code
	})
	t.Cleanup(func() { stop() })
	line := make([]byte, 200)
	n, err := r.Read(line)
	if err != nil {
		<-done
		t.Fatalf("serve did not start: %v\n%s", err, errs.String())
	}
	go func() { _, _ = io.Copy(io.Discard, r) }() // what it says later is not waited for
	return addressLine.FindString(string(line[:n])), stop
}
