package store

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

func hourOfSamples(node, device string, hour period.Second, second int, value int64) ledger.SampleHour {
	var m ledger.Minutes
	for i := range 60 {
		minutes.Set(&m, i, second*1000, value+int64(i))
	}
	return ledger.SampleHour{Cluster: "c", Node: node, Device: device, Model: "NVIDIA A10G", SliceID: ledger.WholeDevice, Hour: hour,
		Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGPUUtil: m}, RowCount: 60}
}

// sampleTelemetry is node a with one device and one pod on day 1.
func sampleTelemetry() *ledger.Telemetry {
	return &ledger.Telemetry{
		Samples:  []ledger.SampleHour{hourOfSamples("a", "GPU-0", at(1, 3), 7, 100), hourOfSamples("a", "GPU-0", at(1, 4), 7, 200)},
		Evidence: []ledger.HoldEvidence{{Cluster: "c", Node: "a", Device: "GPU-0", SliceID: ledger.WholeDevice, Namespace: "ns", Pod: "p1", Hour: at(1, 3), Minutes: 0xff}},
		Nodes: []ledger.NodeFact{{Cluster: "c", Name: "a", ProviderID: "aws:///us-east-1a/i-a", Labels: map[string]string{"team": "ml"}, Capacity: map[string]int64{"nvidia_com_gpu": 2},
			Created: at(0, 2), FirstSeen: at(1, 3), LastSeen: at(1, 4), AttrsAt: 5}},
		NodeStates: []ledger.NodeStateHour{{Cluster: "c", Name: "a", State: ledger.NotReady, Hour: at(1, 3), Minutes: 1, Known: 0xffff}},
		Sources:    []ledger.SourceHour{{Cluster: "c", Hour: at(1, 3), Minutes: 0xfff}},
		Workloads: []ledger.WorkloadFact{{Cluster: "c", Namespace: "ns", Name: "p1", UID: "u1", Node: "a", OwnerKind: "Job", OwnerName: "train",
			Labels: map[string]string{"x": "y"}, Requests: map[string]int64{"nvidia_com_gpu": 1}, Created: at(1, 2), Eligible: at(1, 2.5), Scheduled: at(1, 3), Phase: "Running",
			System: ledger.SystemSlurm, Outcome: ledger.Preempted, Reason: "scheduler", FirstSeen: at(1, 3), LastSeen: at(1, 4), AttrsAt: 9}},
		PodStates:   []ledger.PodStateHour{{Cluster: "c", UID: "u1", Hour: at(1, 3), Minutes: 6}},
		Objects:     []ledger.ObjectFact{{Cluster: "c", Namespace: "ns", Kind: "Job", Name: "train", Labels: map[string]string{"l": "1"}, Created: at(1, 2), Attrs: map[string]string{"completions": "1"}, AttrsAt: 3}},
		Checkpoints: []ledger.Checkpoint{{Cluster: "c", Run: "run-1", At: at(1, 3), Step: 100}, {Cluster: "c", Namespace: "ns", Pod: "p1", At: at(1, 3), Step: -1}},
		Placements: []ledger.Placement{{Cluster: "c", Node: "a", Device: "GPU-0", SliceID: ledger.WholeDevice, Workload: "u1", Evidence: ledger.EvidenceProcess,
			From: at(1, 3), To: at(1, 4), CoreShare: -1, MemoryShare: 500_000}},
		Segments: []ledger.SegmentFact{{Cluster: "c", Namespace: "ns", Pod: "p1", Run: "sweep-1", From: at(1, 3), To: at(1, 4), Name: "lr=0.1", Kind: "training",
			Group: "sweep", Outcome: ledger.Failed, Reason: "diverged", Labels: map[string]string{"lr": "0.1"}, AttrsAt: 7}},
		Devices: []ledger.DeviceFact{{Cluster: "c", Node: "a", UUID: "GPU-4", Index: 4, Model: "NVIDIA A10", Registered: true, First: at(1, 3.25), Last: at(1, 4.5)}},
		Events:  []ledger.WorkloadEvent{{Cluster: "c", Kind: "Pod", Namespace: "ns", Name: "p1", UID: "u1", What: ledger.WorkloadRestarted, Reason: "Error", At: at(1, 3.5)}},
		Counters: []ledger.CounterHour{{Cluster: "c", Namespace: "ns", Pod: "p1", Server: "vllm", Model: "m", Engine: "0", Hour: at(1, 3),
			Counters: hourCounters(10)}},
	}
}

func hourCounters(v int64) map[string]ledger.Minutes {
	var m ledger.Minutes
	minutes.Set(&m, 5, 100, v)
	return map[string]ledger.Minutes{"prompt_tokens": m}
}

func publishTelemetry(t testing.TB, s *Store, batches ...*ledger.Telemetry) {
	t.Helper()
	stage, err := s.StageTelemetry(t.Context(), ledger.NewID("import", "t"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stage.Discard(t.Context()) }()
	for _, b := range batches {
		if err := stage.Write(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := stage.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := stage.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
}

var factTables = []string{"node_facts", "devices", "device_facts", "sample_hours", "hold_evidence", "node_state_hours", "source_hours", "workload_facts", "pod_state_hours",
	"objects", "checkpoint_facts", "placements", "segment_facts", "workload_events", "counter_hours", "instance_events", "fact_conflicts"}

func dumpFacts(t testing.TB, s *Store) string {
	t.Helper()
	all := ""
	for _, table := range factTables {
		all += table + "\n" + dump(t, s, "select t::text from "+table+" t where tenant_id = 1 order by 1") + "\n"
	}
	return all
}

func TestLoadingTelemetryAgainMarksNothing(t *testing.T) {
	s := newStore(t)
	w, names := smallWorld()
	saveWorld(t, s, w)
	clean(t, s)
	publishTelemetry(t, s, sampleTelemetry())
	if got := dirtyDays(t, s, names); got != "a@0 a@1 a@2 a@3 a@4 b@1" && got != "b@1 a@0 a@1 a@2 a@3 a@4" {
		t.Errorf("new facts mark %q, want all of a (a card that is registered) and b@1 (placements seen)", got)
	}
	clean(t, s)
	before := dumpFacts(t, s)
	publishTelemetry(t, s, sampleTelemetry())
	publishTelemetry(t, s, sampleTelemetry(), sampleTelemetry())
	if got := dirtyDays(t, s, names); got != "" {
		t.Errorf("the same facts again mark %q", got)
	}
	if diff := cmp.Diff(before, dumpFacts(t, s)); diff != "" {
		t.Error("the same facts again change rows:\n", diff)
	}
}

func TestMarksReachNeighbouringDays(t *testing.T) {
	s := newStore(t)
	w, names := smallWorld()
	saveWorld(t, s, w)
	clean(t, s)
	for _, c := range []struct {
		hour period.Second
		want string
	}{{at(2, 12), "a@2"}, {at(2, 23), "a@2 a@3"}, {at(3, 0), "a@2 a@3"}, {at(3, 1), "a@3"}, {at(9, 1), ""}} {
		publishTelemetry(t, s, &ledger.Telemetry{Samples: []ledger.SampleHour{hourOfSamples("a", "GPU-0", c.hour, 1, 5)}})
		if got := dirtyDays(t, s, names); got != c.want {
			t.Errorf("samples at %s mark %q, want %q", c.hour, got, c.want)
		}
		clean(t, s)
	}
}

func TestNewLayoutRowsReachUntilTheNextOnes(t *testing.T) {
	s := newStore(t)
	w, names := smallWorld()
	saveWorld(t, s, w)
	slice := func(hour period.Second) *ledger.Telemetry {
		h := hourOfSamples("a", "GPU-0", hour, 1, 5)
		h.SliceID, h.Profile = 3, "1g.5gb"
		return &ledger.Telemetry{Samples: []ledger.SampleHour{h}}
	}
	publishTelemetry(t, s, slice(at(3, 5)))
	if got := dirtyDays(t, s, names); got == "" {
		t.Fatal("no marks")
	}
	clean(t, s)
	publishTelemetry(t, s, slice(at(1, 5)))
	if got, want := dirtyDays(t, s, names), "a@0 a@1 a@2 a@3"; got != want {
		t.Errorf("first rows mark %q, want %q", got, want)
	}
	clean(t, s)
	publishTelemetry(t, s, slice(at(3, 6)))
	if got, want := dirtyDays(t, s, names), "a@3 a@4"; got != want {
		t.Errorf("last rows mark %q, want %q", got, want)
	}
	n := w.Nodes[0]
	in, err := s.Day(t.Context(), n, day(2), period.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Samples) != 0 || len(in.Before) != 1 || in.Before[0].Hour != at(1, 5) || len(in.After) != 0 {
		t.Errorf("day 2 has %d samples, before %v, after %v", len(in.Samples), in.Before, in.After)
	}
	slices, err := s.NodeSlices(t.Context(), n)
	if err != nil || len(slices) != 1 || slices[0].SliceID != 3 || slices[0].Profile != "1g.5gb" {
		t.Errorf("slices are %+v, %v", slices, err)
	}
	in, err = s.Day(t.Context(), n, day(0), period.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Before) != 0 || len(in.After) != 1 || in.After[0].Hour != at(1, 5) {
		t.Errorf("day 0 has before %v, after %v", in.Before, in.After)
	}
}

// A place that is told late, of an hour whose rows are known, moves all days
// that take their layout from it; it comes back with the day.
func TestLatePlacesReachAsFarAsLayouts(t *testing.T) {
	s := newStore(t)
	w, names := smallWorld()
	saveWorld(t, s, w)
	rows := func(hour period.Second, start *int64) *ledger.Telemetry {
		h := hourOfSamples("a", "GPU-0", hour, 1, 5)
		h.SliceID, h.Profile = 3, "1g.5gb"
		if start != nil {
			h.Vectors[ledger.SignalMIGStart] = ledger.Minutes{Known: 1 << 7, Value: [60]int64{7: *start}}
		}
		return &ledger.Telemetry{Samples: []ledger.SampleHour{h}}
	}
	publishTelemetry(t, s, rows(at(1, 5), nil))
	publishTelemetry(t, s, rows(at(3, 5), nil))
	clean(t, s)
	publishTelemetry(t, s, rows(at(1, 5), new(int64(6))))
	if got, want := dirtyDays(t, s, names), "a@0 a@1 a@2 a@3"; got != want {
		t.Errorf("a place told late marks %q, want %q", got, want)
	}
	in, err := s.Day(t.Context(), w.Nodes[0], day(2), period.Hour)
	if err != nil || len(in.Before) != 1 {
		t.Fatalf("before day 2: %v, %v", in.Before, err)
	}
	if v := in.Before[0].Vectors[ledger.SignalMIGStart]; v.Known != 1<<7 || v.Value[7] != 6 {
		t.Errorf("the place came back as %+v", v)
	}
}

// Whatever the order, packing and repetition of loading, the same rows result.
func TestTelemetryMergesInAnyOrder(t *testing.T) {
	var all []*ledger.Telemetry
	for i := range 6 {
		f := sampleTelemetry()
		v := int64(i)
		f.Samples[0] = hourOfSamples("a", "GPU-0", at(1, 3), 7+i%3, 100*v)
		f.Samples[1].Hour = at(1, 4+float64(i%2))
		f.Evidence[0].Minutes = 1 << i
		f.Nodes[0].AttrsAt, f.Nodes[0].Labels = v%4, map[string]string{"team": string(rune('a' + i))}
		f.Nodes[0].LastSeen += period.Second(i)
		f.Nodes[0].FirstSeen -= period.Second(i)
		f.NodeStates[0].Minutes = 1 << i
		f.Sources[0].Minutes = 1 << (2 * i)
		f.Workloads[0].Labels, f.Workloads[0].AttrsAt = map[string]string{"n": string(rune('a' + i))}, 10-v%3
		if i%2 == 0 {
			f.Workloads[0].Requests = nil
		}
		f.Workloads[0].Phase, f.Workloads[0].TerminalAt = []string{"Running", "Failed", "Pending", "Succeeded", "Running", "Failed"}[i], period.Second(i%2*int(at(1, 5)+period.Second(i)))
		f.Workloads[0].Started = period.Second(i % 2 * int(at(1, 3)+period.Second(i)))
		f.Objects[0].Attrs, f.Objects[0].AttrsAt = map[string]string{"completions": string(rune('1' + i))}, v/2
		f.PodStates[0].Minutes = 1 << i
		f.Counters[0].Counters = hourCounters(v)
		w := &f.Workloads[0]
		w.Outcome, w.Reason = []ledger.Outcome{ledger.Running, "", ledger.Failed, ledger.Succeeded, ledger.OutcomeUnknown, ""}[i], string(rune('a'+i))
		w.Eligible, w.System = period.Second(i%3*int(at(1, 2)))+period.Second(i), []ledger.System{ledger.SystemKubernetes, ledger.SystemSlurm}[i%2]
		w.Node, w.OwnerName = []string{"", "a", "b", "a", "d", "c"}[i], []string{"train", "", "other"}[i%3]
		if w.OwnerName == "" {
			w.OwnerKind = ""
		}
		f.Checkpoints[0].Step = v % 4
		f.Placements[0].To, f.Placements[0].CoreShare, f.Placements[0].MemoryShare = period.Second(i%3*int(at(1, 5))), v%3-1, v%4
		d := &f.Devices[0]
		d.Index, d.Model, d.InMIG, d.Registered = int32(i%3)-1, string(rune('a'+i%4)), i == 2, i%2 == 0
		d.First, d.Last = at(1, float64(6-i)), at(1, float64(6+i%2))
		g := &f.Segments[0]
		g.To, g.Name, g.Group = period.Second(i%3*int(at(1, 5)))+period.Second(i%3), []string{"", "x", "y"}[i%3], []string{"s", ""}[i%2]
		g.Outcome, g.Reason, g.AttrsAt = []ledger.Outcome{ledger.Running, ledger.Failed, "", ledger.Succeeded, ledger.Cancelled, ledger.Succeeded}[i], string(rune('f'-i)), 9-v%4
		g.Labels = map[string]string{"lr": string(rune('a' + i))}
		f.Events[0].Reason = []string{"", "b", "a"}[i%3]
		// One card that two or three nodes report in one hour, and that changes its index.
		f.Samples = append(f.Samples, hourOfSamples([]string{"a", "c", "b"}[i%3], "GPU-7", at(1, 6), 5, v), hourOfSamples([]string{"a", "b"}[i%2], "GPU-8", at(1, float64(3+i/2)), 5, v),
			hourOfSamples("a", "GPU-9", at(1, float64(3+i%2)), 5, v), hourOfSamples("n"+string(rune('0'+i)), ledger.HostDevice, at(1, 3), 5, v))
		f.Samples[4].Index = int32(i % 3)
		if i == 5 {
			f.Nodes[0].ProviderID = ""
		}
		all = append(all, f)
	}
	var want string
	for round := range 5 {
		s := newStore(t)
		order := rand.New(rand.NewPCG(uint64(round), 1)).Perm(len(all))
		var together []*ledger.Telemetry
		for i, k := range order {
			f := *all[k]
			f.Samples = append([]ledger.SampleHour{}, all[k].Samples...)
			together = append(together, &f)
			if (i+round)%(round+1) == 0 || i == len(order)-1 {
				publishTelemetry(t, s, together...)
				together = nil
			}
		}
		got := dumpFacts(t, s)
		if round == 0 {
			want = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("order %v gives other rows:\n%s", order, diff)
		}
		if round == 0 {
			w, err := s.World(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(w.Nodes) != 1 || w.Nodes[0].ProviderID == "" {
				t.Errorf("a fact with a name only is a node of its own: %v", w.Nodes)
			}
		}
	}
}

func TestOwnSamplesOfDay(t *testing.T) {
	s := newStore(t)
	w, _ := smallWorld()
	saveWorld(t, s, w)
	publishTelemetry(t, s, sampleTelemetry())
	n := w.Nodes[0]
	in, err := s.Day(t.Context(), n, day(1), period.Hour)
	if err != nil {
		t.Fatal(err)
	}
	src := sampleTelemetry()
	if diff := cmp.Diff(src.Samples, in.Samples); diff != "" {
		t.Error("samples (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.NodeStates, in.NodeStates); diff != "" {
		t.Error("node states (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.PodStates, in.PodStates); diff != "" {
		t.Error("pod states (-want +got):\n", diff)
	}
	if diff := cmp.Diff(src.Sources, in.Sources); diff != "" {
		t.Error("sources (-want +got):\n", diff)
	}
	e, err := s.NodeEvidence(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(src.Evidence, e); diff != "" {
		t.Error("evidence (-want +got):\n", diff)
	}
	ids, err := s.NodeIdentities(t.Context(), "c", []string{"a", "nobody"})
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) != 1 || ids[0].ProviderID != "aws:///us-east-1a/i-a" || len(ids[0].Devices) != 1 || ids[0].Devices[0].Hours != (period.Interval{From: at(1, 3), To: at(1, 5)}) {
		t.Errorf("identities are %+v", ids)
	}
	twice, err := s.Elsewhere(t.Context(), []ingest.Sighting{
		{Cluster: "copy", Thing: "aws:///us-east-1a/i-a", Seen: period.Interval{From: at(1, 3), To: at(1, 5)}},
		{Cluster: "c", Thing: "aws:///us-east-1a/i-a", Seen: period.Interval{From: at(1, 3), To: at(1, 5)}},
		{Cluster: "copy", Thing: ids[0].Devices[0].UUID, Seen: period.Interval{From: at(1, 3), To: at(1, 5)}},
		{Cluster: "later", Thing: ids[0].Devices[0].UUID, Seen: period.Interval{From: at(1, 4), To: at(1, 9)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(twice) == 0 || twice[len(twice)-1].Cluster != "c" || !slices.ContainsFunc(twice, func(v ingest.Sighting) bool { return v.Thing == ids[0].Devices[0].UUID }) {
		t.Errorf("things in two clusters: %+v", twice)
	}
	// The machine of that name before its time has nothing.
	n.Life = period.Interval{From: at(0, 0), To: at(1, 2)}
	if in, err = s.Day(t.Context(), n, day(1), period.Hour); err != nil || len(in.Samples) != 0 {
		t.Errorf("a machine that was gone has %d samples, %v", len(in.Samples), err)
	}
}

// A pod that is placed by its request moves when somebody else's evidence
// appears, over its whole hold.
func TestNewEvidenceMovesPlacedPods(t *testing.T) {
	s := newStore(t)
	w, names := smallWorld()
	placed := w.Workloads[0]
	placed.ID, placed.UID, placed.Name, placed.Hold = ledger.NewID("workload", "c", "u3"), "u3", "p3", period.Interval{From: at(2, 4), To: at(4, 2)}
	placed.RunID = ""
	w.Workloads = append(w.Workloads, placed)
	f := sampleTelemetry()
	p3 := f.Workloads[0]
	p3.UID, p3.Name = "u3", "p3"
	f.Workloads = append(f.Workloads, p3)
	publishTelemetry(t, s, f)
	saveWorld(t, s, w)
	clean(t, s)
	publishTelemetry(t, s, &ledger.Telemetry{Evidence: []ledger.HoldEvidence{{Cluster: "c", Node: "a", Device: "GPU-1", SliceID: ledger.WholeDevice, Namespace: "ns", Pod: "p1", Hour: at(1, 5), Minutes: 1}}})
	if got, want := dirtyDays(t, s, names), "a@1 a@2 a@3 a@4"; got != want {
		t.Errorf("marked %q, want %q", got, want)
	}
	clean(t, s)
	publishTelemetry(t, s, &ledger.Telemetry{Evidence: []ledger.HoldEvidence{{Cluster: "c", Node: "a", Device: "GPU-1", SliceID: ledger.WholeDevice, Namespace: "ns", Pod: "p1", Hour: at(1, 6), Minutes: 1}}})
	if got, want := dirtyDays(t, s, names), "a@1"; got != want {
		t.Errorf("more of the same evidence marks %q, want %q", got, want)
	}
}
