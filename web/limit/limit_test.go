package limit_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/web/limit"
)

// rig is a real server within limits.
type rig struct {
	t       *testing.T
	address string
	guard   *limit.Guard
	log     *bytes.Buffer
	metrics *prometheus.Registry
	idle    chan struct{} // receives when a connection becomes idle
}

// patience bounds every read and write of a test, so that a hang fails.
const patience = 30 * time.Second

// large is larger than the buffers between a server and a client.
var large = bytes.Repeat([]byte("0123456789abcdef"), 1<<20)

// newRig serves routes within limits: /question and /api/export call answer,
// /plain takes a body.
func newRig(t *testing.T, l limit.Limits, alive func(context.Context) error, answer http.HandlerFunc) *rig {
	t.Helper()
	g := &rig{t: t, log: new(bytes.Buffer), metrics: prometheus.NewRegistry(), idle: make(chan struct{}, 1)}
	g.guard = limit.New(limit.Options{
		Limits: l, Alive: alive, Log: slog.New(slog.NewTextHandler(g.log, nil)),
		Metrics: g.metrics, Bodies: map[string]bool{"/own": true},
	})
	r := chi.NewRouter()
	r.Use(g.guard.Whole)
	r.Method(http.MethodGet, "/question", g.guard.Questions(answer))
	r.Method(http.MethodPost, "/question", g.guard.Questions(answer))
	r.Method(http.MethodGet, "/api/export", g.guard.Exports(answer))
	take := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		fmt.Fprint(w, n)
	})
	r.Post("/plain", take)
	r.Post("/own", take)
	r.Get("/free", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: r, ReadHeaderTimeout: 5 * time.Second,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s != http.StateIdle {
				return
			}
			select {
			case g.idle <- struct{}{}:
			default:
			}
		}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := g.guard.Serve(server, listener); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		<-done
	})
	g.address = listener.Addr().String()
	return g
}

// send opens a connection that takes little before it is read, and sends text on it.
func (g *rig) send(text string) net.Conn {
	g.t.Helper()
	return g.sendFrom(text, 4096)
}

func (g *rig) sendFrom(text string, window int) net.Conn {
	g.t.Helper()
	conn, err := net.Dial("tcp", g.address)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		g.t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).SetReadBuffer(window); err != nil {
		g.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		g.t.Fatal(err)
	}
	return conn
}

func request(method, path string) string { return method + " " + path + " HTTP/1.1\r\nHost: x\r\n\r\n" }

// ask gets an address on a new connection.
func (g *rig) ask(path string) (status int, header http.Header, took time.Duration) {
	g.t.Helper()
	began := time.Now()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
	resp, err := client.Get("http://" + g.address + path)
	if err != nil {
		g.t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		g.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, time.Since(began)
}

// ended reads a connection to its end and returns how long that took.
func ended(t *testing.T, conn net.Conn) time.Duration {
	t.Helper()
	began := time.Now()
	if err := conn.SetReadDeadline(began.Add(15 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, conn); err != nil && errors.Is(err, context.DeadlineExceeded) {
		t.Fatal("the connection stays open")
	}
	return time.Since(began)
}

// counted is the value of a counter of the rig.
func (g *rig) counted(route, reason string) float64 {
	g.t.Helper()
	families, err := g.metrics.Gather()
	if err != nil {
		g.t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.Metric {
			labels := map[string]string{}
			for _, l := range m.Label {
				labels[l.GetName()] = l.GetValue()
			}
			if f.GetName() == "requests_refused_total" && labels["route"] == route && labels["reason"] == reason {
				return m.Counter.GetValue()
			}
		}
	}
	return 0
}

// gauge is the value of a gauge of the rig.
func (g *rig) gauge(name string) float64 {
	g.t.Helper()
	families, err := g.metrics.Gather()
	if err != nil {
		g.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.Metric[0].Gauge.GetValue()
		}
	}
	g.t.Fatalf("there is no %s", name)
	return 0
}

// TestStalledReaderHoldsNothingForLong proves that exports beyond the bound are refused,
// that questions are still answered, and that a client which reads nothing is
// cut off.
func TestStalledReaderHoldsNothingForLong(t *testing.T) {
	var busy atomic.Int32
	bounds := limit.Limits{Exports: 4, Questions: 1, Wait: 500 * time.Millisecond, Stall: 3 * time.Second}
	g := newRig(t, bounds, nil, func(w http.ResponseWriter, r *http.Request) {
		busy.Add(1)
		defer busy.Add(-1)
		if r.URL.Path == "/question" && r.URL.Query().Get("large") == "" {
			fmt.Fprint(w, "small")
			return
		}
		size := len(large)
		if r.URL.Path == "/question" {
			size = 4 << 20  // held until its turn has ended
			for range 100 { // but for its beginning
				_, _ = w.Write(large[:10<<10])
				w.(http.Flusher).Flush()
			}
		}
		_, _ = w.Write(large[:size])
	})
	for range 2 {
		g.send(request("GET", "/api/export"))
	}
	for deadline := time.Now().Add(10 * time.Second); busy.Load() < 2; {
		if time.Now().After(deadline) {
			t.Fatal("the exports do not begin")
		}
		g.ask("/free")
	}
	status, header, took := g.ask("/api/export")
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" ||
		header.Get("Content-Type") != "application/problem+json" || took > 1500*time.Millisecond { // it waits once
		t.Errorf("an export too many: %d %v after %s", status, header, took)
	}
	// Questions whose readers stall do not hold the only turn either.
	for range 3 {
		g.send(request("GET", "/question?large=1"))
		if status, _, _ := g.ask("/question"); status != http.StatusOK {
			t.Errorf("a question beside stalled readers: %d", status)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); busy.Load() > 0; {
		if time.Now().After(deadline) {
			t.Fatal("stalled readers are not cut off")
		}
		g.ask("/free")
	}
	if status, _, _ := g.ask("/question"); status != http.StatusOK {
		t.Errorf("afterwards: %d", status)
	}
	if g.counted("/api/export", "too many exports of one client at once") != 1 {
		t.Error("the refusal is not counted")
	}
}

// TestASlowReaderIsNotCutOff proves that the deadline is extended with every block, also if
// the handler writes the answer at once.
func TestASlowReaderIsNotCutOff(t *testing.T) {
	const size = 16 << 20 // many times the buffers in between
	g := newRig(t, limit.Limits{Stall: 400 * time.Millisecond}, nil,
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(large[:size]) })
	conn := g.sendFrom(request("GET", "/api/export"), 128<<10)
	began, n := time.Now(), 0
	buffer := make([]byte, 128<<10)
	for n < size {
		if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
			t.Fatal(err)
		}
		m, err := io.ReadFull(conn, buffer)
		n += m
		if err != nil {
			t.Fatalf("cut off after %d bytes and %s: %v", n, time.Since(began), err)
		}
		<-time.After(12 * time.Millisecond) // a slow connection
	}
	if took := time.Since(began); took < 800*time.Millisecond {
		t.Errorf("%s is no slow reader", took)
	}
}

// TestStalledBodiesEndTheConnection covers routes with and without a body; stalled bodies
// hold no turn.
func TestStalledBodiesEndTheConnection(t *testing.T) {
	g := newRig(t, limit.Limits{Questions: 1, Wait: 50 * time.Millisecond, Body: time.Second}, nil,
		func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	var open []net.Conn
	for _, route := range []string{
		"GET /free", "GET /question", "POST /question", "POST /plain", "POST /own", "POST /nowhere",
	} {
		open = append(open, g.send(route+" HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf"),
			g.send(route+" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf"))
	}
	if status, _, _ := g.ask("/question"); status != http.StatusOK {
		t.Errorf("a question beside them: %d", status)
	}
	for _, conn := range open {
		if took := ended(t, conn); took > 6*time.Second {
			t.Errorf("a connection ended after %s", took)
		}
	}
	if g.counted("/question", "the body did not come in time") != 2 {
		t.Error("the refusals are not counted")
	}
}

// TestALongAnswerOutlivesTheDeadlineOfItsBody proves that the read deadline ends with the body: it bounds
// neither the answer nor the next request of the connection.
func TestALongAnswerOutlivesTheDeadlineOfItsBody(t *testing.T) {
	g := newRig(t, limit.Limits{Body: 300 * time.Millisecond}, nil, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(700 * time.Millisecond):
			fmt.Fprint(w, "done")
		case <-r.Context().Done():
			http.Error(w, "given up", http.StatusTeapot)
		}
	})
	conn := g.send("")
	in := bufio.NewReader(conn)
	for range 2 {
		if _, err := io.WriteString(conn, "POST /question HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "done" {
			t.Errorf("%d %q %v", resp.StatusCode, body, err)
		}
		_ = resp.Body.Close()
	}
}

// Bodies are bounded, unless the route bounds them itself.
func TestBodiesAreBounded(t *testing.T) {
	g := newRig(t, limit.Limits{BodyBytes: 1000}, nil,
		func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	for path, want := range map[string]int{"/plain": 413, "/question": 413, "/own": 200} {
		resp, err := http.Post("http://"+g.address+path, "text/plain", strings.NewReader(strings.Repeat("x", 5000)))
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil || resp.StatusCode != want {
			t.Errorf("%s: %d %v", path, resp.StatusCode, err)
		}
	}
}

// A request that has waited for its turn does not wait as long again for a silent database.
func TestWaitsAreBoundedTogether(t *testing.T) {
	var silent atomic.Bool
	release := make(chan struct{})
	g := newRig(t, limit.Limits{Questions: 1, Wait: 300 * time.Millisecond}, func(ctx context.Context) error {
		if !silent.Load() {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}, func(w http.ResponseWriter, _ *http.Request) {
		<-release
		fmt.Fprint(w, "ok")
	})
	g.send(request("GET", "/question"))
	for deadline := time.Now().Add(patience); g.gauge("questions_in_flight") < 1; {
		if time.Now().After(deadline) {
			t.Fatal("the first question does not begin")
		}
		g.ask("/free")
	}
	silent.Store(true)
	// The check of the database is kept for half a second; then the turn is free.
	time.AfterFunc(700*time.Millisecond, func() { close(release) })
	status, header, took := g.ask("/question")
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") != "5" || took > 2*time.Second {
		t.Errorf("after a wait, a silent database: %d %v after %s", status, header, took)
	}
}

// While the database is away, questions and exports are refused at once with
// Retry-After; routes without database are answered.
func TestTheDatabaseIsAway(t *testing.T) {
	var away atomic.Bool
	asked := 0
	g := newRig(t, limit.Limits{}, func(ctx context.Context) error {
		asked++
		if !away.Load() {
			return nil
		}
		<-ctx.Done() // the database does not answer
		return ctx.Err()
	}, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	for range 50 {
		if status, _, _ := g.ask("/question"); status != http.StatusOK {
			t.Fatal(status)
		}
	}
	if asked > 10 {
		t.Errorf("50 questions asked the database %d times whether it is there", asked)
	}
	away.Store(true)
	for deadline := time.Now().Add(10 * time.Second); ; {
		status, header, took := g.ask("/question")
		if took > 3*time.Second {
			t.Fatalf("an answer after %s", took)
		}
		if status == http.StatusServiceUnavailable && header.Get("Retry-After") != "" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(status)
		}
	}
	if status, header, _ := g.ask("/api/export"); status != http.StatusServiceUnavailable ||
		header.Get("Retry-After") == "" {
		t.Error("exports", status)
	}
	if status, _, _ := g.ask("/free"); status != http.StatusOK {
		t.Error("what needs no database", status)
	}
	away.Store(false)
	for deadline := time.Now().Add(10 * time.Second); ; {
		if status, _, _ := g.ask("/question"); status == http.StatusOK {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it is not asked again")
		}
	}
}

// A new connection replaces an idle one, but not a busy one; if there is no room, the client gets
// 503.
func TestConnectionsAreBounded(t *testing.T) {
	release := make(chan struct{})
	g := newRig(t, limit.Limits{Connections: 3, Questions: 10}, nil, func(w http.ResponseWriter, _ *http.Request) {
		<-release
		fmt.Fprint(w, "ok")
	})
	idle := g.send(request("GET", "/free"))
	in := bufio.NewReader(idle)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	// The server marks it as idle a moment after the answer has arrived.
	select {
	case <-g.idle:
	case <-time.After(patience):
		t.Fatal("the connection does not become idle")
	}
	busy := []net.Conn{g.send(request("GET", "/question")), g.send(request("GET", "/question"))}
	// The fourth replaces the idle one, which is closed.
	busy = append(busy, g.send(request("GET", "/question")))
	if _, err := in.ReadByte(); err == nil {
		t.Error("the idle connection stays open")
	}
	// There is no room for a fifth.
	over := g.send("")
	if resp, err := http.ReadResponse(bufio.NewReader(over), nil); err != nil ||
		resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" {
		t.Errorf("a connection too many: %v %v", resp, err)
	} else {
		_ = resp.Body.Close()
	}
	close(release)
	for _, conn := range busy {
		if resp, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("a connection that had a place: %v %v", resp, err)
		} else {
			_ = resp.Body.Close()
		}
	}
	if g.counted("none", "too many connections at once") != 1 {
		t.Error("the refusal is not counted")
	}
}

// Every refusal is counted, but only one line is logged.
func TestRefusalsAreCountedAndLoggedOnce(t *testing.T) {
	g := newRig(t, limit.Limits{}, nil, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no", http.StatusForbidden)
	})
	for range 7 {
		g.ask("/question")
		g.ask("/nowhere")
	}
	if a, b := g.counted("/question", "forbidden"), g.counted("none", "not found"); a != 7 || b != 7 {
		t.Errorf("%v and %v are counted", a, b)
	}
	if n := strings.Count(g.log.String(), "a request is refused"); n != 2 {
		t.Errorf("%d lines:\n%s", n, g.log)
	}
}
