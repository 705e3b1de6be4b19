package scrape

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 123e6, time.UTC)

// basket is a Sink that keeps what it is given.
type basket struct {
	mu    sync.Mutex
	facts []*ledger.Telemetry
	err   error
	got   chan struct{}
}

func (b *basket) Put(_ context.Context, t *ledger.Telemetry) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	b.facts = append(b.facts, t)
	if b.got != nil {
		b.got <- struct{}{}
	}
	return nil
}

func serving(t *testing.T, f http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s
}

const row = `DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1",Hostname="n1",pod="train-0",namespace="ml"} 300.5` + "\n"

// once reads the first target of a job.
func once(t *testing.T, job Job, o Options) (*basket, error) {
	t.Helper()
	b := &basket{err: nil}
	if o.To == nil {
		o.To = b
	}
	o.Now = func() time.Time { return noon }
	if job.Timeout == 0 {
		job.Timeout = 10 * time.Second
	}
	job.Name, job.Interval = "gpus", 15*time.Second
	o.Jobs = []Job{job}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.static[0][0].scrape(t.Context(), s.clients[0], &s.o, noon)
	return b, err
}

func TestFactsOfATarget(t *testing.T) {
	var asked *http.Request
	server := serving(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, "# TYPE DCGM_FI_DEV_POWER_USAGE gauge\n"+row+"go_goroutines 5\n")
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	})
	job := Job{Targets: []string{strings.Replace(server.URL, "http://", "http://me:secret@", 1)}, BearerToken: "tok",
		Labels: series.Labels{
			{Name: "pod", Value: "exporter-x"}, {Name: "namespace", Value: "gpu"}, {Name: "cluster", Value: "c1"},
		}}
	b, err := once(t, job, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if asked.URL.Path != "/metrics" || asked.Header.Get("Authorization") != "Bearer tok" {
		t.Errorf("%s %v", asked.URL, asked.Header)
	}
	s, e := b.facts[0].Samples[0], b.facts[0].Evidence[0]
	v := s.Vectors[ledger.SignalPower]
	if s.Cluster != "c1" || s.Node != "n1" || v.Known != 1 || v.Value[0] != 300_500 || v.At[0] != 123 ||
		e.Pod != "train-0" || e.Namespace != "ml" {
		t.Errorf("%+v %+v", s, e)
	}
	job.Labels, job.HonorLabels = job.Labels[:2], true
	if b, err = once(t, job, Options{Cluster: "fallback"}); err != nil || b.facts[0].Evidence[0].Pod != "train-0" ||
		b.facts[0].Samples[0].Cluster != "fallback" {
		t.Errorf("%v %+v", err, b.facts[0].Evidence)
	}
}

func TestFailuresGiveNothing(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		sink   Sink
		want   string
	}{
		"status": {
			func(w http.ResponseWriter, _ *http.Request) { http.Error(w, row, http.StatusBadGateway) }, nil, "bad status",
		},
		"large": {
			func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat(row, 100)) }, nil, "too large",
		},
		"cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "500")
			fmt.Fprint(w, row)
		}, nil, "unreachable"},
		"no EOF": {
			func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.TrimSpace(row)+" 1790000000.5\n") },
			nil, "cut off",
		},
		"slow": {func(w http.ResponseWriter, r *http.Request) { <-release }, nil, "timeout"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.2:9/", http.StatusFound)
		}, nil, "unreachable"},
		"full": {
			func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, row) }, &basket{err: errors.New("full")}, "not taken",
		},
	} {
		server := serving(t, c.answer)
		job := Job{Targets: []string{server.URL}}
		if name == "slow" {
			job.Timeout = 50 * time.Millisecond
		}
		b, err := once(t, job, Options{MaxBody: 1000, To: c.sink})
		if f := (*failure)(nil); !errors.As(err, &f) || f.Reason != c.want || len(b.facts) != 0 {
			t.Errorf("%s: %v, %d facts", name, err, len(b.facts))
		}
	}
	if _, err := once(t, Job{Targets: []string{"http://169.254.169.254/latest"}}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "refused address") {
		t.Errorf("the address of credentials: %v", err)
	}
	if _, err := New(Options{Jobs: []Job{{Name: "x", Targets: []string{"http://u:pa ss@h:1/"}}}}); err == nil ||
		strings.Contains(err.Error(), "pa ss") {
		t.Error(err)
	}
}

// clock gives timers that a test fires.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	timers chan timer
}

type timer struct {
	d    time.Duration
	fire chan time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) After(d time.Duration) <-chan time.Time {
	ch := make(chan time.Time, 1)
	c.timers <- timer{d, ch}
	return ch
}

// fire lets a timer end.
func (c *clock) fire(t timer) {
	c.mu.Lock()
	c.now = c.now.Add(t.d)
	c.mu.Unlock()
	t.fire <- c.now
}

func TestEachTargetAtItsMoment(t *testing.T) {
	server := serving(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, row) })
	c := &clock{now: noon, timers: make(chan timer, 10)}
	b := &basket{got: make(chan struct{}, 10)}
	registry := prometheus.NewRegistry()
	s, err := New(Options{
		Jobs: []Job{
			{Name: "gpus", Interval: 15 * time.Second, Timeout: 5 * time.Second, Targets: []string{server.URL, server.URL}},
		}, To: b, Now: c.Now, After: c.After, Metrics: registry,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	var first time.Time
	for i := range 3 {
		loop := <-c.timers
		if loop.d <= 0 || loop.d > 15*time.Second {
			t.Errorf("waits %s", loop.d)
		}
		c.fire(loop)
		<-b.got
		if i == 0 {
			first = c.Now()
		} else if gap := c.Now().Sub(first) % (15 * time.Second); gap != 0 {
			t.Errorf("off its moment by %s", gap)
		}
	}
	<-c.timers // it waits again: its result is recorded
	h := s.Health()
	if len(h) != 1 || !h[0].Up || h[0].Samples != 1 {
		t.Errorf("%+v", h)
	}
	if n, err := testutil.GatherAndCount(registry); err != nil || n < 4 {
		t.Errorf("%d own metrics, %v", n, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestListedTargetsComeAndGo(t *testing.T) {
	server := serving(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, row) })
	host := strings.TrimPrefix(server.URL, "http://")
	answers := make(chan string, 1)
	answer := ""
	sd := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		select {
		case answer = <-answers:
		default:
		}
		if answer == "down" {
			http.Error(w, "no", http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, answer)
	})
	list := func(paths ...string) string {
		var groups []string
		for _, p := range paths {
			groups = append(groups, fmt.Sprintf(`{"targets":[%q],"labels":{"__metrics_path__":%q,"__meta_x":"y","node":"n9"}}`,
				host, p))
		}
		return "[" + strings.Join(groups, ",") + "]"
	}
	c := &clock{now: noon, timers: make(chan timer, 100)}
	s, err := New(Options{
		Jobs: []Job{{Name: "sd", Interval: 15 * time.Second, Timeout: 5 * time.Second, HTTPSD: sd.URL}},
		To:   &basket{}, Now: c.Now, After: c.After,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	answers <- list("/a", "/b")
	go func() { done <- s.Run(ctx) }()
	// listed waits until the job has looked and returns its timer.
	listed := func(loops int) timer {
		var job timer
		for range loops + 1 {
			if t := <-c.timers; t.d == listEvery {
				job = t
			}
		}
		return job
	}
	job := listed(2)
	for _, step := range []struct {
		answer string
		starts int
		want   string
	}{{list("/b", "/c"), 1, "/b /c"}, {"down", 0, "/b /c"}, {"[", 0, "/b /c"}, {list(), 0, ""}} {
		answers <- step.answer
		c.fire(job)
		job = listed(step.starts)
		var got []string
		for deadline := time.Now().Add(10 * time.Second); ; {
			got = got[:0]
			for _, h := range s.Health() {
				got = append(got, strings.TrimPrefix(h.Address, server.URL))
			}
			if strings.Join(got, " ") == step.want || time.Now().After(deadline) {
				break
			}
			time.Sleep(time.Millisecond) // a loop that ends has no channel
		}
		if strings.Join(got, " ") != step.want {
			t.Errorf("after %s: %v", step.answer, got)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := fromListing(&Job{Name: "x"}, []listedGroup{{Targets: []string{"h h"}}}); err == nil {
		t.Error("a target that is none is taken")
	}
}
