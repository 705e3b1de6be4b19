package book_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/test/storetest"
)

func TestSaveWorldMarksWhatMoved(t *testing.T) {
	steps := []struct {
		name   string
		change func(*posting.Derived)
		want   string
	}{
		{"nothing", func(*posting.Derived) {}, ""},
		{"a running hold goes on", func(w *posting.Derived) {
			w.Workloads[1].Hold.To = storetest.At(3, 14)
			w.Attempts[1].Span.To = storetest.At(3, 14)
			w.Attempts[1].Segments[0].To = storetest.At(3, 14)
		}, "b@3"},
		{"over midnight", func(w *posting.Derived) {
			w.Workloads[1].Hold.To = storetest.At(4, 1)
			w.Attempts[1].Span.To = storetest.At(4, 1)
			w.Attempts[1].Segments[0].To = storetest.At(4, 1)
		}, "b@3 b@4"},
		{"it fails: all of the attempt", func(w *posting.Derived) {
			w.Attempts[1].Running, w.Attempts[1].Outcome, w.Attempts[1].LossFrom, w.Attempts[1].LossBasis = false, ledger.Failed,
				storetest.At(3, 0), ledger.LossCheckpoint
		}, "b@2 b@3 b@4"},
		{
			"what ended it was an interruption: the attempt after, too",
			func(w *posting.Derived) { w.Attempts[0].Reason = "spot_interruption" }, "b@2 b@3 b@4 a@1 a@2",
		},
		{"no, it was not", func(w *posting.Derived) { w.Attempts[0].Reason = "" }, "b@2 b@3 b@4 a@1 a@2"},
		{"a run is of another kind", func(w *posting.Derived) { w.Runs[0].Kind = "evaluation" }, "b@2 b@3 b@4 a@1 a@2"},
		{
			"another owner of a hold",
			func(w *posting.Derived) { w.Workloads[0].OwnerID = ledger.NewID("owner", "x") }, "a@1 a@2",
		},
		{
			"a workload goes", func(w *posting.Derived) { w.Workloads, w.Attempts = w.Workloads[1:], w.Attempts[1:] }, "a@1 a@2",
		},
		{"a node lives on", func(w *posting.Derived) { w.Nodes[0].Life.To = storetest.At(5, 3) }, "a@4 a@5"},
		{
			"a node is another type", func(w *posting.Derived) { w.Nodes[0].InstanceType = "g5.4xlarge" },
			"a@0 a@1 a@2 a@3 a@4 a@5",
		},
		{"a run's status", func(w *posting.Derived) { w.Runs[0].Status = "failed" }, ""},
		{"a checkpoint of an attempt that goes on", func(w *posting.Derived) { w.Attempts[0].Nodes = 2 }, "b@2 b@3 b@4"},
	}
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	if got, want := storetest.DirtyDays(t, s, names), "a@0 a@1 a@2 a@3 a@4 b@0 b@1 b@2 b@3 b@4"; got != want &&
		got != "b@0 b@1 b@2 b@3 b@4 a@0 a@1 a@2 a@3 a@4" {
		t.Fatalf("a new world marks %q, want %q", got, want)
	}
	for _, step := range steps {
		storetest.Clean(t, s)
		step.change(w)
		storetest.SaveWorld(t, s, w)
		if got := storetest.DirtyDays(t, s, names); got != step.want {
			t.Errorf("%s: marked %q, want %q", step.name, got, step.want)
		}
	}
	if n := storetest.One[int](t, s, "select count(*) from segments where tenant_id = 1"); n != 1 {
		t.Errorf("%d segments are left, want 1", n)
	}
}

func TestSavedWorldIsStoredExactly(t *testing.T) {
	s := storetest.New(t)
	w, _ := storetest.SmallWorld()
	w.Runs[0].Budget = new(money.Amount)
	*w.Runs[0].Budget = money.MustParse("1234.56")
	storetest.SaveWorld(t, s, w)
	got := storetest.Dump(t, s, `select concat_ws('|', run_id, kind, status, created_at, ended_at, attempts,
		  queue_wait_seconds, budget) from runs where tenant_id = 1`)
	if want := "run-1|training|running|2026-10-06 02:00:00+00|2|3600|1234.56"; got != want {
		t.Errorf("run is %q, want %q", got, want)
	}
	got = storetest.Dump(t, s, `select concat_ws('|', n.name, n.gpus, n.appeared_at, n.gone_at, o.team, o.labels)
		from nodes n join owners o using (tenant_id, owner_id) where tenant_id = 1 order by 1`)
	if want := "a|2|2026-10-05 02:00:00+00|2026-10-09 20:00:00+00|ml|{\"team\": \"ml\"}\nb|2|2026-10-05 " +
		"02:00:00+00|2026-10-09 20:00:00+00|ml|{\"team\": \"ml\"}"; got != want {
		t.Errorf("nodes are %q, want %q", got, want)
	}
	twenty := money.MustParse("20")
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() {
			w.Limits = []ledger.LimitText{
				{BudgetID: ledger.NewID("b"), Version: 1, Label: ledger.LabelBudget, Standing: ledger.LimitNewest, Key: "project",
					Value: "p", Text: "20.0", Amount: &twenty, Others: []money.Amount{twenty, twenty}, Cluster: "c", Workload: "ns/x",
					Workloads: 2, From: storetest.At(1, 3)},
				{BudgetID: ledger.NewID("c"), Label: ledger.LabelRunLimit, Standing: ledger.LimitNoAmount, Text: "much"},
			}
		}, "project p (label)|1|newest|20.0|20|20, 20|2|2026-10-06 03:00:00+00\n|0|no amount|much||0"},
		{func() { w.Limits[0].Version, w.Limits[0].Amount = 2, nil }, // the digest covers them
			"project p (label)|2|newest|20.0|20, 20|2|2026-10-06 03:00:00+00\n|0|no amount|much||0"},
		{func() { w.Limits = nil }, ""},
	} {
		c.change()
		storetest.SaveWorld(t, s, w)
		if got := storetest.Dump(t, s, `select concat_ws('|', name, version, standing, text, amount, others, workloads,
			  first_seen) from limit_labels order by version desc`); got != c.want {
			t.Errorf("texts of limits are %q, want %q", got, c.want)
		}
	}
	if err := s.SaveOwners(t.Context(), []ledger.Owner{
		w.Owners[0], {ID: ledger.NewID("owner", "tag"), Team: "web"},
	}); err != nil {
		t.Fatal(err)
	}
	if n := storetest.One[int](t, s, "select count(*) from owners where tenant_id = 1"); n != 2 {
		t.Errorf("%d owners, want 2", n)
	}
}

func TestCalculationsAndLock(t *testing.T) {
	s := storetest.New(t)
	ctx := t.Context()
	id := ledger.NewID("calculation", "1")
	if err := s.StartCalculation(ctx, posting.Calculation{ID: id}, "v1"); err != nil {
		t.Fatal(err)
	}
	if err := s.FinishCalculation(ctx, id, 7, ""); err != nil {
		t.Fatal(err)
	}
	if got := storetest.Dump(t, s,
		"select concat_ws('|', policy_version, chunks, finished_at is not null, message) from calculations where "+
			"tenant_id = 1"); got != "v1|7|t" {
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

func TestWorldReturnsWhatWasLoaded(t *testing.T) {
	s := storetest.New(t)
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry())
	w, err := s.World(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k := posting.ClusterNode{Cluster: "c", Name: "a"}
	want := period.Interval{From: storetest.At(1, 3) + 7, To: storetest.At(1, 4) + 59*60 + 8}
	if diff := cmp.Diff(want, w.NodeSamples[k]); diff != "" {
		t.Error("node samples (-want +got):\n", diff)
	}
	if diff := cmp.Diff([]ledger.Device{{UUID: "GPU-0", Index: 0, Model: "NVIDIA A10G", First: storetest.At(1, 3),
		Last: storetest.At(1, 4)}}, w.Devices[k]); diff != "" {
		t.Error("devices (-want +got):\n", diff)
	}
	src := storetest.SampleTelemetry()
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
	said := map[posting.ClusterNode][]ledger.Device{
		{Cluster: "c", Name: "a"}: {
			{
				UUID: "GPU-4", Index: 4, Model: "NVIDIA A10", Registered: true, First: storetest.At(1, 3), Last: storetest.At(1, 4),
			},
		},
	}
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

// The loss of a lost member marks its machine's days, and no others.
func TestLossesOfMembersMarkTheirDays(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	storetest.Clean(t, s)
	w.Attempts[0].LossBasis = ledger.LossNone
	g := &w.Attempts[0].Segments[0]
	g.LossBasis, g.LossFrom = ledger.LossNone, g.From
	storetest.SaveWorld(t, s, w)
	if got := storetest.DirtyDays(t, s, names); got != "a@1 a@2" {
		t.Errorf("a loss marks %q", got)
	}
	if got := storetest.Dump(t, s,
		"select extract(epoch from loss_from)::bigint || ' ' || loss_basis from segments "+
			"where loss_from is not null"); got != fmt.Sprintf("%d none", g.From) {
		t.Errorf("stored %q", got)
	}
	storetest.Clean(t, s)
	g.LossFrom += 7200
	g.LossBasis = ledger.LossCheckpoint
	storetest.SaveWorld(t, s, w)
	if got := storetest.DirtyDays(t, s, names); got != "a@1 a@2" {
		t.Errorf("another checkpoint marks %q", got)
	}
}
