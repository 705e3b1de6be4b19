package localpg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"gpuledger/test/tier"
)

// envUser makes the test binary a process that uses the server of the named data directory, prints "ready" and stays
// until its stdin closes.
const envUser = "GPULEDGER_LOCALPG_TEST_USER"

func TestMain(m *testing.M) {
	if os.Getenv(envFirst) == "" {
		LiveBelowFirst()
	}
	SuperviseIfAsked()
	if dir := os.Getenv(envUser); dir != "" {
		os.Exit(useServer(dir))
	}
	os.Exit(m.Run())
}

func useServer(dir string) int {
	s, err := Start(context.Background(), Options{DataDir: dir})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		fmt.Println(err)
		return 1
	}
	if err := s.Close(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func needServer(t *testing.T) {
	t.Helper()
	if _, err := Find(""); errors.Is(err, ErrNoServer) {
		tier.Absent(t, err)
	}
}

func startUser(t *testing.T, dir string) (*exec.Cmd, io.Closer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envUser+"="+dir)
	in, out := pipes(t, cmd)
	ready(t, out)
	return cmd, in
}

// pipes starts a command and returns its input and output.
func pipes(t *testing.T, cmd *exec.Cmd) (io.WriteCloser, io.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// ready waits until a user process has its server.
func ready(t *testing.T, out io.Reader) {
	t.Helper()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ready" {
		t.Fatalf("the user process says %q (%v)", line, err)
	}
}

func socketOf(dir string) string { return filepath.Join(dir, "run", ".s.PGSQL.5432") }

func gone(t *testing.T, dir string) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		conn, err := net.Dial("unix", socketOf(dir))
		if err != nil {
			l, lockErr := tryLock(dir, supervisorLock, syscall.LOCK_EX)
			if lockErr != nil {
				t.Fatal(lockErr)
			}
			if l != nil {
				if err := l.release(); err != nil {
					t.Fatal(err)
				}
				return
			}
		} else if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal("a server or its supervisor was left behind")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// dataDir is a folder that the server's user can reach: t.TempDir lies under a
// closed parent.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gpl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		gone(t, dir)
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestStartStopAndWarmStart(t *testing.T) {
	needServer(t)
	dir := dataDir(t)
	ctx := t.Context()
	s, err := Start(ctx, Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cluster.ready(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	gone(t, dir)
	begin := time.Now()
	s, err = Start(ctx, Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("warm start: %v", time.Since(begin).Round(time.Millisecond))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestKilledUserLeavesNoServer(t *testing.T) {
	needServer(t)
	dir := dataDir(t)
	cmd, _ := startUser(t, dir)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("a killed process ended well")
	}
	gone(t, dir)
	s, err := Start(t.Context(), Options{DataDir: dir})
	if err != nil {
		t.Fatal("start after kill -9:", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTwoProcessesShareOneServer(t *testing.T) {
	needServer(t)
	dir := dataDir(t)
	first, firstIn := startUser(t, dir)
	second, secondIn := startUser(t, dir)
	if err := firstIn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err != nil {
		t.Fatal(err)
	}
	s, err := Start(t.Context(), Options{DataDir: dir}) // the server outlives its first user
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := secondIn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := second.Wait(); err != nil {
		t.Fatal(err)
	}
	gone(t, dir)
}

func TestKilledSupervisorTakesTheServerAlong(t *testing.T) {
	needServer(t)
	dir := dataDir(t)
	cmd, in := startUser(t, dir)
	c := &cluster{root: dir, data: filepath.Join(dir, "postgres"), socket: filepath.Join(dir, "run")}
	server, ok := c.runningServer()
	if !ok {
		t.Fatal("no server is running")
	}
	supervisor := parentOf(t, server)
	// Its user first: as long as one lives it starts both again.
	for _, pid := range []int{cmd.Process.Pid, supervisor} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("a user that is killed ends well")
	}
	gone(t, dir)
}

// The collector drops a lock without references; those of the supervisor must outlive it.
func TestLocksOutliveTheCollector(t *testing.T) {
	dir := t.TempDir()
	l, err := takeLock(dir, supervisorLock, syscall.LOCK_EX)
	if err != nil {
		t.Fatal(err)
	}
	holdUntilExit(l)
	for range 5 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond) // finalizers run concurrently
	}
	second, err := tryLock(dir, supervisorLock, syscall.LOCK_EX)
	if err != nil || second != nil {
		t.Errorf("the lock was dropped: %v, %v", second, err)
	}
}

func TestRefusesAnotherMajorVersion(t *testing.T) {
	needServer(t)
	bin, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCluster(dataDir(t), bin)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.data, "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err = c.ensureInitialised(t.Context())
	if err == nil || !strings.Contains(err.Error(), "made by PostgreSQL 9") {
		t.Fatalf("got %v", err)
	}
}

func TestFindSaysWhatToDo(t *testing.T) {
	if _, err := Find(t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no postgres") {
		t.Fatalf("got %v", err)
	}
}

// A newcomer may meet the supervisor at any point of its end.
func TestStartWhileTheServerStops(t *testing.T) {
	needServer(t)
	dir := dataDir(t)
	for i := range 8 {
		s, err := Start(t.Context(), Options{DataDir: dir})
		if err != nil {
			t.Fatalf("start %d: %v", i, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(150+40*i) * time.Millisecond) // around the poll and the stop
	}
}

// A folder is fresh until a server was made in it, and while no process is making one; Fresh creates nothing.
func TestFresh(t *testing.T) {
	root := filepath.Join(t.TempDir(), "data")
	fresh := func() bool {
		t.Helper()
		yes, err := Fresh(root)
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	if !fresh() {
		t.Error("a folder that is not there is not fresh")
	}
	if _, err := os.Lstat(root); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("asking made it: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(root, dataFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	users, err := takeLock(root, usersLock, syscall.LOCK_SH)
	if err != nil {
		t.Fatal(err)
	}
	if fresh() {
		t.Error("somebody makes a server, and it is fresh")
	}
	if err := users.release(); err != nil {
		t.Fatal(err)
	}
	if !fresh() {
		t.Error("somebody was killed who would have made a server, and it is not fresh")
	}
	if err := os.WriteFile(filepath.Join(root, dataFolder, "PG_VERSION"), []byte("15\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if fresh() {
		t.Error("a server is there, and it is fresh")
	}
}
