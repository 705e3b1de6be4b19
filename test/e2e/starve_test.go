package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// line is a connection to a database that can fall silent, like a host that is gone: connections stay, and no data come
// through them.
type line struct {
	listener net.Listener
	mu       sync.Mutex
	open     *sync.Cond
	silent   bool
}

// newLine is a way to the database of a --database-url flag; db is the same flag
// through the line.
func newLine(t *testing.T, flag string) (l *line, db string) {
	t.Helper()
	config, err := pgx.ParseConfig(flag[len("--database-url="):])
	if err != nil {
		t.Fatal(err)
	}
	network, address := "tcp", net.JoinHostPort(config.Host, fmt.Sprint(config.Port))
	if strings.HasPrefix(config.Host, "/") {
		network, address = "unix", fmt.Sprintf("%s/.s.PGSQL.%d", config.Host, config.Port)
	}
	l = &line{}
	l.open = sync.NewCond(&l.mu)
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	var copies sync.WaitGroup
	copies.Go(func() {
		for {
			near, err := l.listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial(network, address)
			if err != nil {
				_ = near.Close()
				continue
			}
			for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
				copies.Go(func() {
					l.carry(way[0], way[1])
					_, _ = near.Close(), far.Close()
				})
			}
		}
	})
	t.Cleanup(func() {
		_ = l.listener.Close()
		l.fall(false)
		copies.Wait()
	})
	host, port, err := net.SplitHostPort(l.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return l, fmt.Sprintf("--database-url=host=%s port=%s user=%s dbname=%s sslmode=disable", host, port, config.User,
		config.Database)
}

func (l *line) carry(from, to net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		l.mu.Lock()
		for l.silent {
			l.open.Wait()
		}
		l.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// fall makes the line silent, or live again.
func (l *line) fall(silent bool) {
	l.mu.Lock()
	l.silent = silent
	l.mu.Unlock()
	l.open.Broadcast()
}

// longestEnd is how long serve may take to end; it promises twenty seconds.
const longestEnd = 20 * time.Second

// servedProcess is serve in a separate process.
func servedProcess(t *testing.T, db string) (*process, string) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	p := start(t, db, "serve", "--addr="+address)
	until(t, "serve to be ready", func() bool {
		select {
		case <-p.ended:
			t.Fatalf("serve ended\n%s", p.errs.String())
		default:
		}
		status, _, _ := timed(t, "http://"+address+"/readyz")
		return status == http.StatusOK
	})
	return p, address
}

// timed requests an address; status 0 means no answer.
func timed(t *testing.T, address string) (status int, header http.Header, took time.Duration) {
	t.Helper()
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	began := time.Now()
	resp, err := client.Get(address)
	if err != nil {
		return 0, nil, time.Since(began)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0, nil, time.Since(began)
	}
	return resp.StatusCode, resp.Header, time.Since(began)
}

// stall requests an address on a connection and never reads the answer.
func stall(t *testing.T, address, path string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path); err != nil {
		t.Fatal(err)
	}
}

// checkpointIn sends data that ingest must store before it answers.
func checkpointIn(t *testing.T, address string) (status int, took time.Duration) {
	t.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/api/v1/checkpoints",
		strings.NewReader(`{"run_id":"r","at":"2026-11-02T10:00:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, time.Since(began)
	}
	_ = resp.Body.Close()
	return resp.StatusCode, time.Since(began)
}

// endsWithin sends SIGTERM and waits.
func (p *process) endsWithin(t *testing.T, most time.Duration) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-p.ended:
		t.Logf("ended after %s", time.Since(began))
	case <-timer.C:
		t.Errorf("SIGTERM: it still lives after %s", most)
	}
}

// TestNobodyStarvesTheOthers: clients that request everything and stop reading block neither pages nor API, health, own
// metrics or ingest, nor the end of the process.
func TestNobodyStarvesTheOthers(t *testing.T) {
	db := smallLedger(t)
	p, address := servedProcess(t, db)
	for _, path := range []string{
		"/api/v1/postings?format=csv", "/api/v1/usage?limit=100000", "/api/v1/postings?format=arrow",
	} {
		for range 12 {
			stall(t, address, path)
		}
	}
	until(t, "exports to be shed", func() bool {
		status, header, took := timed(t, "http://"+address+"/api/v1/charges?format=csv")
		unsaid := status == http.StatusServiceUnavailable && header.Get("Retry-After") == ""
		if unsaid || took > 4*time.Second { // exports wait 0.8 s, and the check of the database 2 s
			t.Fatalf("an export too many: %d %v after %s", status, header, took)
		}
		return status == http.StatusServiceUnavailable
	})
	for _, path := range []string{"/livez", "/readyz", "/metrics", "/", "/api/v1/costs?group-by=team", "/api/v1/runs"} {
		if status, _, took := timed(t, "http://"+address+path); status != http.StatusOK || took > 4*time.Second {
			t.Errorf("%s beside stalled readers: %d after %s", path, status, took)
		}
	}
	if status, took := checkpointIn(t, address); status != http.StatusOK || took > 4*time.Second {
		t.Errorf("ingest beside stalled readers: %d after %s", status, took)
	}
	p.endsWithin(t, longestEnd)
}

// TestASilentDatabase: the API reports it in time, the process lives and recovers with the database, and can end while
// it is silent.
func TestASilentDatabase(t *testing.T) {
	direct := freshDatabase(t)
	l, db := newLine(t, direct)
	p, address := servedProcess(t, db)
	l.fall(true)
	var early sync.WaitGroup
	for range 20 { // also requests before it is noticed
		early.Go(func() {
			if status, header, took := timed(t, "http://"+address+"/api/v1/imports"); status != http.StatusServiceUnavailable ||
				header.Get("Retry-After") == "" || took > 4*time.Second {
				t.Errorf("a silent database: %d after %s", status, took)
			}
		})
	}
	early.Wait()
	for path, want := range map[string]int{
		"/livez": 200, "/readyz": 503, "/metrics": 200, "/": 503, "/runs": 503,
		"/api/v1/costs": 503, "/api/v1/postings?format=csv": 503, "/api/v1/explain/run/x": 503,
	} {
		if status, header, took := timed(t, "http://"+address+path); status != want || took > 4*time.Second || want == 503 &&
			header.Get("Retry-After") == "" {
			t.Errorf("a silent database: %s answers %d after %s", path, status, took)
		}
	}
	l.fall(false)
	until(t, "the database to be heard again", func() bool {
		status, _, _ := timed(t, "http://"+address+"/api/v1/imports")
		return status == http.StatusOK
	})
	l.fall(true)
	p.endsWithin(t, longestEnd)
}

// TestOverloadIsShed: many clients at once get answers or a 503 with Retry-After, nothing else, and health and ingest
// continue.
func TestOverloadIsShed(t *testing.T) {
	db := freshDatabase(t)
	must(t, db, "import", "price-book", smallFleet(t))
	address, stop := serveLedger(t, db, "--log-level=error")
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	ends := time.Now().Add(2 * time.Second)
	var clients sync.WaitGroup
	var mu sync.Mutex
	seen := map[int]int{}
	for i := range 120 {
		clients.Go(func() {
			for time.Now().Before(ends) {
				path := []string{"/", "/api/v1/runs?limit=100", "/training", "/api/v1/costs?group_by=team,cause"}[i%4]
				status, header, took := timed(t, address+path)
				if status != http.StatusOK && (status != http.StatusServiceUnavailable || header.Get("Retry-After") == "") ||
					took > 15*time.Second {
					t.Errorf("%s: %d %v after %s", path, status, header, took)
				}
				mu.Lock()
				seen[status]++
				mu.Unlock()
			}
		})
	}
	for range 5 {
		if status, _, _ := timed(t, address+"/readyz"); status != http.StatusOK {
			t.Errorf("/readyz: %d", status)
		}
		if status, _ := checkpointIn(t, u.Host); status != http.StatusOK {
			t.Errorf("ingest: %d", status)
		}
	}
	clients.Wait()
	if t.Log(seen); seen[http.StatusOK] == 0 {
		t.Error("nobody was answered")
	}
	if code := stop(); code != exitOK {
		t.Errorf("serve ended with status %d", code)
	}
}
