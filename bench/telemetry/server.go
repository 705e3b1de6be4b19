package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a process that accepts remote_write.
type server struct {
	cmd  *exec.Cmd
	log  bytes.Buffer
	url  string
	done chan struct{}
}

// startServer runs a program until it is ready.
func startServer(ctx context.Context, ready, url string, name string, args ...string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, name, args...), url: url, done: make(chan struct{})}
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(s.done)
		_ = s.cmd.Wait() // killed in the end
	}()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		select {
		case <-s.done:
			return nil, fmt.Errorf("%s ended: %s", name, s.log.String())
		default:
		}
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, ready, nil)
		if err != nil {
			return nil, err
		}
		if a, err := http.DefaultClient.Do(q); err == nil {
			_ = a.Body.Close()
			if a.StatusCode == http.StatusOK {
				return s, nil
			}
		}
	}
	s.kill()
	return nil, fmt.Errorf("%s does not get ready: %s", name, s.log.String())
}

// kill ends the process at once.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.done
}

// peak is the most memory that the process had, in bytes; 0 when not known.
func (s *server) peak() int64 { return statusField(s.cmd.Process.Pid, "VmHWM:") }

// cpu is the processor time that the process used so far.
func (s *server) cpu() time.Duration { return cpuOf(s.cmd.Process.Pid) }

func statusField(pid int, name string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), name)
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kB, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return kB << 10
}

// cpuOf is user and system time of a process and of children that it waited for.
func cpuOf(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	var ticks int64
	for _, i := range []int{11, 12, 13, 14} {
		if i < len(fields) {
			if n, err := strconv.ParseInt(fields[i], 10, 64); err == nil {
				ticks += n
			}
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// freeAddr is a free local address.
func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// startLedger serves a database.
func (r *rig) startLedger(ctx context.Context, dsn string) (*server, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	return startServer(ctx, "http://"+addr+"/readyz", "http://"+addr+"/api/v1/write", r.program, "serve", "--addr", addr,
		"--database-url", dsn)
}

// errNoPeer means that Prometheus is not installed.
var errNoPeer = errors.New("prometheus is not installed: no ratio")

// startPrometheus serves a separate, empty database.
func (r *rig) startPrometheus(ctx context.Context) (*server, error) {
	program, err := exec.LookPath("prometheus")
	if err != nil {
		return nil, errNoPeer
	}
	dir := filepath.Join(r.dir, "prometheus")
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(config, []byte("global: {scrape_interval: 1h}\n"), 0o644); err != nil {
		return nil, err
	}
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	return startServer(ctx, "http://"+addr+"/-/ready", "http://"+addr+"/api/v1/write", program, "--config.file", config,
		"--storage.tsdb.path", filepath.Join(dir, "data"), "--web.listen-address",
		addr, "--web.enable-remote-write-receiver", "--log.level", "warn")
}
