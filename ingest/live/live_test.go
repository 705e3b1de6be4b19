package live_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest/live"
	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
)

// rig is a receiver on a real database.
type rig struct {
	t     *testing.T
	dsn   string
	store *store.Store
	r     *live.Receiver
	now   time.Time
	ticks bool // the clock goes on from now
	stop  func() error
}

var start = time.Date(2026, 11, 20, 12, 0, 30, 0, time.UTC)

func newRig(t *testing.T, opt live.Options) *rig {
	t.Helper()
	g := &rig{t: t, dsn: pgtest.New(t, store.MigrateDSN), now: start}
	s, err := store.Open(t.Context(), g.dsn, pg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	g.store = s
	g.run(opt)
	return g
}

// run starts a receiver; the one before must have ended.
func (g *rig) run(opt live.Options) {
	began := time.Now()
	opt.Now = func() time.Time {
		if g.ticks {
			return g.now.Add(time.Since(began))
		}
		return g.now
	}
	if opt.Store == nil {
		opt.Store = g.store
	}
	if opt.FlushEvery == 0 {
		opt.FlushEvery = time.Hour
	}
	g.r = live.New(opt)
	ctx, cancel := context.WithCancel(g.t.Context())
	done := make(chan error, 1)
	go func() { done <- g.r.Run(ctx) }()
	ended := false
	g.stop = func() error {
		if ended {
			return nil
		}
		ended = true
		cancel()
		return <-done
	}
	g.t.Cleanup(func() {
		if err := g.stop(); err != nil {
			g.t.Error(err)
		}
	})
}

func (g *rig) post(body []byte, v remotewrite.Version, headers ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(http.MethodPost, "/api/v1/write", strings.NewReader(string(body)))
	q.Header.Set("Content-Type", v.ContentType())
	q.Header.Set("Content-Encoding", remotewrite.Encoding)
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	g.r.Handler().ServeHTTP(w, q)
	return w
}

func (g *rig) flush() {
	g.t.Helper()
	if err := g.r.Flush(g.t.Context()); err != nil {
		g.t.Fatal(err)
	}
}

func (g *rig) one(sql string, args ...any) (n int64) {
	g.t.Helper()
	conn, err := pgx.Connect(g.t.Context(), g.dsn)
	if err != nil {
		g.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(g.t.Context(), sql, args...).Scan(&n); err != nil {
		g.t.Fatal(err)
	}
	return n
}

func (g *rig) rows() int64 {
	return g.one("select coalesce(sum(row_count), 0)::bigint from sample_hours")
}
func (g *rig) waiting() int64 { return g.one("select count(*) from inbox") }

// until waits for something that another goroutine does.
func (g *rig) until(is func() bool) {
	g.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); !is(); <-tick.C {
		if time.Now().After(end) {
			g.t.Fatal("it does not happen")
		}
	}
}

func gpu(uuid string) series.Labels {
	return series.Labels{
		{Name: "Hostname", Value: "n1"}, {Name: "UUID", Value: uuid},
		{Name: "gpu", Value: "0"}, {Name: "modelName", Value: "NVIDIA H100 80GB HBM3"},
	}
}

func body(v remotewrite.Version, f func(e *remotewrite.Encoder)) []byte {
	e := remotewrite.NewEncoder(v)
	f(e)
	return e.Body()
}

func at(d time.Duration) int64 { return start.Add(d).UnixMilli() }

func TestARequestIsStored(t *testing.T) {
	for _, v := range []remotewrite.Version{remotewrite.V1, remotewrite.V2} {
		g := newRig(t, live.Options{})
		b := body(v, func(e *remotewrite.Encoder) {
			e.Series("DCGM_FI_DEV_GPU_UTIL", gpu("GPU-1"), remotewrite.Sample{Ms: at(0), Value: 97})
			e.Series("node_load1", series.Labels{{Name: "instance", Value: "n1"}}, remotewrite.Sample{Ms: at(0), Value: 3})
		})
		w := g.post(b, v)
		text, _ := io.ReadAll(w.Body)
		if w.Code != http.StatusNoContent {
			t.Fatal(w.Code, string(text))
		}
		if v == remotewrite.V2 && w.Header().Get(remotewrite.HeaderSamples) != "2" {
			t.Error("written", w.Header())
		}
		if g.waiting() != 1 || g.rows() != 0 {
			t.Fatal("inbox", g.waiting(), "rows", g.rows())
		}
		g.flush()
		if g.waiting() != 0 || g.rows() != 1 {
			t.Fatal("inbox", g.waiting(), "rows", g.rows())
		}
		if err := g.stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRequestsOfADeadReceiverAreReplayed(t *testing.T) {
	g := newRig(t, live.Options{})
	dead := live.Stored{Kind: live.KindRemoteWrite1, Sender: "x", ReceivedAt: start, Cluster: "c9",
		Body: body(remotewrite.V1, func(e *remotewrite.Encoder) {
			e.Series("DCGM_FI_DEV_GPU_UTIL", gpu("GPU-1"), remotewrite.Sample{Ms: at(0), Value: 97})
		})}
	if err := g.stop(); err != nil {
		t.Fatal(err)
	}
	if err := g.store.PutInbox(t.Context(), [16]byte{1}, 1, []live.Stored{dead}); err != nil {
		t.Fatal(err)
	}
	g.run(live.Options{})
	g.until(func() bool { g.flush(); return g.waiting() == 0 })
	if g.waiting() != 0 || g.one("select count(*) from sample_hours where cluster = 'c9'") != 1 {
		t.Fatal("not replayed:", g.waiting(), g.rows())
	}
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
