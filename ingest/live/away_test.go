package live_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/ingest/live"
	"gpuledger/ingest/remotewrite"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
)

// flaky is a store whose inbox or publishing fails at will.
type flaky struct {
	*store.Store
	inbox, publish, lease atomic.Bool
}

func (f *flaky) LeaseInbox(ctx context.Context, receiver ledger.ID) (live.Lease, error) {
	if f.lease.Load() {
		return nil, errAway
	}
	return f.Store.LeaseInbox(ctx, receiver)
}

var errAway = errors.New("away")

func (f *flaky) PutInbox(ctx context.Context, receiver ledger.ID, first int64, list []live.Stored) error {
	if f.inbox.Load() {
		return errAway
	}
	return f.Store.PutInbox(ctx, receiver, first, list)
}

func (f *flaky) StageTelemetry(ctx context.Context, id ledger.ID) (ingest.TelemetryStage, error) {
	stage, err := f.Store.StageTelemetry(ctx, id)
	return &flakyStage{stage, f}, err
}

type flakyStage struct {
	ingest.TelemetryStage
	f *flaky
}

func (s *flakyStage) Publish(ctx context.Context) error {
	if s.f.publish.Load() {
		return errors.Join(errAway, s.Discard(ctx))
	}
	return s.TelemetryStage.Publish(ctx)
}

func newFlaky(t *testing.T, limits live.Limits) (*rig, *flaky) {
	g := newRig(t, live.Options{})
	if err := g.stop(); err != nil {
		t.Fatal(err)
	}
	f := &flaky{Store: g.store}
	g.run(live.Options{Store: f, Limits: limits})
	return g, f
}

func TestWithoutAnInboxNothingIsAcknowledged(t *testing.T) {
	g, f := newFlaky(t, live.Limits{})
	f.inbox.Store(true)
	b := body(v2, func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), 1) })
	w := g.post(b, v2)
	check(t, w, w.Code, http.StatusServiceUnavailable, w.Body.String(), "the database is away")
	if w.Header().Get("Retry-After") == "" || w.Header().Get(remotewrite.HeaderSamples) != "0" {
		t.Error(w.Header())
	}
	g.flush()
	if len(g.vectors()) != 0 {
		t.Error("it was stored all the same")
	}
	// Unread series need no database.
	w = g.post(body(v2, func(e *remotewrite.Encoder) { e.Series("up", nil, remotewrite.Sample{Ms: at(0), Value: 1}) }), v2)
	check(t, w, w.Code, http.StatusNoContent, w.Body.String())
	f.inbox.Store(false)
	if w := g.post(b, v2); w.Code != http.StatusNoContent {
		t.Error(w.Code, w.Body)
	}
	g.flush()
	if len(g.vectors()) != 1 {
		t.Error("it is not there")
	}
}

func TestAFlushThatFailsLosesNothing(t *testing.T) {
	g, f := newFlaky(t, live.Limits{})
	f.publish.Store(true)
	for i := range 5 {
		if w := g.post(body(v1, func(e *remotewrite.Encoder) { util(e, fmt.Sprint("GPU-", i), at(0), float64(i)) }),
			v1); w.Code != http.StatusNoContent {
			t.Fatal(w.Code, w.Body)
		}
		if err := g.r.Put(t.Context(), &ledger.Telemetry{
			Checkpoints: []ledger.Checkpoint{
				{Cluster: "c", Namespace: "n", Pod: fmt.Sprint("p", i), At: 1_700_000_000, Step: -1},
			},
		}); err != nil {
			t.Fatal(err)
		}
		if err := g.r.Flush(t.Context()); !errors.Is(err, errAway) {
			t.Fatal(err)
		}
		if g.waiting() != int64(i+1) {
			t.Error("the inbox forgot", g.waiting())
		}
	}
	f.publish.Store(false)
	g.flush()
	if n := len(g.vectors()); n != 5 || g.waiting() != 0 || g.one("select count(*) from checkpoint_facts") != 5 {
		t.Error(n, "devices,", g.waiting(), "requests wait")
	}
}

func TestWhatMayWaitIsBounded(t *testing.T) {
	g, f := newFlaky(t, live.Limits{Pending: 200_000})
	f.publish.Store(true)
	code := 0
	for i := range 200 {
		w := g.post(body(v1, func(e *remotewrite.Encoder) {
			for k := range 100 {
				util(e, fmt.Sprint("GPU-", i, "-", k), at(0), 1)
			}
		}), v1)
		if code = w.Code; code != http.StatusNoContent {
			check(t, w, code, http.StatusServiceUnavailable, w.Body.String(), "too much waits")
			break
		}
	}
	if code != http.StatusServiceUnavailable {
		t.Fatal("it takes everything")
	}
	if err := g.r.Put(t.Context(), &ledger.Telemetry{}); err == nil {
		t.Error("facts are taken")
	}
	f.publish.Store(false)
	g.flush()
	if w := g.post(body(v1, func(e *remotewrite.Encoder) { util(e, "GPU", at(0), 1) }),
		v1); w.Code != http.StatusNoContent {
		t.Error(w.Code, w.Body)
	}
}

// Acknowledged but unpublished samples are stored after the next start, once.
func TestTheLastFlushFailsAndTheNextReceiverTakesOver(t *testing.T) {
	g, f := newFlaky(t, live.Limits{})
	f.publish.Store(true)
	for i := range 20 {
		if w := g.post(body(v1, func(e *remotewrite.Encoder) {
			util(e, "GPU-1", at(time.Duration(-i)*time.Minute),
				float64(i))
		}), v1); w.Code != http.StatusNoContent {
			t.Fatal(w.Code, w.Body)
		}
	}
	if err := g.stop(); !errors.Is(err, errAway) {
		t.Fatal(err)
	}
	if w := g.post(body(v1, func(e *remotewrite.Encoder) { util(e, "GPU-1", at(0), 1) }),
		v1); w.Code != http.StatusServiceUnavailable {
		t.Error("after the end:", w.Code, w.Body)
	}
	g.run(live.Options{})
	g.until(func() bool { g.flush(); return g.waiting() == 0 })
	if n := len(g.vectors()["default/n1/GPU-1"][ledger.SignalGPUUtil]); n != 20 {
		t.Error(n, "minutes")
	}
}
