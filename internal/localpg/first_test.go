package localpg

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gpuledger/test/tier"
)

// envFirst makes the test binary work although it is the first process of its namespace.
const envFirst = "GPULEDGER_LOCALPG_TEST_FIRST"

// needNamespaces skips the test if no command can be the first process of a namespace.
func needNamespaces(t *testing.T) {
	t.Helper()
	needServer(t)
	if out, err := exec.Command("unshare", "--pid", "--fork", "--mount-proc", "true").CombinedOutput(); err != nil {
		tier.Absent(t, fmt.Errorf("no namespace of processes can be made here: %w: %s", err, out))
	}
}

// serverOf lists the processes of the server of a data directory, as seen from outside, with
// the supervisor: the parent of the postmaster.
func serverOf(t *testing.T, c *cluster) (postmaster int, all []int) {
	t.Helper()
	pids := c.orphans()
	for _, pid := range pids {
		parent, runs := parentOfRunning(pid)
		if !runs {
			continue
		}
		if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent)); err == nil &&
			!strings.HasPrefix(string(name), "postgres") {
			return pid, append([]int{parent}, pids...)
		}
	}
	return 0, nil
}

// zombies are the dead children that a process has not waited for.
func zombies(t *testing.T, parent int) (list []int) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || !zombie(pid) {
			continue
		}
		if stat, err := os.ReadFile(dir + "/stat"); err == nil {
			_, after, _ := strings.Cut(string(stat), ") ")
			if f := strings.Fields(after); len(f) > 1 && f[1] == strconv.Itoa(parent) {
				list = append(list, pid)
			}
		}
	}
	return list
}

// A user that is the first process of a container, which inherits the processes of a killed server, recovers after all
// of the server was killed, both if it waits for them and if the first process waits for nothing.
func TestTheFirstProcessComesBackAfterItsServerWasKilled(t *testing.T) {
	needNamespaces(t)
	for name, first := range map[string]string{"it waits for all": "", "it waits for nothing": "1"} {
		t.Run(name, func(t *testing.T) {
			dir := dataDir(t)
			cmd := exec.Command("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", os.Args[0])
			cmd.Env = append(os.Environ(), envUser+"="+dir, envFirst+"="+first)
			in, out := pipes(t, cmd)
			ready(t, out)
			bin, err := Find("")
			if err != nil {
				t.Fatal(err)
			}
			c, err := newCluster(dir, bin)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				old, all := serverOf(t, c)
				if old == 0 {
					t.Fatal("no server runs")
				}
				kill(t, syscall.SIGKILL, all...)
				deadline := time.Now().Add(30 * time.Second)
				for {
					if now, _ := serverOf(t, c); now != 0 && now != old && c.ready() == nil {
						break
					}
					if time.Now().After(deadline) {
						t.Fatalf("no server comes back: %s", c.supervisorText())
					}
					time.Sleep(20 * time.Millisecond)
				}
			}
			if left := zombies(t, firstBelow(t, cmd.Process.Pid)); first == "" && len(left) > 0 {
				t.Errorf("zombies %v are left", left)
			}
			if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
				t.Error(err)
			}
		})
	}
}

// firstBelow is the child of unshare: the first process of its namespace.
func firstBelow(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		t.Fatal(err)
	}
	first, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return first
}

// A lock file that names another program, or a zombie, does not keep the server from starting.
func TestLockFilesOfTheDeadAreForgotten(t *testing.T) {
	c := &cluster{data: t.TempDir(), socket: t.TempDir()}
	dead := exec.Command("true")
	if err := dead.Start(); err != nil {
		t.Fatal(err)
	}
	defer dead.Wait() //nolint:errcheck // it is true
	for deadline := time.Now().Add(10 * time.Second); !zombie(dead.Process.Pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not end")
		}
	}
	for name, pid := range map[string]int{"a zombie": dead.Process.Pid, "another program": os.Getpid()} {
		socketLock := filepath.Join(c.socket, socketName+".lock")
		for _, path := range []string{c.pidFile(), socketLock} {
			if err := os.WriteFile(path, fmt.Appendf(nil, "%d\n%s\n", pid, c.data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.forgetDead(); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{c.pidFile(), socketLock} {
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s of %s stays: %v", filepath.Base(path), name, err)
			}
		}
	}
}

// A command right after all of a server and its supervisor were killed waits for the recovery, and the log reports it
// if that takes long.
func TestACommandRightAfterAKillWaits(t *testing.T) {
	needServer(t)
	dir := dataDir(t)
	user, in := startUser(t, dir)
	bin, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCluster(dir, bin)
	if err != nil {
		t.Fatal(err)
	}
	_, all := serverOf(t, c)
	kill(t, syscall.SIGKILL, append(all, user.Process.Pid)...)
	s, err := Start(t.Context(), Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), in.Close()); err != nil {
		t.Error(err)
	}
	_ = user.Wait() // killed
	said, out := io.Pipe()
	end := c.sayWaiting(slog.New(slog.NewTextHandler(out, nil)), 0)
	line, err := bufio.NewReader(said).ReadString('\n')
	end()
	if err != nil || !strings.Contains(line, "waiting for the local PostgreSQL") {
		t.Errorf("the log says %q: %v", line, err)
	}
}
