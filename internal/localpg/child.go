package localpg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// settings are the server options of every managed server; memory suits a small machine, and it listens only on one
// Unix socket.
var settings = map[string]string{
	"listen_addresses":             "",
	"unix_socket_permissions":      "0700",
	"max_connections":              "100",
	"shared_buffers":               "256MB",
	"work_mem":                     "32MB",
	"maintenance_work_mem":         "128MB",
	"wal_level":                    "minimal",
	"max_wal_senders":              "0",
	"max_wal_size":                 "2GB",
	"checkpoint_timeout":           "15min",
	"checkpoint_completion_target": "0.9",
	"jit":                          "off",
	"timezone":                     "UTC",
	"log_timezone":                 "UTC",
	"logging_collector":            "off",
	"log_min_messages":             "warning",
	// PostgreSQL's default, set explicitly: acknowledged commits outlive the server. A process of the server writes its
	// log, so "off" would lose the last 0.6 s of commits whenever the server is killed, not only on a power failure.
	// Sessions that write recomputable data set "off" themselves.
	"synchronous_commit": "on",
}

// child is a running postgres whose life is bound to this process.
type child struct {
	cluster *cluster
	pid     int
	done    chan struct{} // closed when the server has ended
	err     error         // valid after done
}

// patience is how long processes that an earlier server left behind may take to end.
const patience = 30 * time.Second

// startChild starts the server, after processes of an earlier one have ended. It stops with SIGINT when this process
// dies.
func (c *cluster) startChild(extra map[string]string) (*child, error) {
	deadline := time.Now().Add(patience)
	if err := c.endOld(deadline); err != nil {
		return nil, err
	}
	if err := c.endOrphans(deadline); err != nil {
		return nil, err
	}
	if err := c.forgetDead(); err != nil {
		return nil, err
	}
	args := []string{"-D", c.data, "-k", c.socket}
	merged := maps.Clone(settings)
	maps.Copy(merged, extra)
	for _, k := range slices.Sorted(maps.Keys(merged)) {
		args = append(args, "-c", k+"="+merged[k])
	}
	cmd := c.command(context.Background(), "postgres", args...)
	cmd.SysProcAttr.Pdeathsig = syscall.SIGINT
	log, err := os.OpenFile(filepath.Join(c.root, "postgres.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open server log: %w", err)
	}
	cmd.Stdout, cmd.Stderr = log, log

	ch := &child{cluster: c, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		// The death signal is tied to the thread that forks, so this goroutine keeps its thread until the server has
		// ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		closeErr := log.Close() // the server has its own copy
		if err == nil {
			ch.pid = cmd.Process.Pid
		}
		started <- errors.Join(err, closeErr)
		if err == nil {
			ch.err = cmd.Wait()
		}
		close(ch.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Join(c.bin, "postgres"), err)
	}
	return ch, nil
}

// stop ends the server: fast shutdown, and after 30 s immediately.
func (ch *child) stop() error {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGINT, 30 * time.Second}, {syscall.SIGQUIT, 10 * time.Second}, {syscall.SIGKILL, 5 * time.Second}} {
		if err := syscall.Kill(ch.pid, step.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("stop PostgreSQL: %w", err)
		}
		select {
		case <-ch.done:
			return nil
		case <-time.After(step.wait):
		}
	}
	return fmt.Errorf("PostgreSQL with process id %d does not end", ch.pid)
}

// exitText describes how the server ended, with the end of its log.
func (ch *child) exitText() string {
	how := "PostgreSQL ended"
	if exit, ok := errors.AsType[*exec.ExitError](ch.err); ok {
		how = fmt.Sprintf("PostgreSQL ended with %s", exit.ProcessState)
	}
	return how + ": " + ch.logText()
}

// logText is the end of the server's log.
func (ch *child) logText() string {
	log, err := os.ReadFile(filepath.Join(ch.cluster.root, "postgres.log"))
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(log[max(0, len(log)-2000):]))
}
