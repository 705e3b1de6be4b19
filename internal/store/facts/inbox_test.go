package facts_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest/live"
	"gpuledger/internal/ledger"
	"gpuledger/test/storetest"
)

func stored(n int, size int) live.Stored {
	return live.Stored{
		Kind: "k", Sender: "host 10.0.0.1", Cluster: []string{"", "c1"}[n%2],
		ReceivedAt: time.Unix(1_700_000_000+int64(n), 0).UTC(), Body: slices.Repeat([]byte{byte(n)}, size),
	}
}

func TestTheInboxGivesBackWhatWasPut(t *testing.T) {
	s := storetest.New(t)
	ctx := t.Context()
	dead, other, mine := ledger.ID{1}, ledger.ID{2}, ledger.ID{3}
	var want []live.Stored
	for n := range 7 {
		want = append(want, stored(n, 1+n*400_000))
	}
	if err := s.PutInbox(ctx, dead, 1, want[:3]); err != nil {
		t.Fatal(err)
	}
	if err := s.PutInbox(ctx, dead, 10, want[3:]); err != nil {
		t.Fatal(err)
	}
	if err := s.PutInbox(ctx, other, 1, want[:1]); err != nil {
		t.Fatal(err)
	}
	if rows, oldest, err := s.InboxBacklog(ctx); err != nil || rows != 8 || !oldest.Equal(want[0].ReceivedAt) {
		t.Fatal(rows, oldest, err)
	}
	lease, err := s.LeaseInbox(ctx, mine)
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Close()
	got, err := lease.Adopt(ctx)
	if err != nil || !cmp.Equal(got, []ledger.ID{dead, other}) && !cmp.Equal(got, []ledger.ID{other, dead}) {
		t.Fatal(got, err)
	}
	if again, err := lease.Adopt(ctx); err != nil || len(again) > 0 {
		t.Fatal("adopted twice", again, err)
	}
	var read []live.Stored
	for after := int64(0); ; {
		list, err := lease.Read(ctx, dead, after)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			break
		}
		bytes := 0
		for _, r := range list {
			bytes += len(r.Body)
		}
		if bytes > 8_000_000 {
			t.Errorf("one read has %d bytes", bytes)
		}
		read = append(read, list...)
		after = list[len(list)-1].Number
	}
	for i, n := range []int64{1, 2, 3, 10, 11, 12, 13} {
		want[i].Number = n
	}
	if d := cmp.Diff(want, read); d != "" {
		t.Fatal(d)
	}
	stage, err := s.StageTelemetry(ctx, mine)
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Settle(ctx, dead, 11); err != nil {
		t.Fatal(err)
	}
	if rows, _, _ := s.InboxBacklog(ctx); rows != 8 {
		t.Error("settled before it was published", rows)
	}
	if err := stage.Publish(ctx); err != nil {
		t.Fatal(err)
	}
	if rows, _, _ := s.InboxBacklog(ctx); rows != 3 {
		t.Error("after the settlement", rows)
	}
	if err := lease.Release(ctx, dead); err != nil {
		t.Fatal(err)
	}
	if got, err := lease.Adopt(ctx); err != nil || !cmp.Equal(got, []ledger.ID{dead}) {
		t.Error("what was released cannot be adopted again", got, err)
	}
}

func TestALeaseEndsWithItsConnection(t *testing.T) {
	s := storetest.New(t)
	ctx := t.Context()
	a, b := ledger.ID{0xa}, ledger.ID{0xb}
	if err := s.PutInbox(ctx, a, 1, []live.Stored{stored(1, 10)}); err != nil {
		t.Fatal(err)
	}
	first, err := s.LeaseInbox(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := s.LeaseInbox(ctx, a); err == nil {
		t.Error("a receiver has two leases")
	}
	second, err := s.LeaseInbox(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if got, err := second.Adopt(ctx); err != nil || len(got) > 0 {
		t.Fatal("a living receiver was adopted", got, err)
	}
	first.Close()
	if first.Check(ctx) == nil {
		t.Error("a closed lease lives")
	}
	if got, err := second.Adopt(ctx); err != nil || !cmp.Equal(got, []ledger.ID{a}) { // without a delay
		t.Error("not adopted", got, err)
	}
}
