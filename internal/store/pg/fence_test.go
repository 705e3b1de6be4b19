package pg_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

func calculationOf(name string, mark int64) posting.Calculation {
	return posting.Calculation{ID: ledger.NewID("calculation", name), Mark: mark}
}

func begin(t *testing.T, s *store.Store, name string) posting.Calculation {
	t.Helper()
	mark, err := s.NewestMark(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := calculationOf(name, mark)
	if err := s.StartCalculation(t.Context(), c, "v1"); err != nil {
		t.Fatal(err)
	}
	return c
}

// If two processes compute a chunk, the first save wins. The other gets an error, and the state it read is not used
// again.
func TestAChunkIsSavedOnceForItsMarks(t *testing.T) {
	s, w, names := storetest.ToyLedger(t)
	clean := storetest.DumpLedger(t, s)
	node := w.Nodes[0].ID
	storetest.MustExec(t, s, "insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, next_mark(1), "+
		"$1, $2, 'x')", node, storetest.Day(1).From)

	old := begin(t, s, "old")
	stale := storetest.Compute(t, s, w, node, storetest.Day(1)) // then its process is stopped
	stale.Postings = stale.Postings[:1]                         // as if it knew less
	young := begin(t, s, "young")
	save := func(c posting.Calculation) error {
		chunk := stale
		if c == young {
			chunk = storetest.Compute(t, s, w, node, storetest.Day(1))
		}
		return s.SaveChunk(t.Context(), chunk, posting.ChunkMeta{Calculation: c.ID, Mark: c.Mark})
	}
	if err := save(young); err != nil {
		t.Fatal(err)
	}
	var refused *posting.SupersededError
	if err := save(old); !errors.As(err, &refused) || refused.NodeID != node || len(refused.Days) != 1 ||
		refused.Days[0] != storetest.Day(1) {
		t.Errorf("an older calculation saves: %v", err)
	}
	if err := save(young); !errors.As(err, &refused) {
		t.Errorf("the same calculation saves twice: %v", err)
	}
	if diff := cmp.Diff(clean, storetest.DumpLedger(t, s)); diff != "" {
		t.Error(diff)
	}
	// A save does not drop marks that came after it was computed, and such a mark does not entitle it to write.
	storetest.MustExec(t, s, "insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, next_mark(1), "+
		"$1, $2, 'x')", node, storetest.Day(1).From)
	for _, c := range []posting.Calculation{old, young} {
		if err := save(c); !errors.As(err, &refused) {
			t.Errorf("%v saves for a mark that is newer: %v", c, err)
		}
	}
	if got := storetest.DirtyDays(t, s, names); got != "a@1" {
		t.Errorf("dirty is %q, want a@1", got)
	}
	if n := storetest.One[int](t, s, "select count(*) from chunks where tenant_id = 1 and mark > $1", young.Mark); n != 0 {
		t.Errorf("%d chunks have marks of the future", n)
	}
}

// A mark that is not committed yet hides newer ones.
func TestMarksBecomeVisibleInTheirOrder(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.MustExec(t, s, "delete from dirty")
	newest := func() int64 {
		t.Helper()
		n, err := s.NewestMark(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := newest()
	first, err := s.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := pg.Mark(t.Context(), first, "policy.mark", "-infinity"); err != nil {
		t.Fatal(err)
	}
	second := make(chan error, 1)
	go func() {
		second <- pgx.BeginFunc(context.Background(), s.Pool, func(tx pgx.Tx) error {
			return pg.Mark(context.Background(), tx, "policy.mark", "-infinity")
		})
	}()
	for storetest.One[int](t, s, "select count(*) from pg_locks where not granted") == 0 {
		time.Sleep(time.Millisecond) // another session's wait has no channel
	}
	if n := newest(); n != before {
		t.Errorf("the newest mark is %d while that of %d is not committed", n, before+1)
	}
	if err := first.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	chunks := storetest.One[int](t, s, "select count(*) from chunks")
	for n := before + 1; n <= before+2; n++ {
		if got := storetest.One[int](t, s, fmt.Sprintf("select count(*) from dirty where mark_id = %d", n)); got != chunks ||
			got == 0 {
			t.Errorf("%d days have mark %d, want %d", got, n, chunks)
		}
	}
	if n := newest(); n != before+2 {
		t.Errorf("the newest mark is %d, want %d", n, before+2)
	}
}

// Work that arrives between a calculation's start and its list is left to the next one; the calculation's own marks are
// not.
func TestWorkIsWhatTheCalculationHasRead(t *testing.T) {
	s, w, _ := storetest.ToyLedger(t)
	mark := "insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, next_mark(1), $1, $2, 'x')"
	storetest.MustExec(t, s, mark, w.Nodes[0].ID, storetest.Day(1).From)
	c := begin(t, s, "c")
	storetest.MustExec(t, s, mark, w.Nodes[0].ID, storetest.Day(2).From) // such as telemetry
	w.Nodes[1].Tags = map[string]string{"team": "x"}
	w.Nodes[1].Life = period.Interval{From: storetest.At(1, 0), To: storetest.At(1, 5)}
	if err := s.SaveWorld(posting.Fenced(t.Context(), c.ID), w); err != nil {
		t.Fatal(err)
	}
	list, err := s.Work(t.Context(), c, period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	days := map[ledger.ID][]period.Interval{}
	for _, n := range list {
		days[n.NodeID] = n.Days
	}
	if got := days[w.Nodes[0].ID]; len(got) != 1 || got[0] != storetest.Day(1) {
		t.Errorf("of node a %v are to be computed, want %v", got, storetest.Day(1))
	}
	if len(days[w.Nodes[1].ID]) == 0 {
		t.Error("what the calculation marked itself is left out")
	}
	next := begin(t, s, "next")
	if list, err = s.Work(t.Context(), next, period.Interval{}); err != nil || len(list) < 2 {
		t.Error(list, err)
	}
}

// A planner that was taken over writes nothing more. A takeover waits for one that is writing.
func TestAPlannerThatWasTakenOverWritesNothing(t *testing.T) {
	s, w, names := storetest.ToyLedger(t)
	old := begin(t, s, "old")
	fenced := posting.Fenced(t.Context(), old.ID)
	if err := s.KeepCalculation(t.Context(), old.ID); err != nil {
		t.Fatal(err)
	}
	tx, err := s.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := pg.Fence(fenced, tx); err != nil {
		t.Fatal(err)
	}
	started := make(chan error, 1)
	young := calculationOf("young", old.Mark)
	go func() { started <- s.StartCalculation(context.Background(), young, "v1") }()
	for storetest.One[int](t, s, "select count(*) from pg_locks where not granted") == 0 {
		time.Sleep(time.Millisecond) // another session's wait has no channel
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	before := storetest.DumpLedger(t, s)
	w.Nodes[0].Life = period.Interval{From: storetest.At(1, 0), To: storetest.At(1, 5)}
	if err := s.SaveWorld(fenced, w); !errors.Is(err, posting.ErrTakenOver) {
		t.Errorf("nodes and runs are saved: %v", err)
	}
	if err := s.ReplaceParts(fenced, ledger.NewID("delivery", "x"), "f",
		storetest.SeqOf(nil)); !errors.Is(err, posting.ErrTakenOver) {
		t.Errorf("parts are saved: %v", err)
	}
	if err := s.KeepCalculation(t.Context(), old.ID); !errors.Is(err, posting.ErrTakenOver) {
		t.Errorf("it is not told: %v", err)
	}
	if err := s.FinishCalculation(t.Context(), old.ID, 7, ""); !errors.Is(err, posting.ErrTakenOver) {
		t.Errorf("it ends well: %v", err)
	}
	if diff := cmp.Diff(before, storetest.DumpLedger(t, s)); diff != "" || storetest.DirtyDays(t, s, names) != "" {
		t.Error(diff, storetest.DirtyDays(t, s, names))
	}
	if got := storetest.Dump(t, s,
		"select concat_ws('|', chunks, message) from calculations "+
			"where tenant_id = 1 order by started_at"); got != "0|another calculation took over\n0" {
		t.Errorf("calculations are\n%s", got)
	}
}

// A planner that gives no sign of life loses its lock and its current step, even if a worker of its process runs the
// step.
func TestAStoppedPlannerLosesItsLock(t *testing.T) {
	s, w, _ := storetest.ToyLedger(t)
	gone, err := s.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer gone() // its session has ended when it comes back
	old := begin(t, s, "old")
	tx, err := s.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Rollback(t.Context(), tx)
	if err := pg.Fence(posting.Fenced(t.Context(), old.ID), tx); err != nil {
		t.Fatal(err)
	}
	saves := map[string]pgx.Tx{}
	for _, worker := range []string{"of the planner", "of others"} {
		if err := s.SignWorker(t.Context(), worker); err != nil {
			t.Fatal(err)
		}
		save, err := s.Pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer pg.Rollback(t.Context(), save)
		if _, err := pg.Exec(t.Context(), save, "chunk.no_wait", worker); err != nil {
			t.Fatal(err)
		}
		// not tested here
		if _, err := save.Exec(t.Context(), "set local idle_in_transaction_session_timeout = 0"); err != nil {
			t.Fatal(err)
		}
		saves[worker] = save
	}
	other := storetest.Open(t, s.Pool.Config().ConnString())
	waiting, give := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	if _, err := other.Lock(waiting); err == nil {
		t.Fatal("a planner that lives loses its lock")
	}
	give()
	storetest.MustExec(t, other, "update calculations set seen_at = now() - interval '1 minute'")
	storetest.MustExec(t, other,
		"update allocation_workers set seen_at = now() + case worker when 'of others' then interval '1 minute' else "+
			"interval '-1 minute' end")
	unlock, err := other.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	for worker, save := range saves {
		if err := save.Commit(t.Context()); (err == nil) != (worker == "of others") {
			t.Errorf("the step of a worker %s: %v", worker, err)
		}
	}
	begin(t, other, "young")
	if err := tx.Commit(t.Context()); err == nil {
		t.Error("the step of the stopped planner is committed")
	}
	if err := s.SaveWorld(posting.Fenced(t.Context(), old.ID), w); !errors.Is(err, posting.ErrTakenOver) {
		t.Errorf("it goes on: %v", err)
	}
}
