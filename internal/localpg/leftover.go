package localpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// endOld asks a server that an earlier owner left to end, and waits for it: its owner is gone, or we would not hold the
// locks.
func (c *cluster) endOld(deadline time.Time) error {
	for first := true; ; first = false {
		pid, ok := c.runningServer()
		if !ok {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("a PostgreSQL with process id %d still uses %s; stop it and try again", pid, c.data)
		}
		if first {
			if err := syscall.Kill(pid, syscall.SIGINT); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("stop the PostgreSQL left behind (process id %d): %w", pid, err)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// forgetDead removes lock files that name a process that is not a server of this data: a zombie, or another program
// that has got the number since. PostgreSQL checks only that the process exists, and would refuse to start. It is
// called once no process of an earlier server is left.
func (c *cluster) forgetDead() error {
	if _, ok := c.runningServer(); ok {
		return nil
	}
	for _, path := range []string{c.pidFile(), filepath.Join(c.socket, socketName+".lock")} {
		pid, ok := pidIn(path)
		if !ok || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			continue // PostgreSQL sees that for itself
		}
		fmt.Fprintf(os.Stderr, "gpuledger: local PostgreSQL: %s names process %d, which is not a server of this data; it is "+
			"removed\n", path, pid)
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove a lock file that an earlier PostgreSQL left behind: %w", err)
		}
	}
	return nil
}

// pidFile is the file with the server's process id.
func (c *cluster) pidFile() string { return filepath.Join(c.data, "postmaster.pid") }

// pidIn reads the process id at the beginning of a lock file.
func pidIn(path string) (pid int, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err = strconv.Atoi(strings.TrimSpace(first))
	return pid, err == nil && pid > 0
}

// runningServer reads postmaster.pid and reports a live postgres on our data.
func (c *cluster) runningServer() (pid int, ok bool) {
	pid, ok = pidIn(c.pidFile())
	if !ok || pid == 1 || syscall.Kill(pid, 0) != nil || zombie(pid) {
		return 0, false
	}
	// The number may belong to another program by now.
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err == nil && !strings.Contains(string(cmdline), c.data) {
		return 0, false
	}
	return pid, true
}

// zombie reports a process that has ended but has not been waited for.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(after, "Z")
}

// endOrphans ends the processes of a server whose postmaster is gone. They notice its death only when they next wait
// for something, and hold its shared memory until then. They get a signal to stop, and SIGKILL if they do not: there is
// no postmaster whose shared memory that could corrupt.
func (c *cluster) endOrphans(deadline time.Time) error {
	signal := syscall.SIGQUIT
	for force := time.Now().Add(3 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		orphans := c.orphans()
		if len(orphans) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v of an earlier PostgreSQL still use %s; end them and try again", orphans, c.data)
		}
		if signal == 0 {
			if time.Now().Before(force) {
				continue
			}
			signal = syscall.SIGKILL
		}
		fmt.Fprintf(os.Stderr, "gpuledger: local PostgreSQL: ending processes %v that an earlier server left behind (%v)\n",
			orphans, signal)
		for _, pid := range orphans {
			if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("end process %d that an earlier PostgreSQL left behind: %w", pid, err)
			}
		}
		if signal == syscall.SIGKILL {
			force = time.Now().Add(time.Second)
		}
		signal = 0
	}
}

// orphans lists the PostgreSQL processes that work in our data directory. If no postmaster lives, all of them belong to
// an earlier server. Without /proc the list is empty.
func (c *cluster) orphans() []int {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil { // only a malformed pattern
		return nil
	}
	var pids []int
	for _, dir := range dirs {
		where, err := os.Readlink(dir + "/cwd")
		if err != nil || strings.TrimSuffix(where, " (deleted)") != c.data {
			continue
		}
		name, err := os.ReadFile(dir + "/comm")
		pid, errPID := strconv.Atoi(filepath.Base(dir))
		if err == nil && errPID == nil && strings.HasPrefix(string(name), "postgres") && !zombie(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// memoryInUse reports that the server ended because processes of an older one,
// which we could not see, still hold its shared memory.
func (ch *child) memoryInUse() bool {
	return strings.Contains(ch.logText(), "pre-existing shared memory block")
}
