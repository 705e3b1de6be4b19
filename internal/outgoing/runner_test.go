package outgoing

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/blob"
	"gpuledger/metrics"
)

// shelf keeps one schedule in memory.
type shelf struct {
	s      Stored
	locked bool
	starts int
}

func (k *shelf) List(context.Context) ([]Stored, error) { return []Stored{k.s}, nil }

func (k *shelf) Schedule(_ context.Context, name string) (Stored, error) {
	if name != k.s.Name {
		return Stored{}, errors.New("there is no schedule " + name)
	}
	return k.s, nil
}

func (k *shelf) Lock(context.Context, string) (func(), bool, error) {
	if k.locked {
		return nil, false, nil
	}
	k.locked = true
	return func() { k.locked = false }, true, nil
}

func (k *shelf) Start(_ context.Context, name string, tick, at time.Time) error {
	k.starts++
	k.s.Last = &Run{Name: name, Tick: tick, StartedAt: at, State: Running, Tries: 1}
	return nil
}

func (k *shelf) Finish(_ context.Context, _ *Stored, r *Run) error {
	r.Tries, k.s.Last = k.s.Last.Tries, r
	if r.State == Done {
		k.s.Done = &r.Tick
	}
	return nil
}

// watched are books that know who reads them.
type watched struct {
	*books
	viewers map[string]bool
}

func (w *watched) Query(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	v := access.From(ctx)
	w.viewers[v.Name+" as "+string(v.Role)] = true
	return w.books.Query(ctx, q)
}

func TestRunner(t *testing.T) {
	dir := t.TempDir()
	now := at(t, "2026-11-29T10:00:00Z")
	keeper := &shelf{s: Stored{Schedule: Schedule{Name: "finance", Dataset: "costs", Format: "csv", Target: dir, Every: Daily,
		Months: 3, Options: question("csv").Options}}}
	from := &watched{october(), map[string]bool{}}
	r := &Runner{Store: keeper, Exporter: Exporter{From: from}, Folder: blob.Stores{}.Folder, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return now }}

	keeper.locked = true // by another server
	r.Look(t.Context())
	if err := r.RunNow(t.Context(), "finance"); !errors.Is(err, ErrBusy) || keeper.starts != 0 {
		t.Errorf("%v after %d starts", err, keeper.starts)
	}
	keeper.locked = false

	from.broken = errors.New("the database is away")
	r.Look(t.Context())
	if last := keeper.s.Last; last.State != Failed || !strings.Contains(last.Error, "the database is away") ||
		!strings.Contains(last.Error, dir) || keeper.s.Done != nil {
		t.Errorf("%+v", last)
	}
	r.Look(t.Context()) // it waits a minute
	if keeper.starts != 1 {
		t.Errorf("%d starts", keeper.starts)
	}
	from.broken, now = nil, now.Add(time.Minute)
	r.Look(t.Context())
	if last := keeper.s.Last; last.State != Done || last.Written != 1 || last.Rows != 4 || keeper.s.Done == nil {
		t.Errorf("%+v", last)
	}
	check(t, filepath.Join(dir, "billing_period=2026-10"))
	r.Look(t.Context()) // done until the next day
	if keeper.starts != 2 || keeper.locked {
		t.Errorf("%d starts, locked: %v", keeper.starts, keeper.locked)
	}
	if err := r.RunNow(t.Context(), "finance"); err != nil || keeper.starts != 3 || keeper.s.Last.Kept != 1 {
		t.Errorf("%v after %d starts: %+v", err, keeper.starts, keeper.s.Last)
	}
	if len(from.viewers) != 1 || !from.viewers["export finance as auditor"] {
		t.Errorf("read by %v", from.viewers)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	now = now.Add(24 * time.Hour)
	r.Tick = make(chan time.Time)
	r.Run(ended) // a server that stops runs nothing more
	if keeper.starts != 3 {
		t.Errorf("%d starts", keeper.starts)
	}
}
