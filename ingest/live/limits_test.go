package live_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"gpuledger/ingest/live"
	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
	"gpuledger/test/tier"
)

// heap is the memory in use after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// T11: one sender invents a million label sets; another one goes on.
func TestACardinalityBombHitsItsSenderOnly(t *testing.T) {
	tier.OnlyInFull(t, "a million label sets")
	g := newRig(t, live.Options{Limits: live.Limits{SeriesPerSender: 50_000}})
	good := body(v2, func(e *remotewrite.Encoder) {
		for i := range 500 {
			util(e, fmt.Sprint("GPU-", i), at(0), float64(i%100))
		}
	})
	sendGood := func() (took time.Duration) {
		begin := time.Now()
		if w := g.post(good, v2, "X-Scope-OrgID", "good"); w.Code != http.StatusNoContent ||
			w.Header().Get(remotewrite.HeaderSamples) != "500" {
			t.Error("the good sender gets", w.Code, w.Body)
		}
		return time.Since(begin)
	}
	var calm []time.Duration
	for range 50 {
		calm = append(calm, sendGood())
	}
	before := heap()
	var wg sync.WaitGroup
	var under []time.Duration
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				under = append(under, sendGood())
			}
		}
	})
	taken, refused := 0, 0
	for i := range 500 {
		b := body(v2, func(e *remotewrite.Encoder) {
			for k := range 2000 {
				e.Series("DCGM_FI_DEV_GPU_UTIL",
					series.Labels{{Name: "Hostname", Value: "n"}, {Name: "UUID", Value: fmt.Sprintf("GPU-%d-%d", i, k)}},
					remotewrite.Sample{Ms: at(0), Value: 1})
			}
		})
		w := g.post(b, v2, "X-Scope-OrgID", "bomb")
		var n int
		_, _ = fmt.Sscan(w.Header().Get(remotewrite.HeaderSamples), &n)
		taken, refused = taken+n, refused+2000-n
		if want := http.StatusNoContent; n < 2000 && w.Code != http.StatusBadRequest || n == 2000 && w.Code != want {
			t.Fatalf("%d of 2000 taken, answer %d: %s", n, w.Code, w.Body)
		}
	}
	close(stop)
	wg.Wait()
	if taken != 50_000 || refused != 950_000 {
		t.Errorf("%d taken, %d refused", taken, refused)
	}
	g.flush()
	grown := int64(heap()) - int64(before)
	p99 := func(d []time.Duration) time.Duration { slices.Sort(d); return d[len(d)*99/100] }
	t.Logf("1,000,000 label sets: %d taken, %d refused, heap +%d MB; the other sender's p99 %s, before %s (%d and %d "+
		"requests)",
		taken, refused, grown>>20, p99(under), p99(calm), len(under), len(calm))
	if grown > 64<<20 {
		t.Errorf("the bomb left %d MB", grown>>20)
	}
	// The good sender's series are still known, and it may add new ones.
	more := body(v2, func(e *remotewrite.Encoder) { util(e, "GPU-new", at(0), 1) })
	if w := g.post(more, v2, "X-Scope-OrgID", "good"); w.Code != http.StatusNoContent {
		t.Error(w.Code, w.Body)
	}
}

func TestLimitsOfOneRequest(t *testing.T) {
	g := newRig(t, live.Options{Limits: live.Limits{SeriesPerBody: 10, Series: 15}})
	send := func(from, n int) (int, string, string) {
		w := g.post(body(v2, func(e *remotewrite.Encoder) {
			for i := range n {
				util(e, fmt.Sprint("GPU-", from+i), at(0), 1)
			}
		}), v2)
		return w.Code, w.Header().Get(remotewrite.HeaderSamples), w.Body.String()
	}
	if code, n, text := send(0, 12); code != 400 || n != "10" {
		t.Error(code, n, text)
	}
	if code, n, text := send(100, 10); code != 400 || n != "5" {
		t.Error(code, n, text)
	}
	if code, n, text := send(0, 10); code != 204 || n != "10" {
		t.Error("known series:", code, n, text)
	}
}

// The memory of a fleet of 10,000 GPUs with two million additional unread series.
func TestTwoMillionSeriesFit(t *testing.T) {
	tier.OnlyInFull(t, "two million series")
	now := start
	r := live.New(live.Options{Store: memory{}, Now: func() time.Time { return now }, FlushEvery: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	defer func() { cancel(); <-done }()
	before := heap()
	names := make([]string, 0, 20)
	for _, n := range series.Names() {
		if len(n) > 8 && n[:8] == "DCGM_FI_" && len(names) < 20 {
			names = append(names, n)
		}
	}
	e := remotewrite.NewEncoder(v1)
	send := func() {
		if _, err := r.Accept(t.Context(), live.Request{
			Kind: live.KindRemoteWrite1, Sender: "s", Body: slices.Clone(e.Body()),
		}); err != nil {
			t.Fatal(err)
		}
		e.Reset()
	}
	for g := range 10_000 {
		ls := dcgm(g)
		for _, n := range names {
			e.Series(n, ls, remotewrite.Sample{Ms: start.UnixMilli(), Value: 0.5})
		}
		if g%100 == 99 {
			send()
		}
	}
	mapped := heap()
	for i := range 1000 {
		for k := range 2000 {
			e.Series("node_cpu_seconds_total",
				series.Labels{{Name: "cpu", Value: fmt.Sprint(k)}, {Name: "instance", Value: fmt.Sprint(i)}},
				remotewrite.Sample{Ms: start.UnixMilli(), Value: 1})
		}
		send()
	}
	after := heap()
	t.Logf("200,000 series of GPUs with a sample each: %d MB; 2,000,000 others: %d MB more", (mapped-before)>>20,
		(int64(after)-int64(mapped))>>20)
	if after-before > 200<<20 {
		t.Errorf("all together take %d MB", (after-before)>>20)
	}
}
