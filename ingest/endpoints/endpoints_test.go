package endpoints_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/gzip"
	metricsv1 "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"gpuledger/ingest/endpoints"
	"gpuledger/ingest/live"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 30, 0, time.UTC)

// rig is the endpoints over a receiver on a real database.
type rig struct {
	t    *testing.T
	dsn  string
	r    *live.Receiver
	stop func()
}

func newRig(t *testing.T) *rig {
	t.Helper()
	g := &rig{t: t, dsn: pgtest.New(t, store.MigrateDSN)}
	s, err := store.Open(t.Context(), g.dsn, pg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	g.r = live.New(live.Options{
		Store: s, Now: func() time.Time { return noon }, Kinds: endpoints.Kinds(), FlushEvery: time.Hour,
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- g.r.Run(ctx) }()
	stopped := false
	g.stop = func() {
		if !stopped {
			stopped = true
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(g.stop)
	return g
}

func (g *rig) ask(h http.Handler, body []byte, headers ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(http.MethodPost, "/?cluster=c1", bytes.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w
}

func (g *rig) count(sql string) (n int64) {
	g.t.Helper()
	conn, err := pgx.Connect(g.t.Context(), g.dsn)
	if err == nil {
		err = conn.QueryRow(g.t.Context(), sql).Scan(&n)
		_ = conn.Close(g.t.Context())
	}
	if err != nil {
		g.t.Fatalf("%s: %v", sql, err)
	}
	return n
}

func message(t *testing.T, v float64) *metricsv1.MetricsData {
	t.Helper()
	m := new(metricsv1.MetricsData)
	text := fmt.Sprintf(`{"resourceMetrics":[{"resource":{"attributes":[{"key":"k8s.node.name","value":{"stringValue":"n1"}}]},"scopeMetrics":[{"metrics":[
	 {"name":"DCGM_FI_DEV_POWER_USAGE","gauge":{"dataPoints":[{"timeUnixNano":"%[1]d","asDouble":%[2]g,"attributes":[{"key":"UUID","value":{"stringValue":"GPU-1"}}]},{"asDouble":1}]}},
	 {"name":"process.uptime","gauge":{"dataPoints":[{"timeUnixNano":"%[1]d","asInt":"5"}]}}]}]}]}`, noon.UnixNano(), v)
	if err := protojson.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOTLP(t *testing.T) {
	g := newRig(t)
	h := endpoints.OTLP(g.r)
	bin, err := proto.Marshal(message(t, 300))
	if err != nil {
		t.Fatal(err)
	}
	text, err := protojson.Marshal(message(t, 300))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	w := g.ask(h, bin, "Content-Type", "application/x-protobuf")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/x-protobuf" ||
		!bytes.Contains(w.Body.Bytes(), []byte("no time")) {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	w = g.ask(h, packed.Bytes(), "Content-Type", "application/json; charset=utf-8", "Content-Encoding", "gzip")
	var answer struct {
		PartialSuccess struct{ RejectedDataPoints, ErrorMessage string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK ||
		answer.PartialSuccess.RejectedDataPoints != "1" {
		t.Errorf("%d %s %v", w.Code, w.Body, err)
	}
	if n := g.count("select count(*) from inbox"); n != 2 {
		t.Errorf("%d requests are kept", n)
	}
	bomb := new(bytes.Buffer)
	z = gzip.NewWriter(bomb)
	zeros := make([]byte, 1<<20)
	for range 40 {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body    []byte
		headers []string
		status  int
		says    string
	}{
		"media type": {bin, []string{"Content-Type", "text/plain"}, 415, `"code":3`},
		"encoding":   {bin, []string{"Content-Type", "application/x-protobuf", "Content-Encoding", "br"}, 415, "gzip"},
		"nonsense":   {[]byte("{"), []string{"Content-Type", "application/json"}, 400, "malformed"},
		"no gzip":    {bin, []string{"Content-Type", "application/x-protobuf", "Content-Encoding", "gzip"}, 400, "not gzip"},
		"bomb": {
			bomb.Bytes(), []string{"Content-Type", "application/x-protobuf", "Content-Encoding", "gzip"}, 413, "at most",
		},
	} {
		w := g.ask(h, c.body, c.headers...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d %q", name, w.Code, w.Body)
		}
	}
	g.stop()
	if n := g.count("select count(*) from sample_hours where cluster = 'c1' and node = 'n1' and device = 'GPU-1'"); n != 1 {
		t.Errorf("%d hours are stored", n)
	}
	if w := g.ask(h, bin, "Content-Type", "application/x-protobuf"); w.Code != http.StatusServiceUnavailable ||
		w.Header().Get("Retry-After") == "" {
		t.Errorf("after the end: %d %v", w.Code, w.Header())
	}
}

func TestCheckpoints(t *testing.T) {
	g := newRig(t)
	h := endpoints.Checkpoints(g.r)
	post := func(body string) *httptest.ResponseRecorder {
		return g.ask(h, []byte(body), "Content-Type", "application/json")
	}
	for body, n := range map[string]string{
		`{"run_id":"exp-7","at":"2026-11-20T13:00:00+01:00","step":1000}`:                                                                                         `{"accepted":1}`,
		`[{"cluster":"c1","namespace":"ml","pod":"train-0","at":1790000000},{"cluster":"s","job_id":"4711","at":1790000000.9,"step":0,"duration_seconds":41.25}]`: `{"accepted":2}`,
	} {
		for range 2 { // again, harmless
			if w := post(body); w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != n {
				t.Errorf("%s: %d %s", body, w.Code, w.Body)
			}
		}
	}
	for body, says := range map[string]string{
		``:                                       "neither a checkpoint",
		`[]`:                                     "between 1 and",
		`{"run_id":"x"}`:                         "at is missing",
		`{"run_id":"x","at":"2026-11-20 12:00"}`: "RFC 3339",
		`{"run_id":"x","at":"2026-11-20T12:20:00Z"}`:                                                     "future",
		`{"run_id":"x","at":29000000}`:                                                                   "before 2010",
		`{"run_id":"x","at":1e300}`:                                                                      "RFC 3339",
		`{"at":1790000000}`:                                                                              "give run_id, or cluster",
		`{"run_id":"x","pod":"p","at":1790000000}`:                                                       "give run_id, or cluster",
		`{"pod":"p","cluster":"c","at":1790000000}`:                                                      "namespace",
		`{"job_id":"5","at":1790000000}`:                                                                 "cluster",
		`{"run_id":"x","cluster":"c","at":1790000000}`:                                                   "without cluster and namespace",
		`{"run_id":"x","at":1790000000,"step":-1}`:                                                       "step",
		`{"run_id":"x","at":1790000000,"steps":1}`:                                                       "unknown field",
		`{"run_id":"x","at":1790000000,"duration_seconds":0}`:                                            "duration_seconds",
		`{"run_id":"x","at":1790000000,"duration_seconds":-3}`:                                           "duration_seconds",
		`{"run_id":"x","at":1790000000,"duration_seconds":86400.1}`:                                      "duration_seconds",
		`{"run_id":"x","at":1790000000,"duration_seconds":1e300}`:                                        "duration_seconds",
		`{"run_id":"a\u0000b","at":1790000000}`:                                                          "control",
		`{"run_id":"x","at":1790000000} {}`:                                                              "more than one",
		`[{"run_id":"x","at":1790000000},{"run_id":"` + strings.Repeat("x", 600) + `","at":1790000000}]`: "entry 1",
		"{\"run_id\":\"\xff\",\"at\":1790000000}":                                                        "UTF-8",
	} {
		w := post(body)
		var p struct {
			Status        int
			Title, Detail string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 400 || p.Status != 400 ||
			w.Header().Get("Content-Type") != "application/problem+json" || !strings.Contains(p.Detail, says) {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	if w := g.ask(h, []byte("{}"), "Content-Type", "text/plain"); w.Code != http.StatusUnsupportedMediaType {
		t.Error(w.Code)
	}
	g.stop()
	if n := g.count("select count(*) from checkpoint_facts"); n != 3 {
		t.Errorf("%d checkpoints", n)
	}
	if n := g.count("select count(*) from checkpoint_facts where run = 'exp-7' and step = 1000 or pod = '4711' and " +
		"cluster = 's' and step = 0 and took = 41250 or pod = 'train-0' and namespace = 'ml' and step = -1"); n != 3 {
		t.Errorf("%d checkpoints as they were sent", n)
	}
}

func TestGuard(t *testing.T) {
	open := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for _, c := range []struct {
		token, shown string
		want         int
	}{{"", "", 204}, {"s3cret", "", 401}, {"s3cret", "Bearer s3cret", 204},
		{"s3cret", "bearer s3cret", 204}, {"s3cret", "Bearer s3cre", 401}, {"s3cret", "Basic s3cret", 401}} {
		q := httptest.NewRequest(http.MethodPost, "/", nil)
		q.Header.Set("Authorization", c.shown)
		w := httptest.NewRecorder()
		endpoints.Guard(c.token, open).ServeHTTP(w, q)
		if w.Code != c.want || strings.Contains(w.Body.String(), "s3cret") {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
}
