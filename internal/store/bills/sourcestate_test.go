package bills_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest"
	"gpuledger/test/storetest"
)

func TestStateOfASource(t *testing.T) {
	s, ctx := storetest.New(t), t.Context()
	if st, err := s.SourceState(ctx, "aws"); err != nil || !cmp.Equal(st, ingest.SourceState{Name: "aws"}) {
		t.Errorf("never looked at: %+v %v", st, err)
	}
	hour := func(h int) time.Time { return time.Date(2026, 3, 1, h, 0, 0, 0, time.UTC) }
	first := ingest.SourceState{
		Name: "aws", Tick: hour(6), State: "published", Listing: []byte("one"),
		Versions: map[string]string{"bq://t/1": "v1"}, LookedAt: hour(7), ImportedAt: hour(7),
	}
	for _, step := range []struct{ save, want ingest.SourceState }{
		{first, first},
		{ // a failure keeps the imported listing
			ingest.SourceState{
				Name: "aws", Tick: hour(12), State: ingest.SourceFailed, Message: "no\x00way", LookedAt: hour(12),
			},
			ingest.SourceState{
				Name: "aws", Tick: hour(12), State: ingest.SourceFailed, Message: "no\ufffdway", Listing: []byte("one"),
				Versions: map[string]string{"bq://t/1": "v1"}, LookedAt: hour(12), ImportedAt: hour(7),
			},
		},
		{ // by hand: no tick, and ticks never go back
			ingest.SourceState{
				Name: "aws", State: "unchanged", Listing: []byte("two"), LookedAt: hour(13), ImportedAt: hour(13),
			},
			ingest.SourceState{
				Name: "aws", Tick: hour(12), State: "unchanged", Listing: []byte("two"),
				Versions: map[string]string{}, LookedAt: hour(13), ImportedAt: hour(13),
			},
		},
	} {
		if err := s.SaveSourceState(ctx, step.save); err != nil {
			t.Fatal(err)
		}
		got, err := s.SourceState(ctx, "aws")
		if err != nil {
			t.Fatal(err)
		}
		got.LookedAt = got.LookedAt.UTC()
		if d := cmp.Diff(step.want, got); d != "" {
			t.Error(d)
		}
	}
	if all, err := s.SourceStates(ctx); err != nil || len(all) != 1 {
		t.Errorf("%+v %v", all, err)
	}
}

func TestOneImportPerSource(t *testing.T) {
	s, ctx := storetest.New(t), t.Context()
	unlock, ok, err := s.LockSource(ctx, "aws")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, again, err := s.LockSource(ctx, "aws"); again || err != nil {
		t.Error("locked twice", err)
	}
	other, ok, err := s.LockSource(ctx, "gcp")
	if err != nil || !ok {
		t.Fatal("another source must be free: ", err)
	}
	other()
	unlock()
	if unlock, ok, err = s.LockSource(ctx, "aws"); err != nil || !ok {
		t.Fatal("it must be free again: ", err)
	}
	unlock()
}
