package posting_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/allocation"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// ledgerText is the whole ledger as text, without the ids of calculations.
func (w *world) ledgerText() []string {
	w.t.Helper()
	var out []string
	for _, q := range []string{
		"select * from nodes order by node_id",
		"select * from runs order by run_id",
		"select * from attempts order by attempt_id",
		"select * from segments order by attempt_id, workload_id, from_at",
		"select * from workloads order by workload_id",
		"select (to_jsonb(p) - 'generation')::text from parts p order by hour, part_id",
		"select (to_jsonb(u) - 'generation')::text from usage u order by hour, usage_id",
		"select (to_jsonb(p) - 'generation')::text from postings p order by hour, posting_id",
		"select * from spans order by node_id, slot, slice_id, workload_id, from_at",
		"select node_id, day, usage_rows, posting_rows, digest from chunks where usage_rows + posting_rows > 0 order by " +
			"node_id, day",
	} {
		out = append(out, w.rows(q)...)
	}
	return out
}

func sameLedger(t *testing.T, what string, want, got *world) {
	t.Helper()
	a, b := want.ledgerText(), got.ledgerText()
	if len(a) < 20_000 {
		t.Errorf("%s: a ledger of %d rows is not worth comparing", what, len(a))
	}
	if slices.Equal(a, b) {
		return
	}
	diff := cmp.Diff(a, b)
	t.Errorf("%s: %d and %d rows\n%s", what, len(a), len(b), diff[:min(len(diff), 4000)])
}

func twoDays(seed int64) fleetsim.Config {
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Seed = seed
	return cfg
}

// TestIncrementalIsFull loads the same files in another order and allocates after each of them.
func TestIncrementalIsFull(t *testing.T) {
	t.Parallel()
	full := simulate(t, twoDays(4))
	full.loadAll()
	full.allocate()

	step := full.separate()
	step.load("aws-cur", step.files.AWSCUR...)
	step.allocate()
	for _, file := range step.files.Telemetry {
		step.load("openmetrics", file)
		step.allocate()
	}
	step.load("price-book", step.files.PriceBook)
	step.allocate()
	step.load("spot-events", step.files.Events...)
	step.allocate()
	sameLedger(t, "allocated after every file", full, step)
	if sum := step.allocate(); sum.Chunks != 0 || sum.Recut != 0 {
		t.Errorf("nothing changed, yet %+v", sum)
	}
}

// TestANewerBillReplacesTheOlder allocates between two deliveries of one month without a price book: the bill's own
// last rates price the hours that it lacks.
func TestANewerBillReplacesTheOlder(t *testing.T) {
	t.Parallel()
	long, short := twoDays(7), twoDays(7)
	short.BillLagHours += 7
	older, newer := simulate(t, short), simulate(t, long)
	at := func(day int) *period.Second {
		s := period.FromTime(newer.files.To) + period.Second(day*period.Day)
		return &s
	}
	load := func(w *world, between func()) {
		w.load("openmetrics", newer.files.Telemetry...)
		w.dir = older.dir
		w.loadDelivered(at(1), older.files.AWSCUR...)
		between()
		w.dir = newer.dir
		w.loadDelivered(at(2), newer.files.AWSCUR...)
		w.mustOnlyWait()
		w.allocate()
	}
	once, twice := newer.separate(), newer.separate()
	load(once, func() {})
	load(twice, func() {
		if sum := twice.allocate(); sum.Recut != 1 {
			t.Errorf("the first bill: %+v", sum)
		}
	})
	sameLedger(t, "allocated between two deliveries", once, twice)
	got := once.rows("select count(*) > 0, count(effective_cost) > 0, count(list_cost) from postings where state = " +
		"'provisional'")
	if !slices.Equal(got, []string{"(t,t,0)"}) {
		t.Errorf("provisional postings exist, have a cost, and no list price: %v", got)
	}
}

var errCrash = errors.New("the process died")

// crashing is a store whose n-th writing call, and all calls after it, fail.
type crashing struct {
	posting.AllocationStore
	left int
}

func (c *crashing) dies() bool {
	c.left--
	return c.left < 0
}

func (c *crashing) SaveWorld(ctx context.Context, w *posting.Derived) error {
	if c.dies() {
		return errCrash
	}
	return c.AllocationStore.SaveWorld(ctx, w)
}

func (c *crashing) SaveOwners(ctx context.Context, owners []ledger.Owner) error {
	if c.dies() {
		return errCrash
	}
	return c.AllocationStore.SaveOwners(ctx, owners)
}

func (c *crashing) ReplaceParts(
	ctx context.Context, delivery ledger.ID, digest string, parts iter.Seq2[*ledger.Part, error],
) error {
	if c.dies() {
		return errCrash
	}
	return c.AllocationStore.ReplaceParts(ctx, delivery, digest, parts)
}

func (c *crashing) SaveChunks(ctx context.Context, chunks []*allocation.Chunk, meta posting.ChunkMeta) error {
	if c.dies() {
		return errCrash
	}
	return c.AllocationStore.SaveChunks(ctx, chunks, meta)
}

// TestACrashAnywhereChangesNothing dies before each writing step in turn, each time continuing from the state that
// the crash before left.
func TestACrashAnywhereChangesNothing(t *testing.T) {
	t.Parallel()
	want := simulate(t, twoDays(5))
	want.loadAll()
	want.allocate()

	w := want.separate()
	w.loadAll()
	for _, steps := range []int{0, 1, 2, 3, 4, 10, 25} {
		a := posting.Allocator{Store: &crashing{w.store, steps}, Workers: 1}
		if _, err := a.Run(t.Context(), period.Interval{}); !errors.Is(err, errCrash) {
			t.Fatalf("after %d steps: %v", steps, err)
		}
	}
	sum := w.allocate()
	sameLedger(t, fmt.Sprintf("after crashes, %d chunks left", sum.Chunks), want, w)
}

func TestACancelledRunSaysSo(t *testing.T) {
	t.Parallel()
	w := simulate(t, twoDays(6))
	w.loadAll()
	ctx, cancel := context.WithCancel(t.Context())
	a := posting.Allocator{Store: w.store, Progress: func(done, _ int) {
		if done == 3 {
			cancel()
		}
	}}
	if _, err := a.Run(ctx, period.Interval{}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := w.rows("select finished_at is not null, message <> '' from calculations"); !slices.Equal(got,
		[]string{"(t,t)"}) {
		t.Error(got)
	}
	if sum := w.allocate(); sum.Chunks == 0 {
		t.Error("nothing was left to do")
	}
}
