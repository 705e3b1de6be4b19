package storetest

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
)

// Day0 is the first day of the tests' world: 2026-10-05.
const Day0 period.Second = 1_791_158_400

// Day is the nth day.
func Day(n int) period.Interval {
	from := Day0 + period.Second(n)*period.Day
	return period.Interval{From: from, To: from + period.Day}
}

// At is an instant, some days and hours after the first.
func At(days int, hours float64) period.Second {
	return Day0 + period.Second(days)*period.Day + period.Second(hours*period.Hour)
}

// MustExec executes a statement.
func MustExec(t testing.TB, s *store.Store, sql string, args ...any) {
	t.Helper()
	if _, err := s.Pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// One reads one value.
func One[T any](t testing.TB, s *store.Store, sql string, args ...any) (v T) {
	t.Helper()
	if err := s.Pool.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// Dump returns rows of a query as text, one per line.
func Dump(t testing.TB, s *store.Store, sql string, args ...any) string {
	t.Helper()
	rows, err := s.Pool.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// DirtyDays lists the marks as "node@day", days counted from day0.
func DirtyDays(t testing.TB, s *store.Store, names map[ledger.ID]string) string {
	t.Helper()
	list, err := s.Dirty(t.Context(), period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range list {
		name := names[n.NodeID]
		for _, d := range n.Days {
			out = append(out, fmt.Sprintf("%s@%d", name, (d.From-Day0)/period.Day))
		}
	}
	return strings.Join(out, " ")
}

// Clean drops all marks.
func Clean(t testing.TB, s *store.Store) {
	t.Helper()
	MustExec(t, s, "delete from dirty where tenant_id = 1")
}

// SmallWorld is two nodes of five days, a run of two attempts and a service.
func SmallWorld() (*posting.Derived, map[ledger.ID]string) {
	owner := ledger.Owner{ID: ledger.NewID("owner", "ml"), Team: "ml", Labels: map[string]string{"team": "ml"}}
	a := ledger.Node{ID: ledger.NodeID("c", "a", "i-a"), Cluster: "c", Name: "a", InstanceID: "i-a", GPUs: 2, Replicas: 1,
		Life:     period.Interval{From: At(0, 2), To: At(4, 20)},
		InSource: true, Seen: ledger.SeenListed, Account: "111", OwnerID: owner.ID,
		PriceClass: ledger.OnDemand, InstanceType: "g5.2xlarge", Region: "us-east-1"}
	b := a
	b.ID, b.Name, b.InstanceID = ledger.NodeID("c", "b", "i-b"), "b", "i-b"
	w1 := ledger.Workload{ID: ledger.NewID("workload", "c", "u1"), Cluster: "c", Namespace: "ns", Name: "p1", UID: "u1",
		Kind: "Job", OwnerName: "train", Class: ledger.ClassRun,
		NodeID: a.ID, Hold: period.Interval{From: At(1, 3), To: At(2, 5)},
		Outcome: ledger.Failed, RunID: "run-1", OwnerID: owner.ID}
	w2 := w1
	w2.ID, w2.UID, w2.Name, w2.NodeID, w2.Hold, w2.Outcome = ledger.NewID("workload", "c", "u2"), "u2", "p2", b.ID,
		period.Interval{From: At(2, 6), To: At(3, 12)}, ledger.Running
	attempt := func(n int, w *ledger.Workload, running bool) ledger.Attempt {
		return ledger.Attempt{ID: ledger.NewID("attempt", "run-1", "", fmt.Sprint(n)), RunID: "run-1", Number: n,
			Span: w.Hold, Running: running, Outcome: w.Outcome,
			Nodes: 1, GPUs: 1, Segments: []ledger.Segment{{Workload: w.ID, From: w.Hold.From, To: w.Hold.To, Weight: 1_000_000}}}
	}
	return &posting.Derived{
		Nodes: []ledger.Node{a, b}, Owners: []ledger.Owner{owner}, Workloads: []ledger.Workload{w1, w2},
		Runs: []ledger.Run{{ID: "run-1", Cluster: "c", Namespace: "ns", Name: "train", RootKind: "Job", Kind: "training",
			Status:    "running",
			CreatedAt: At(1, 2), StartedAt: At(1, 3), Attempts: 2, World: 1, QueueWait: 3600}},
		Attempts: []ledger.Attempt{attempt(1, &w1, false), attempt(2, &w2, true)},
	}, map[ledger.ID]string{a.ID: "a", b.ID: "b", {}: "-"}
}

// SaveWorld saves the derived world.
func SaveWorld(t testing.TB, s *store.Store, w *posting.Derived) {
	t.Helper()
	if err := s.SaveWorld(t.Context(), w); err != nil {
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
			u := ledger.Usage{Hour: p.Hour, NodeID: n.ID, Slot: slot, Device: fmt.Sprintf("GPU-%s-%d", n.Name, slot),
				SliceID: ledger.WholeDevice,
				Cause:   ledger.Free, Activity: ledger.ActivityUnknown, OwnerID: w.Workloads[node].OwnerID,
				Quality: ledger.Measured, Method: "slot", Seconds: 3600, Weight: big.NewRat(3600, 1),
				CapacityGPUHours: money.MustParse("1")}
			if slot == 0 {
				u.Cause, u.Activity, u.WorkloadID, u.RunID, u.Held, u.ActiveSeconds = ledger.Used, ledger.Active,
					w.Workloads[node].ID, w.Workloads[node].RunID, true, 3000
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
			c.Postings = append(c.Postings,
				ledger.Posting{ID: ledger.NewID("posting", p.ID.String(), u.ID.String()), PartID: p.ID, ChargeID: p.ChargeID,
					Part: p.Number, UsageID: u.ID,
					Hour: p.Hour, Cause: u.Cause, Activity: u.Activity, Kind: ledger.Direct, OwnerID: u.OwnerID,
					Method: "gpu_whole", Quality: u.Quality, Policy: "v1", Currency: p.Currency, State: ledger.Open,
					Costs: ledger.Costs{
						Effective: pick(0, slot), Billed: pick(1, slot), List: pick(2, slot), Contracted: pick(3, slot),
					},
					GPUHours: &g, CapacityGPUHours: &q, ActiveGPUHours: &act,
					NodeID: n.ID, Slot: u.Slot, Device: u.Device, SliceID: u.SliceID, WorkloadID: u.WorkloadID, RunID: u.RunID})
		}
	}
	if len(parts) == 0 {
		return c
	}
	c.Spans = []ledger.Span{
		{
			NodeID: n.ID, Slot: 0, SliceID: ledger.WholeDevice,
			WorkloadID: w.Workloads[node].ID, Cause: ledger.Used, From: d.From, To: d.To,
		},
	}
	return c
}
