package live_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest/live"
	"gpuledger/ingest/remotewrite"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
	"gpuledger/test/tier"
)

const childDSN = "GPULEDGER_LIVE_TEST_DSN"

// TestMain runs a receiver if the test started this process to kill it.
func TestMain(m *testing.M) {
	if dsn := os.Getenv(childDSN); dsn != "" {
		if err := child(dsn); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(dsn string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := store.Open(ctx, dsn, pg.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	r := live.New(live.Options{Store: s, Now: func() time.Time { return start }, FlushEvery: 150 * time.Millisecond})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: r.Handler(), ReadHeaderTimeout: time.Second}
	go server.Serve(l)
	fmt.Println(l.Addr())
	return r.Run(ctx)
}

// killable is a receiver in a separate process.
type killable struct {
	cmd *exec.Cmd
	url string
}

func startChild(t *testing.T, dsn string) *killable {
	t.Helper()
	k := &killable{cmd: exec.Command(os.Args[0], "-test.run=^$")}
	k.cmd.Env = append(os.Environ(), childDSN+"="+dsn)
	k.cmd.Stderr = os.Stderr
	k.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := k.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("the receiver does not start: ", err)
	}
	k.url = "http://" + strings.TrimSpace(addr) + "/api/v1/write"
	return k
}

func (k *killable) end(s os.Signal) { _ = k.cmd.Process.Signal(s); _ = k.cmd.Wait() }

// senders send until stop: each for its own devices, minute after minute, each request until it
// is acknowledged. acked counts the acknowledged minutes.
type senders struct {
	mu    sync.Mutex
	url   string
	acked []int
	codes map[int]int
	slow  time.Duration
	wg    sync.WaitGroup
	quit  chan struct{}
}

func startSenders(n int, url string) *senders {
	s := &senders{url: url, acked: make([]int, n), codes: map[int]int{}, quit: make(chan struct{})}
	client := &http.Client{Timeout: 40 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: n}}
	for i := range n {
		s.wg.Go(func() {
			for n := 0; ; n++ {
				b := bytes.Clone(body([]remotewrite.Version{v1, v2}[i%2], func(e *remotewrite.Encoder) {
					util(e, deviceOf(i, n), minuteOf(n), valueOf(i, n))
				}))
				for !s.post(client, b, i) {
					select {
					case <-s.quit:
						return
					case <-time.After(5 * time.Millisecond):
					}
				}
				s.mu.Lock()
				s.acked[i]++
				s.mu.Unlock()
				select {
				case <-s.quit:
					return
				default:
				}
			}
		})
	}
	return s
}

// perDevice is how many minutes a sender sends for a device before the next.
const perDevice = 23 * 60

func deviceOf(i, n int) string       { return fmt.Sprintf("GPU-%d-%d", i, n/perDevice) }
func minuteOf(n int) int64           { return at(time.Duration(n%perDevice-perDevice) * time.Minute) }
func valueOf(i, n int) float64       { return float64((i*7 + n) % 101) }
func (s *senders) redirect(u string) { s.mu.Lock(); s.url = u; s.mu.Unlock() }

func (s *senders) post(client *http.Client, b []byte, i int) bool {
	s.mu.Lock()
	url := s.url
	s.mu.Unlock()
	q, _ := http.NewRequest(http.MethodPost, url, bytes.NewReader(b))
	q.Header.Set("Content-Type", []remotewrite.Version{v1, v2}[i%2].ContentType())
	q.Header.Set("Content-Encoding", remotewrite.Encoding)
	begin := time.Now()
	a, err := client.Do(q)
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, a.Body)
	a.Body.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[a.StatusCode]++
	s.slow = max(s.slow, time.Since(begin))
	return a.StatusCode == http.StatusNoContent
}

func (s *senders) stop() { close(s.quit); s.wg.Wait() }

// total is how many requests were acknowledged.
func (s *senders) total() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.acked {
		n += a
	}
	return n
}

// nothingLost compares stored with acknowledged samples. One request of each sender may be
// stored although its answer was lost.
func nothingLost(t *testing.T, g *rig, s *senders) {
	t.Helper()
	have := g.vectors()
	lost, wrong := 0, 0
	stored := 0
	for _, signals := range have {
		stored += len(signals[ledger.SignalGPUUtil])
	}
	for i, acked := range s.acked {
		for n := range acked {
			v, ok := have["default/n1/"+deviceOf(i, n)][ledger.SignalGPUUtil][minuteOf(n)/60_000]
			if !ok {
				lost++
			} else if v != int64(valueOf(i, n)*10_000) {
				wrong++
			}
		}
	}
	if most := s.total() + len(s.acked); stored > most {
		t.Errorf("%d minutes are stored, at most %d were sent", stored, most)
	}
	if lost+wrong > 0 {
		t.Errorf("%d acknowledged requests are lost, %d wrong", lost, wrong)
	}
	t.Logf("%d requests acknowledged, %d lost, %d wrong; answers %v, slowest %s", s.total(), lost, wrong, s.codes,
		s.slow.Round(time.Millisecond))
}

// bare is a rig without a receiver.
func bare(t *testing.T) *rig {
	g := &rig{t: t, dsn: pgtest.New(t, store.MigrateDSN), now: start}
	s, err := store.Open(t.Context(), g.dsn, pg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	g.store = s
	// What is acknowledged must be in the log of a database that is killed too.
	g.exec("alter database " + mustConfig(t, g.dsn).Database + " set synchronous_commit = on")
	return g
}

func mustConfig(t *testing.T, dsn string) *pgx.ConnConfig {
	c, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (g *rig) exec(sql string) {
	g.t.Helper()
	conn, err := pgx.Connect(context.Background(), g.dsn)
	if err != nil {
		g.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), sql); err != nil {
		g.t.Fatal(err)
	}
}

// K01
func TestKillingTheServerLosesNothing(t *testing.T) {
	tier.OnlyInFull(t, "kills a process again and again")
	g := bare(t)
	k := startChild(t, g.dsn)
	s := startSenders(6, k.url)
	r := rand.New(rand.NewPCG(7, 7))
	const kills = 25
	for range kills {
		time.Sleep(time.Duration(50+r.IntN(400)) * time.Millisecond)
		k.end(syscall.SIGKILL)
		k = startChild(t, g.dsn)
		s.redirect(k.url)
	}
	s.stop()
	g.until(func() bool { return g.waiting() == 0 })
	k.end(syscall.SIGTERM)
	if s.total() < kills {
		t.Error("hardly anything was sent:", s.total())
	}
	nothingLost(t, g, s)
}

// inProcess starts a receiver behind a real listener.
func inProcess(t *testing.T, g *rig) *senders {
	t.Helper()
	g.ticks = true
	g.run(live.Options{FlushEvery: 200 * time.Millisecond})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: g.r.Handler(), ReadHeaderTimeout: time.Second}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return startSenders(6, "http://"+l.Addr().String()+"/api/v1/write")
}

// settled waits until everything is published.
func settled(g *rig) {
	g.t.Helper()
	g.until(func() bool {
		conn, err := pgx.Connect(context.Background(), g.dsn)
		if err != nil {
			return false
		}
		defer conn.Close(context.Background())
		n := 1
		return conn.QueryRow(context.Background(), "select count(*) from inbox").Scan(&n) == nil && n == 0
	})
}

// serverProcesses are the database server's, the first of them the parent;
// none when it is not our own.
func serverProcesses(t *testing.T, g *rig) []int {
	t.Helper()
	if os.Getenv("GPULEDGER_TEST_DATABASE_URL") != "" {
		t.Skip("skipped: the database server is not the test's own, so it is not killed")
	}
	var conn *pgx.Conn
	var parent, asked int
	g.until(func() bool { // it may be recovering
		var err error
		if conn, err = pgx.Connect(t.Context(), g.dsn); err != nil {
			return false
		}
		const q = "select regexp_replace(pg_read_file('postmaster.pid'), '\\n.*', '')::bigint, pg_backend_pid()"
		if err := conn.QueryRow(t.Context(), q).Scan(&parent, &asked); err != nil {
			conn.Close(context.Background())
			return false
		}
		return true
	})
	// Closed once the list is read, which leaves some out while others end.
	defer conn.Close(context.Background())
	list := []int{parent}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent))
	if err != nil {
		tier.Absent(t, "no /proc: ", err)
	}
	for f := range strings.FieldsSeq(string(text)) {
		var pid int
		if _, err := fmt.Sscan(f, &pid); err == nil && pid != asked {
			list = append(list, pid)
		}
	}
	return list
}

// K02: the server of the database loses a process to kill -9, ends all
// sessions and recovers from its log.
func TestKillingPostgresLosesNothing(t *testing.T) {
	tier.OnlyInFull(t, "kills the database")
	g := bare(t)
	s := inProcess(t, g)
	r := rand.New(rand.NewPCG(8, 8))
	for range 8 {
		time.Sleep(time.Duration(300+r.IntN(500)) * time.Millisecond)
		processes := serverProcesses(t, g)
		_ = syscall.Kill(processes[1+r.IntN(len(processes)-1)], syscall.SIGKILL)
		before := s.total()
		g.until(func() bool { return s.total() > before+20 })
	}
	s.stop()
	settled(g)
	if err := g.stop(); err != nil {
		t.Error(err)
	}
	nothingLost(t, g, s)
}

// K03
func TestTerminatedSessionsLoseNothing(t *testing.T) {
	g := bare(t)
	s := inProcess(t, g)
	admin, err := pgx.Connect(t.Context(), g.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(t.Context())
	for range 20 {
		time.Sleep(100 * time.Millisecond)
		if _, err := admin.Exec(t.Context(),
			"select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> "+
				"pg_backend_pid()"); err != nil {
			t.Fatal(err)
		}
	}
	s.stop()
	settled(g)
	if err := g.stop(); err != nil {
		t.Error(err)
	}
	nothingLost(t, g, s)
}

// T06: the database is silent (not gone: it answers nothing) for a while.
func TestADatabaseThatIsSilentLosesNothing(t *testing.T) {
	tier.OnlyInFull(t, "waits for timeouts")
	away := 12 * time.Second
	if d, err := time.ParseDuration(os.Getenv("GPULEDGER_TEST_AWAY")); err == nil {
		away = d
	}
	g := bare(t)
	s := inProcess(t, g)
	g.until(func() bool { return s.total() > 100 })
	before := heap()
	processes := serverProcesses(t, g)
	for _, pid := range processes {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
	}
	time.Sleep(away)
	grown := int64(heap()) - int64(before)
	for _, pid := range processes {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	back := time.Now()
	at := s.total()
	g.until(func() bool { return s.total() > at+50 })
	caught := time.Since(back)
	s.stop()
	settled(g)
	if err := g.stop(); err != nil {
		t.Error(err)
	}
	s.mu.Lock()
	refused := s.codes[http.StatusServiceUnavailable]
	s.mu.Unlock()
	if refused == 0 {
		t.Error("nobody was told to come again")
	}
	nothingLost(t, g, s)
	t.Logf("silent for %s: heap +%d kB, taking again after %s", away, grown>>10, caught.Round(time.Millisecond))
	if grown > 32<<20 {
		t.Error("memory grew")
	}
}

// K06: the receiver starts before the database.
func TestTheDatabaseMayComeLater(t *testing.T) {
	g := bare(t)
	f := &flaky{Store: g.store}
	f.inbox.Store(true)
	f.lease.Store(true)
	g.run(live.Options{Store: f})
	b := body(v1, func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), 1) })
	if w := g.post(b, v1); w.Code != http.StatusServiceUnavailable {
		t.Error(w.Code)
	}
	f.inbox.Store(false)
	f.lease.Store(false)
	if w := g.post(b, v1); w.Code != http.StatusNoContent {
		t.Error(w.Code, w.Body)
	}
	g.flush()
	if len(g.vectors()) != 1 {
		t.Error("not stored")
	}
	if err := g.stop(); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
