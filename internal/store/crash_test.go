package store_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
	"gpuledger/test/tier"
)

// visible counts every row that a reader can see at this instant: a COMMIT that was sent before its client died may
// still take effect.
func visible(t testing.TB, s *store.Store) int {
	t.Helper()
	var counts []string
	for _, table := range append([]string{"charge_rows", "charge_scopes", "charge_items", "charge_resources",
		"charge_tags", "charge_details", "charge_instances", "deliveries", "delivery_files", "control_totals",
		"coverage", "delivery_coverage", "dirty"}, storetest.FactTables...) {
		counts = append(counts, "(select count(*) from "+table+")")
	}
	return storetest.One[int](t, s, "select "+strings.Join(counts, " + "))
}

// loadAll publishes a bill and telemetry with ctx, as an import would.
func loadAll(ctx context.Context, s *store.Store) error {
	charges, err := s.StageCharges(ctx, ledger.NewID("import", "x"))
	if err != nil {
		return err
	}
	defer func() { _ = charges.Discard(context.WithoutCancel(ctx)) }()
	d, rows := storetest.Bill(100, storetest.ChargeOf(storetest.At(1, 3), "1"),
		storetest.ChargeOf(storetest.At(2, 3), "2"))
	for _, c := range rows {
		if err := charges.Write(ctx, 0, []ledger.Charge{c}); err != nil {
			return err
		}
	}
	if _, err := charges.Publish(ctx, []ledger.Delivery{d}); err != nil {
		return err
	}
	return loadTelemetry(ctx, s)
}

func loadTelemetry(ctx context.Context, s *store.Store) error {
	stage, err := s.StageTelemetry(ctx, ledger.NewID("import", "y"))
	if err != nil {
		return err
	}
	defer func() { _ = stage.Discard(context.WithoutCancel(ctx)) }()
	if err := stage.Write(ctx, storetest.SampleTelemetry()); err != nil {
		return err
	}
	return stage.Publish(ctx)
}

// Whenever an import dies, a reader sees either nothing or all of a publish, and a repeated import ends as if nothing
// had happened.
func TestDyingAnywhereLeavesNothingHalfVisible(t *testing.T) {
	whole := storetest.New(t)
	if err := loadAll(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	want, all := storetest.DumpFacts(t, whole), visible(t, whole)
	billOnly := storetest.New(t)
	d, charges := storetest.Bill(100, storetest.ChargeOf(storetest.At(1, 3), "1"),
		storetest.ChargeOf(storetest.At(2, 3), "2"))
	storetest.MustPublish(t, billOnly, d, charges, ingest.DeliveryPublished)
	afterBill := visible(t, billOnly)

	start := time.Now()
	if err := loadAll(t.Context(), storetest.New(t)); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	random := rand.New(rand.NewPCG(7, 7))
	died := 0
	times := 12
	if !tier.Full() {
		times = 3
	}
	for range times {
		s := storetest.New(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Int64N(int64(took))))
		err := loadAll(ctx, s)
		cancel()
		if err != nil {
			died++
		}
		if n := visible(t, s); n != 0 && n != afterBill && n != all {
			t.Fatalf("%d rows are visible after %v; want none, %d or %d", n, err, afterBill, all)
		}
		if err := loadAll(t.Context(), s); err != nil {
			t.Fatal("again: ", err)
		}
		if diff := cmp.Diff(want, storetest.DumpFacts(t, s)); diff != "" {
			t.Fatal("after dying and loading again (-want +got):\n", diff)
		}
	}
	if died == 0 {
		t.Error("no import died: the test proves nothing")
	}
}

func TestAKilledConnectionPublishesNothing(t *testing.T) {
	s := storetest.New(t)
	stage, err := s.StageTelemetry(t.Context(), ledger.NewID("import", "k"))
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Write(t.Context(), storetest.SampleTelemetry()); err != nil {
		t.Fatal(err)
	}
	storetest.MustExec(t, s, "select pg_terminate_backend(pid) from pg_stat_activity where datname = "+
		"current_database() and pid <> pg_backend_pid()")
	if err := stage.Publish(t.Context()); err == nil {
		t.Error("a killed connection published")
	}
	if err := stage.Publish(t.Context()); err == nil {
		t.Error("an ended stage published")
	}
	if n := visible(t, s); n != 0 {
		t.Errorf("%d rows are visible", n)
	}
	storetest.MustExec(t, s, "select 1")
	if err := loadTelemetry(t.Context(), s); err != nil {
		t.Error("the store is not usable any more: ", err)
	}
}

// Two processes load the same data at once: one publishes it, the other finds it unchanged.
func TestTwoProcessesLoadTheSame(t *testing.T) {
	one := storetest.New(t)
	dsn := one.Pool.Config().ConnString()
	other := storetest.Open(t, dsn)
	d, charges := storetest.Bill(100, storetest.ChargeOf(storetest.At(1, 3), "1"),
		storetest.ChargeOf(storetest.At(2, 3), "2"))
	states := make([]ingest.DeliveryState, 2)
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i, s := range []*store.Store{one, other} {
		wg.Go(func() { states[i], errs[i] = storetest.PublishBill(t, s, d, append([]ledger.Charge{}, charges...)) })
		wg.Go(func() { errs[2+i] = loadTelemetry(t.Context(), s) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if !(states[0] == ingest.DeliveryPublished && states[1] == ingest.DeliveryUnchanged) &&
		!(states[1] == ingest.DeliveryPublished && states[0] == ingest.DeliveryUnchanged) {
		t.Errorf("states are %v", states)
	}
	whole := storetest.New(t)
	if err := loadAll(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	if a, b := visible(t, one), visible(t, whole); a != b {
		t.Errorf("%d rows are visible, of one import alone %d", a, b)
	}
	if diff := cmp.Diff(storetest.DumpFacts(t, whole), storetest.DumpFacts(t, one)); diff != "" {
		t.Error(diff)
	}
}

// If a process dies while it saves chunks, the saved chunks are whole and the others keep their marks.
func TestDyingWhileSavingChunks(t *testing.T) {
	s, w, _ := storetest.ToyLedger(t)
	want := storetest.DumpLedger(t, s)
	random := rand.New(rand.NewPCG(3, 3))
	for range 8 {
		storetest.MustExec(t, s, "update chunks set digest = 'x'; insert into dirty (tenant_id, mark_id, node_id, day, "+
			"reason) select tenant_id, next_mark(1), node_id, day, 'again' from chunks")
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Int64N(int64(60*time.Millisecond))))
		dirty, err := s.Dirty(t.Context(), storetest.AllTime())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range dirty {
			for _, d := range n.Days {
				c := storetest.Compute(t, s, w, n.NodeID, d)
				if s.SaveChunk(ctx, c, posting.ChunkMeta{Mark: n.Mark}) != nil {
					break
				}
			}
		}
		cancel()
		storetest.SaveDirty(t, s, w)
		storetest.MustVerify(t, s)
		if diff := cmp.Diff(want, storetest.DumpLedger(t, s)); diff != "" {
			t.Fatal("after dying and computing again (-want +got):\n", diff)
		}
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	s := storetest.New(t)
	storetest.MustExec(t, s, "update schema_version set version = version + 1")
	err := store.MigrateDSN(t.Context(), s.Pool.Config().ConnString())
	if err == nil || !strings.Contains(err.Error(), "use a newer gpuledger") {
		t.Errorf("a newer schema gives %v", err)
	}
}

func TestMigratingAgainChangesNothing(t *testing.T) {
	s := storetest.New(t)
	for range 2 {
		if err := store.MigrateDSN(t.Context(), s.Pool.Config().ConnString()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestPartitionsAreMadeOnceByManySessions(t *testing.T) {
	dsn := storetest.New(t).Pool.Config().ConnString()
	var wg sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		s := storetest.Open(t, dsn)
		wg.Go(func() {
			for _, table := range []string{"usage", "posting_rows", "parts", "spans", "sample_hours"} {
				errs[i] = errors.Join(errs[i],
					s.EnsureMonths(t.Context(), table, pg.MonthsOf(storetest.At(0, 0), storetest.At(30, 0), storetest.At(60, 0))))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, dsn)
	_, err := s.Pool.Exec(t.Context(),
		"insert into spans (tenant_id, node_id, day, slot, cause, from_at, to_at) values (1, gen_random_uuid(), "+
			"'2031-01-01', 0, 'used', now(), now())")
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "23514" {
		t.Errorf("a row without partition gives %v", err)
	}
	if n := storetest.One[int](t, s,
		"select count(*) from pg_inherits where inhparent = 'posting_rows'::regclass"); n != 3 {
		t.Errorf("%d partitions, want 3", n)
	}
}
