package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/test/tier"
)

// postmaster is the process id of the running server.
func postmaster(t *testing.T, c *cluster) int {
	t.Helper()
	pid, ok := c.runningServer()
	if !ok {
		t.Fatal("no server runs")
	}
	return pid
}

// parentOf is the process that started another: of a server its supervisor.
func parentOf(t *testing.T, pid int) int {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		tier.Absent(t, "no /proc here to find the supervisor in")
	}
	parent, runs := parentOfRunning(pid)
	if !runs {
		t.Fatalf("process %d has ended", pid)
	}
	return parent
}

// parentOfRunning is the parent of a process; false if it has ended.
func parentOfRunning(pid int) (int, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(after)
	if err != nil || len(f) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(f[1])
	return parent, err == nil
}

// kill signals processes; one that has ended meanwhile, such as a worker of autovacuum, is skipped.
func kill(t *testing.T, s syscall.Signal, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatalf("signal %d: %v", pid, err)
		}
	}
}

// comesBack waits until another server than old answers.
func comesBack(t *testing.T, c *cluster, old int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		if pid, ok := c.runningServer(); ok && pid != old && c.ready() == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("no server comes back: %s", c.supervisorText())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func start(t *testing.T) *Server {
	t.Helper()
	needServer(t)
	if _, err := os.Stat("/proc/self/cwd"); err != nil {
		tier.Absent(t, "no /proc here: processes that a server leaves behind cannot be seen")
	}
	s, err := Start(t.Context(), Options{DataDir: dataDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A killed postmaster comes back, although its leftover processes hold its shared memory and notice nothing.
func TestAKilledServerComesBackBesideItsOrphans(t *testing.T) {
	s := start(t)
	c := s.cluster
	old := postmaster(t, c)
	left := slices.DeleteFunc(c.orphans(), func(pid int) bool { return pid == old })
	if len(left) == 0 {
		t.Fatal("the server has no processes")
	}
	kill(t, syscall.SIGSTOP, left...) // deaf to all but SIGKILL
	kill(t, syscall.SIGKILL, old)
	comesBack(t, c, old)
	for _, pid := range left {
		if slices.Contains(c.orphans(), pid) {
			t.Errorf("process %d of the old server lives on", pid)
		}
	}
}

func TestAServerOutlivesItsSupervisor(t *testing.T) {
	s := start(t)
	old := postmaster(t, s.cluster)
	kill(t, syscall.SIGKILL, parentOf(t, old))
	comesBack(t, s.cluster, old)
}

// Committed data are there after all processes of the server are killed at once, however recent the commit.
func TestCommitsOutliveTheServer(t *testing.T) {
	s := start(t)
	ctx := t.Context()
	connect := func() *pgx.Conn {
		conn, err := pgx.Connect(ctx, s.DSN("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	conn := connect()
	if _, err := conn.Exec(ctx, "create table kept (n int)"); err != nil {
		t.Fatal(err)
	}
	const commits = 50
	for n := range commits {
		if _, err := conn.Exec(ctx, "insert into kept values ($1)", n); err != nil {
			t.Fatal(err)
		}
	}
	old := postmaster(t, s.cluster)
	kill(t, syscall.SIGKILL, s.cluster.orphans()...)
	comesBack(t, s.cluster, old)
	conn = connect()
	defer conn.Close(ctx)
	var have int
	if err := conn.QueryRow(ctx, "select count(*) from kept").Scan(&have); err != nil {
		t.Fatal(err)
	}
	if have != commits {
		t.Errorf("%d of %d commits are there", have, commits)
	}
}
