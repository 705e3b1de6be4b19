package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// top is the folder of the repository: tests run in their own folder.
var top = filepath.Join("..", "..")

// program is gpuledger, built by the first test that starts it. Its sources are opened in a test, because go test does
// not track files that TestMain opens.
func program(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filesOfTests, "gpuledger")
	if _, err := goTool("build", "-ldflags=-s -w", "-o", path, "./cmd/gpuledger"); err != nil {
		return "", err
	}
	return path, openSources()
})

// openSources opens the folder of each package of the program, and embedded files. go test records the files that tests
// open, and uses its cache only while these are unchanged: otherwise it could not know that these tests depend on that
// program.
func openSources() error {
	list, err := goTool("list", "-deps", "-f", `{{with .Module}}{{if .Main}}{{$.Dir}}{{range $.EmbedFiles}}
{{$.Dir}}/{{.}}{{end}}{{end}}{{end}}`, "./cmd/gpuledger")
	if err != nil {
		return err
	}
	opened := 0
	for path := range strings.FieldsSeq(list + " " + filepath.Join(top, "go.mod") + " " + filepath.Join(top, "go.sum")) {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		opened++
	}
	if opened < 100 {
		return fmt.Errorf("the program is made of more than %d folders and files", opened)
	}
	return nil
}

func goTool(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = top
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

// Exit statuses of the program, a promise to scripts.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitPending     = 4
	exitWaits       = 5
	exitInterrupted = 130
)

// paper is the output of a program, readable while it runs.
type paper struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *paper) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(text)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

// process is gpuledger while it runs.
type process struct {
	args      []string
	cmd       *exec.Cmd
	out, errs paper
	ended     chan struct{}
	began     time.Time
	took      time.Duration
}

func start(t testing.TB, args ...string) *process {
	t.Helper()
	p := &process{args: args, cmd: exec.Command(program(t), args...), ended: make(chan struct{}), began: time.Now()}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // the state has how it ended
		p.took = time.Since(p.began)
		close(p.ended)
	}()
	t.Cleanup(func() { p.kill(t) })
	return p
}

// gpuledger runs a command line to its end, at the latest the end of the test.
func gpuledger(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t), args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// must runs a command line that must succeed and returns its standard output.
func must(t testing.TB, args ...string) string {
	t.Helper()
	code, out, errs := gpuledger(t, args...)
	if code != exitOK {
		t.Fatalf("gpuledger %q: status %d\n%s%s", args, code, clip(out), clip(errs))
	}
	return out
}

// wait waits for a regular end with status 0.
func (p *process) wait(t testing.TB) {
	t.Helper()
	<-p.ended
	if code := p.code(); code != exitOK {
		t.Fatalf("gpuledger %q: status %d\n%s%s", p.args, code, clip(p.out.String()), clip(p.errs.String()))
	}
}

// code is the exit status of a process that has ended.
func (p *process) code() int { return p.cmd.ProcessState.ExitCode() }

// running reports whether the process has not ended.
func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// end asks the process to end, as a service manager does, and returns its exit status.
func (p *process) end(t testing.TB) int {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		t.Errorf("gpuledger %q does not end", p.args)
		p.kill(t)
	}
	return p.code()
}

// kill ends the process with SIGKILL, reaps it, and reports whether the kill ended it.
func (p *process) kill(t testing.TB) bool {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	<-p.ended
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// killAfter lets the process live for a while; false if it ended before.
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

// manyRequests is a configuration in which one client may send many requests a second.
func manyRequests(t testing.TB) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "limits.yaml")
	if err := os.WriteFile(file, []byte("limits: {rate: 1000}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// serveLedger runs the serve command on a free port until the test ends and
// returns its address. stop ends it earlier and returns its exit status.
func serveLedger(t testing.TB, db string, flags ...string) (url string, stop func() int) {
	t.Helper()
	p := start(t, append([]string{db, "--log-level=warn", "serve", "--addr=127.0.0.1:0"}, flags...)...)
	stop = sync.OnceValue(func() int {
		code := p.end(t)
		if errs := p.errs.String(); errs != "" {
			t.Errorf("serve logged:\n%s", clip(errs))
		}
		return code
	})
	t.Cleanup(func() { stop() })
	until(t, "serve to say where it is", func() bool {
		url = addressLine.FindString(p.out.String())
		if url == "" && !p.running() {
			t.Fatalf("serve did not start: status %d\n%s", p.code(), p.errs.String())
		}
		return url != ""
	})
	return url, stop
}
