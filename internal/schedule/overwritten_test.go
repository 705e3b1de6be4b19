package schedule

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
)

// bucket is an object store in memory whose objects an export overwrites.
type bucket struct {
	mu      sync.Mutex
	objects map[string]content // by key
}

type content struct {
	text string
	at   period.Second
}

func (b *bucket) List(context.Context, string) ([]blob.Object, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []blob.Object
	for key, c := range b.objects {
		out = append(out, blob.Object{
			Name: key, Address: "mem://b/" + key, Size: int64(len(c.text)),
			Modified: c.at, Version: fmt.Sprint(c.at, len(c.text)), Content: c,
		})
	}
	return out, nil
}

func (c content) Range(_ context.Context, from, to int64) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader([]byte(c.text)[from:to])), nil
}

// overwrite writes a delivery of so many parts, each with two lines at a cost; additional older objects stay.
func (b *bucket) overwrite(at time.Time, parts int, cost string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for part := range parts {
		text := "identity/LineItemId,identity/TimeInterval,bill/PayerAccountId,bill/BillingPeriodStartDate,lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate," +
			"lineItem/UsageEndDate,lineItem/ProductCode,lineItem/UsageType,lineItem/ResourceId,lineItem/UsageAmount,lineItem/CurrencyCode,lineItem/UnblendedCost\n"
		for i := range 2 {
			from, to := fmt.Sprintf("2026-11-02T%02d:00:00Z", 2*part+i), fmt.Sprintf("2026-11-02T%02d:00:00Z", 2*part+i+1)
			text += strings.Join([]string{fmt.Sprintf("%s-%d-%d", cost, part, i), from + "/" + to, "111", "2026-11-01T00:00:00Z",
				"222", "Usage", from, to,
				"AmazonEC2", "BoxUsage:p5.48xlarge", "i-0123456789abcdef0", "1", "USD", cost}, ",") + "\n"
		}
		b.objects[fmt.Sprintf("x-%05d.csv", part+1)] = content{text, period.FromTime(at)}
	}
}

// take imports the bucket into a store.
func (b *bucket) take(ctx context.Context, s ingest.Store, last ingest.SourceState) (ingest.SourceState, error) {
	req := ingest.Request{
		Source: ingest.SourceAWSCUR, URIs: []string{"mem://b"}, Stores: blob.Stores{"mem": b}, KeepEverything: true,
	}
	state := ingest.SourceState{State: ingest.SourceFailed}
	listing, err := ingest.List(ctx, req)
	if err != nil {
		return state, err
	}
	if bytes.Equal(listing.Digest, last.Listing) {
		state.State = ingest.SourceSkipped
		return state, nil
	}
	req.Listing = listing
	sum, err := (&ingest.Importer{Store: s, Now: time.Now}).Import(ctx, req)
	if sum != nil {
		state.State = string(sum.State)
	}
	if err == nil {
		state.Listing, state.ImportedAt = listing.Digest, time.Now()
	}
	return state, err
}

// counts is the number of counted deliveries, and their sum.
func (o *office) counts() (text string) {
	o.t.Helper()
	if err := o.store.Pool.QueryRow(o.t.Context(), `select count(distinct delivery_id) || ' ' || coalesce(trim_scale(sum(effective_cost)), 0)
from charges where tenant_id = 1 and delivery_state = 'current'`).Scan(&text); err != nil {
		o.t.Fatal(err)
	}
	return text
}

func (o *office) expect(want, when string) {
	o.t.Helper()
	if got := o.counts(); got != want {
		o.t.Errorf("%s: %s instead of %s (deliveries, cost)", when, got, want)
	}
}

// tick runs the schedule until a source is done for the current time.
func (o *office) tick(name, want string) {
	o.t.Helper()
	s, due := o.start(name), o.clock().Truncate(6*time.Hour)
	defer o.stop(s)
	o.await(name)
	for deadline := time.Now().Add(30 * time.Second); ; {
		st, err := o.store.SourceState(o.t.Context(), name)
		if err != nil {
			o.t.Fatal(err)
		}
		if !st.Tick.Equal(due) && time.Now().Before(deadline) {
			time.Sleep(5 * time.Millisecond) // another goroutine's commit has no channel
			continue
		}
		if st.State != want || !st.Tick.Equal(due) {
			o.t.Errorf("at %s: %s instead of %s: %s", due, st.State, want, st.Message)
		}
		return
	}
}

// A scheduled import of overwritten objects takes the current contents, also if there are fewer parts, and does
// nothing if nothing changed.
func TestScheduleImportsOverwrittenObjects(t *testing.T) {
	o, b := newOffice(t), &bucket{objects: map[string]content{}}
	o.answer = func(ctx context.Context, source string, _ int) (ingest.SourceState, error) {
		last, err := o.store.SourceState(ctx, source)
		if err != nil {
			return last, err
		}
		return b.take(ctx, o.store, last)
	}
	for i, c := range []struct {
		parts       int // 0: no delivery was written
		cost, state string
		want        string
	}{{3, "1", "published", "1 6"}, {3, "2", "published", "1 12"},
		{0, "", ingest.SourceSkipped, "1 12"}, {4, "3", "published", "1 24"}} {
		if c.parts > 0 {
			b.overwrite(o.clock(), c.parts, c.cost)
		}
		o.tick("aws", c.state)
		o.expect(c.want, fmt.Sprintf("time %d", i+1))
		o.mu.Lock()
		o.now = o.now.Add(6 * time.Hour)
		o.mu.Unlock()
	}
	// The parts that the next delivery leaves behind repeat its own charges.
	b.overwrite(o.clock(), 2, "4")
	b.mu.Lock()
	b.objects["x-00002.csv"] = content{b.objects["x-00002.csv"].text +
		strings.SplitN(b.objects["x-00003.csv"].text, "\n", 2)[1] + strings.SplitN(b.objects["x-00004.csv"].text, "\n", 2)[1],
		b.objects["x-00002.csv"].at}
	b.mu.Unlock()
	o.tick("aws", "published")
	o.expect("1 28", "fewer parts") // 4 lines at 4, and 4 at 3
}

// If several processes import one overwritten delivery at once, exactly one delivery counts, the new one, in any
// order of their steps.
func TestProcessesImportAnOverwrittenDeliveryAtOnce(t *testing.T) {
	o, b := newOffice(t), &bucket{objects: map[string]content{}}
	other, err := store.Open(t.Context(), o.dsn, pg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	for round := range 4 {
		b.overwrite(o.clock().Add(time.Duration(round)*6*time.Hour), 3, fmt.Sprint(round+1))
		var group sync.WaitGroup
		states, faults := make([]ingest.SourceState, 4), make([]error, 4)
		for i := range states {
			group.Go(func() {
				states[i], faults[i] = b.take(t.Context(), []*store.Store{o.store, other}[i%2], ingest.SourceState{})
			})
		}
		group.Wait()
		published := 0
		for i, st := range states {
			if st.State == "published" {
				published++
			} else if st.State != "unchanged" {
				t.Errorf("round %d: process %d: %s", round, i, st.State)
			}
		}
		if err := errors.Join(faults...); err != nil || published != 1 {
			t.Errorf("round %d: published %d times, %v", round, published, err)
		}
		o.expect(fmt.Sprintf("1 %d", 6*(round+1)), fmt.Sprintf("round %d", round))
	}
}

// dying is a store whose server drops an import when it has staged everything.
type dying struct {
	*store.Store
	kill func()
}

func (d dying) StageCharges(ctx context.Context, id ledger.ID) (ingest.ChargeStage, error) {
	stage, err := d.Store.StageCharges(ctx, id)
	return dyingStage{stage, d.kill}, err
}

type dyingStage struct {
	ingest.ChargeStage
	kill func()
}

func (d dyingStage) Publish(ctx context.Context, list []ledger.Delivery) ([]ingest.PublishedDelivery, error) {
	d.kill()
	return d.ChargeStage.Publish(ctx, list)
}

// An import of an overwritten delivery that is killed between staging and publishing leaves the earlier one in place,
// and the next import takes the new one.
func TestAnImportThatIsKilledBetweenTwoDeliveries(t *testing.T) {
	o, b := newOffice(t), &bucket{objects: map[string]content{}}
	victim, err := store.Open(t.Context(), o.dsn, pg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(victim.Close)
	b.overwrite(o.clock(), 3, "1")
	if _, err := b.take(t.Context(), o.store, ingest.SourceState{}); err != nil {
		t.Fatal(err)
	}
	b.overwrite(o.clock().Add(6*time.Hour), 3, "2")
	killed := dying{victim, func() {
		o.exec("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = " +
			"current_database() and state = 'idle in transaction'")
	}}
	if st, err := b.take(t.Context(), killed, ingest.SourceState{}); err == nil {
		t.Fatalf("a killed import is %s", st.State)
	}
	o.expect("1 6", "after the kill")
	if st, err := b.take(t.Context(), o.store, ingest.SourceState{}); err != nil || st.State != "published" {
		t.Errorf("after the kill: %s, %v", st.State, err)
	}
	o.expect("1 12", "imported again")
	b.overwrite(o.clock().Add(12*time.Hour), 3, "3")
	if _, err := b.take(t.Context(), o.store, ingest.SourceState{}); err != nil {
		t.Error(err)
	}
	o.expect("1 18", "the next one")
}
