package store

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// day0 is the first day of the tests' world: 2026-10-05.
const day0 period.Second = 1_791_158_400

func day(n int) period.Interval {
	from := day0 + period.Second(n)*period.Day
	return period.Interval{From: from, To: from + period.Day}
}

func at(days int, hours float64) period.Second {
	return day0 + period.Second(days)*period.Day + period.Second(hours*period.Hour)
}

func mustExec(t testing.TB, s *Store, sql string, args ...any) {
	t.Helper()
	if _, err := s.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func one[T any](t testing.TB, s *Store, sql string, args ...any) (v T) {
	t.Helper()
	if err := s.pool.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// dump returns rows of a query as text, one per line.
func dump(t testing.TB, s *Store, sql string, args ...any) string {
	t.Helper()
	rows, err := s.pool.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// dirtyDays lists the marks as "node@day", days counted from day0.
func dirtyDays(t testing.TB, s *Store, names map[ledger.ID]string) string {
	t.Helper()
	list, err := s.Dirty(t.Context(), period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range list {
		name := names[n.NodeID]
		for _, d := range n.Days {
			out = append(out, fmt.Sprintf("%s@%d", name, (d.From-day0)/period.Day))
		}
	}
	return strings.Join(out, " ")
}

func clean(t testing.TB, s *Store) {
	t.Helper()
	mustExec(t, s, "delete from dirty where tenant_id = 1")
}

// smallWorld is two nodes of five days, a run of two attempts and a service.
func smallWorld() (*posting.Derived, map[ledger.ID]string) {
	owner := ledger.Owner{ID: ledger.NewID("owner", "ml"), Team: "ml", Labels: map[string]string{"team": "ml"}}
	a := ledger.Node{ID: ledger.NodeID("c", "a", "i-a"), Cluster: "c", Name: "a", InstanceID: "i-a", GPUs: 2, Replicas: 1, Life: period.Interval{From: at(0, 2), To: at(4, 20)},
		InSource: true, Account: "111", OwnerID: owner.ID, PriceClass: ledger.OnDemand, InstanceType: "g5.2xlarge", Region: "us-east-1"}
	b := a
	b.ID, b.Name, b.InstanceID = ledger.NodeID("c", "b", "i-b"), "b", "i-b"
	w1 := ledger.Workload{ID: ledger.NewID("workload", "c", "u1"), Cluster: "c", Namespace: "ns", Name: "p1", UID: "u1", Kind: "Job", OwnerName: "train", Class: ledger.ClassRun,
		NodeID: a.ID, Hold: period.Interval{From: at(1, 3), To: at(2, 5)}, Outcome: ledger.Failed, RunID: "run-1", OwnerID: owner.ID}
	w2 := w1
	w2.ID, w2.UID, w2.Name, w2.NodeID, w2.Hold, w2.Outcome = ledger.NewID("workload", "c", "u2"), "u2", "p2", b.ID, period.Interval{From: at(2, 6), To: at(3, 12)}, ledger.Running
	attempt := func(n int, w *ledger.Workload, running bool) ledger.Attempt {
		return ledger.Attempt{ID: ledger.NewID("attempt", "run-1", "", fmt.Sprint(n)), RunID: "run-1", Number: n, Span: w.Hold, Running: running, Outcome: w.Outcome,
			Nodes: 1, GPUs: 1, Segments: []ledger.Segment{{Workload: w.ID, From: w.Hold.From, To: w.Hold.To, Weight: 1_000_000}}}
	}
	return &posting.Derived{
		Nodes: []ledger.Node{a, b}, Owners: []ledger.Owner{owner}, Workloads: []ledger.Workload{w1, w2},
		Runs: []ledger.Run{{ID: "run-1", Cluster: "c", Namespace: "ns", Name: "train", RootKind: "Job", Kind: "training", Status: "running",
			CreatedAt: at(1, 2), StartedAt: at(1, 3), Attempts: 2, World: 1, QueueWait: 3600}},
		Attempts: []ledger.Attempt{attempt(1, &w1, false), attempt(2, &w2, true)},
	}, map[ledger.ID]string{a.ID: "a", b.ID: "b", {}: "-"}
}

func saveWorld(t testing.TB, s *Store, w *posting.Derived) {
	t.Helper()
	if err := s.SaveWorld(t.Context(), w); err != nil {
		t.Fatal(err)
	}
}

func TestSaveWorldMarksWhatMoved(t *testing.T) {
	steps := []struct {
		name   string
		change func(*posting.Derived)
		want   string
	}{
		{"nothing", func(*posting.Derived) {}, ""},
		{"a running hold goes on", func(w *posting.Derived) {
			w.Workloads[1].Hold.To = at(3, 14)
			w.Attempts[1].Span.To = at(3, 14)
			w.Attempts[1].Segments[0].To = at(3, 14)
		}, "b@3"},
		{"over midnight", func(w *posting.Derived) {
			w.Workloads[1].Hold.To = at(4, 1)
			w.Attempts[1].Span.To = at(4, 1)
			w.Attempts[1].Segments[0].To = at(4, 1)
		}, "b@3 b@4"},
		{"it fails: all of the attempt", func(w *posting.Derived) {
			w.Attempts[1].Running, w.Attempts[1].Outcome, w.Attempts[1].LossFrom, w.Attempts[1].LossBasis = false, ledger.Failed, at(3, 0), ledger.LossCheckpoint
		}, "b@2 b@3 b@4"},
		{"what ended it was an interruption: the attempt after, too", func(w *posting.Derived) { w.Attempts[0].Reason = "spot_interruption" }, "b@2 b@3 b@4 a@1 a@2"},
		{"no, it was not", func(w *posting.Derived) { w.Attempts[0].Reason = "" }, "b@2 b@3 b@4 a@1 a@2"},
		{"a run is of another kind", func(w *posting.Derived) { w.Runs[0].Kind = "evaluation" }, "b@2 b@3 b@4 a@1 a@2"},
		{"another owner of a hold", func(w *posting.Derived) { w.Workloads[0].OwnerID = ledger.NewID("owner", "x") }, "a@1 a@2"},
		{"a workload goes", func(w *posting.Derived) { w.Workloads, w.Attempts = w.Workloads[1:], w.Attempts[1:] }, "a@1 a@2"},
		{"a node lives on", func(w *posting.Derived) { w.Nodes[0].Life.To = at(5, 3) }, "a@4 a@5"},
		{"a node is another type", func(w *posting.Derived) { w.Nodes[0].InstanceType = "g5.4xlarge" }, "a@0 a@1 a@2 a@3 a@4 a@5"},
		{"a run's status", func(w *posting.Derived) { w.Runs[0].Status = "failed" }, ""},
		{"a checkpoint of an attempt that goes on", func(w *posting.Derived) { w.Attempts[0].Nodes = 2 }, "b@2 b@3 b@4"},
	}
	s := newStore(t)
	w, names := smallWorld()
	saveWorld(t, s, w)
	if got, want := dirtyDays(t, s, names), "a@0 a@1 a@2 a@3 a@4 b@0 b@1 b@2 b@3 b@4"; got != want && got != "b@0 b@1 b@2 b@3 b@4 a@0 a@1 a@2 a@3 a@4" {
		t.Fatalf("a new world marks %q, want %q", got, want)
	}
	for _, step := range steps {
		clean(t, s)
		step.change(w)
		saveWorld(t, s, w)
		if got := dirtyDays(t, s, names); got != step.want {
			t.Errorf("%s: marked %q, want %q", step.name, got, step.want)
		}
	}
	if n := one[int](t, s, "select count(*) from segments where tenant_id = 1"); n != 1 {
		t.Errorf("%d segments are left, want 1", n)
	}
}

func TestSavedWorldIsStoredExactly(t *testing.T) {
	s := newStore(t)
	w, _ := smallWorld()
	w.Runs[0].Budget = new(money.Amount)
	*w.Runs[0].Budget = money.MustParse("1234.56")
	saveWorld(t, s, w)
	got := dump(t, s, `select concat_ws('|', run_id, kind, status, created_at, ended_at, attempts, queue_wait_seconds, budget) from runs where tenant_id = 1`)
	if want := "run-1|training|running|2026-10-06 02:00:00+00|2|3600|1234.56"; got != want {
		t.Errorf("run is %q, want %q", got, want)
	}
	got = dump(t, s, `select concat_ws('|', n.name, n.gpus, n.appeared_at, n.gone_at, o.team, o.labels) from nodes n join owners o using (tenant_id, owner_id) where tenant_id = 1 order by 1`)
	if want := "a|2|2026-10-05 02:00:00+00|2026-10-09 20:00:00+00|ml|{\"team\": \"ml\"}\nb|2|2026-10-05 02:00:00+00|2026-10-09 20:00:00+00|ml|{\"team\": \"ml\"}"; got != want {
		t.Errorf("nodes are %q, want %q", got, want)
	}
	if err := s.SaveOwners(t.Context(), []ledger.Owner{w.Owners[0], {ID: ledger.NewID("owner", "tag"), Team: "web"}}); err != nil {
		t.Fatal(err)
	}
	if n := one[int](t, s, "select count(*) from owners where tenant_id = 1"); n != 2 {
		t.Errorf("%d owners, want 2", n)
	}
}

func TestCalculationsAndLock(t *testing.T) {
	s := newStore(t)
	ctx := t.Context()
	id := ledger.NewID("calculation", "1")
	if err := s.StartCalculation(ctx, posting.Calculation{ID: id}, "v1"); err != nil {
		t.Fatal(err)
	}
	if err := s.FinishCalculation(ctx, id, 7, ""); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, s, "select concat_ws('|', policy_version, chunks, finished_at is not null, message) from calculations where tenant_id = 1"); got != "v1|7|t" {
		t.Errorf("calculation is %q", got)
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan error, 1)
	go func() {
		again, err := s.Lock(ctx)
		if err == nil {
			again()
		}
		second <- err
	}()
	select {
	case err := <-second:
		t.Fatal("two allocations at once: ", err)
	default:
	}
	unlock()
	if err := <-second; err != nil {
		t.Fatal(err)
	}
}

// chunkOfDay makes a consistent chunk: per hour one held and one free usage
// row, and the postings of the given compute parts.
func chunkOfDay(w *posting.Derived, node int, d period.Interval, parts []ledger.Part) *allocation.Chunk {
	n := &w.Nodes[node]
	c := &allocation.Chunk{NodeID: n.ID, Day: d}
	for _, p := range parts {
		for slot := range int32(n.GPUs) {
			u := ledger.Usage{Hour: p.Hour, NodeID: n.ID, Slot: slot, Device: fmt.Sprintf("GPU-%s-%d", n.Name, slot), SliceID: ledger.WholeDevice,
				Cause: ledger.Free, Activity: ledger.ActivityUnknown, OwnerID: w.Workloads[node].OwnerID, Quality: ledger.Measured, Method: "slot", Seconds: 3600, Weight: big.NewRat(3600, 1),
				CapacityGPUHours: money.MustParse("1")}
			if slot == 0 {
				u.Cause, u.Activity, u.WorkloadID, u.RunID, u.Held, u.ActiveSeconds = ledger.Used, ledger.Active, w.Workloads[node].ID, w.Workloads[node].RunID, true, 3000
				u.ActiveGPUHours = money.MustParse("0.75")
			}
			u.ID = ledger.NewID("usage", n.Name, p.Hour.String(), fmt.Sprint(slot))
			c.Usage = append(c.Usage, u)
		}
	}
	for _, p := range parts {
		shares := [4][]money.Amount{}
		for i, m := range []*money.Amount{p.Effective, p.Billed, p.List, p.Contracted} {
			if m != nil {
				shares[i], _ = money.SplitUint(*m, []uint64{3600, 3600})
			}
		}
		pick := func(i, slot int) *money.Amount {
			if shares[i] == nil {
				return nil
			}
			return &shares[i][slot]
		}
		for i := range c.Usage {
			u := &c.Usage[i]
			if u.Hour != p.Hour {
				continue
			}
			slot := int(u.Slot)
			q, g, act := u.CapacityGPUHours, u.GPUHours(), u.ActiveGPUHours
			c.Postings = append(c.Postings, ledger.Posting{ID: ledger.NewID("posting", p.ID.String(), u.ID.String()), PartID: p.ID, ChargeID: p.ChargeID, Part: p.Number, UsageID: u.ID,
				Hour: p.Hour, Cause: u.Cause, Activity: u.Activity, Kind: ledger.Direct, OwnerID: u.OwnerID, Method: "gpu_whole", Quality: u.Quality, Policy: "v1", Currency: p.Currency, State: ledger.Open,
				Costs:    ledger.Costs{Effective: pick(0, slot), Billed: pick(1, slot), List: pick(2, slot), Contracted: pick(3, slot)},
				GPUHours: &g, CapacityGPUHours: &q, ActiveGPUHours: &act,
				NodeID: n.ID, Slot: u.Slot, Device: u.Device, SliceID: u.SliceID, WorkloadID: u.WorkloadID, RunID: u.RunID})
		}
	}
	if len(parts) == 0 {
		return c
	}
	c.Spans = []ledger.Span{{NodeID: n.ID, Slot: 0, SliceID: ledger.WholeDevice, WorkloadID: w.Workloads[node].ID, Cause: ledger.Used, From: d.From, To: d.To}}
	return c
}

func TestWorldReturnsWhatWasLoaded(t *testing.T) {
	s := newStore(t)
	publishTelemetry(t, s, sampleTelemetry())
	w, err := s.World(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k := posting.ClusterNode{Cluster: "c", Name: "a"}
	want := period.Interval{From: at(1, 3) + 7, To: at(1, 4) + 59*60 + 8}
	if diff := cmp.Diff(want, w.NodeSamples[k]); diff != "" {
		t.Error("node samples (-want +got):\n", diff)
	}
	if diff := cmp.Diff([]ledger.Device{{UUID: "GPU-0", Index: 0, Model: "NVIDIA A10G", First: at(1, 3), Last: at(1, 4)}}, w.Devices[k]); diff != "" {
		t.Error("devices (-want +got):\n", diff)
	}
	src := sampleTelemetry()
	if diff := cmp.Diff(src.Nodes, w.Nodes); diff != "" {
		t.Error("nodes (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.Workloads, w.Pods); diff != "" {
		t.Error("pods (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.Objects, w.Objects); diff != "" {
		t.Error("objects (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.Checkpoints, w.Checkpoints); diff != "" {
		t.Error("checkpoints (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.Sources, w.Sources); diff != "" {
		t.Error("sources (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.Placements, w.Placements); diff != "" {
		t.Error("placements (-want +got):\n", diff)
	}
	said := map[posting.ClusterNode][]ledger.Device{{Cluster: "c", Name: "a"}: {{UUID: "GPU-4", Index: 4, Model: "NVIDIA A10", Registered: true, First: at(1, 3), Last: at(1, 4)}}}
	if diff := cmp.Diff(said, w.Said); diff != "" {
		t.Error("what is said of devices (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.Segments, w.Segments); diff != "" {
		t.Error("segments (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.Events, w.WorkloadEvents); diff != "" {
		t.Error("events (-want +got):\n", diff)
	}
}

// What a lost member loses moves its machine's days, and nothing else.
func TestLossesOfMembersMarkTheirDays(t *testing.T) {
	s := newStore(t)
	w, names := smallWorld()
	saveWorld(t, s, w)
	clean(t, s)
	w.Attempts[0].LossBasis = ledger.LossNone
	g := &w.Attempts[0].Segments[0]
	g.LossBasis, g.LossFrom = ledger.LossNone, g.From
	saveWorld(t, s, w)
	if got := dirtyDays(t, s, names); got != "a@1 a@2" {
		t.Errorf("a loss marks %q", got)
	}
	if got := dump(t, s, "select extract(epoch from loss_from)::bigint || ' ' || loss_basis from segments where loss_from is not null"); got != fmt.Sprintf("%d none", g.From) {
		t.Errorf("stored %q", got)
	}
	clean(t, s)
	g.LossFrom += 7200
	g.LossBasis = ledger.LossCheckpoint
	saveWorld(t, s, w)
	if got := dirtyDays(t, s, names); got != "a@1 a@2" {
		t.Errorf("another checkpoint marks %q", got)
	}
}
