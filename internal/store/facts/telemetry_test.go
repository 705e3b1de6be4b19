package facts_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

func TestLoadingTelemetryAgainMarksNothing(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	storetest.Clean(t, s)
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry())
	if got := storetest.DirtyDays(t, s, names); got != "a@0 a@1 a@2 a@3 a@4 b@1" && got != "b@1 a@0 a@1 a@2 a@3 a@4" {
		t.Errorf("new facts mark %q, want all of a (a card that is registered) and b@1 (placements seen)", got)
	}
	storetest.Clean(t, s)
	before := storetest.DumpFacts(t, s)
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry())
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry(), storetest.SampleTelemetry())
	if got := storetest.DirtyDays(t, s, names); got != "" {
		t.Errorf("the same facts again mark %q", got)
	}
	if diff := cmp.Diff(before, storetest.DumpFacts(t, s)); diff != "" {
		t.Error("the same facts again change rows:\n", diff)
	}
}

func TestMarksReachNeighbouringDays(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	storetest.Clean(t, s)
	for _, c := range []struct {
		hour period.Second
		want string
	}{{storetest.At(2, 12), "a@2"}, {storetest.At(2, 23), "a@2 a@3"},
		{storetest.At(3, 0), "a@2 a@3"}, {storetest.At(3, 1), "a@3"}, {storetest.At(9, 1), ""}} {
		storetest.PublishTelemetry(t, s, &ledger.Telemetry{
			Samples: []ledger.SampleHour{storetest.HourOfSamples("a", "GPU-0", c.hour, 1, 5)},
		})
		if got := storetest.DirtyDays(t, s, names); got != c.want {
			t.Errorf("samples at %s mark %q, want %q", c.hour, got, c.want)
		}
		storetest.Clean(t, s)
	}
}

func TestNewLayoutRowsReachUntilTheNextOnes(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	slice := func(hour period.Second) *ledger.Telemetry {
		h := storetest.HourOfSamples("a", "GPU-0", hour, 1, 5)
		h.SliceID, h.Profile = 3, "1g.5gb"
		return &ledger.Telemetry{Samples: []ledger.SampleHour{h}}
	}
	storetest.PublishTelemetry(t, s, slice(storetest.At(3, 5)))
	if got := storetest.DirtyDays(t, s, names); got == "" {
		t.Fatal("no marks")
	}
	storetest.Clean(t, s)
	storetest.PublishTelemetry(t, s, slice(storetest.At(1, 5)))
	if got, want := storetest.DirtyDays(t, s, names), "a@0 a@1 a@2 a@3"; got != want {
		t.Errorf("first rows mark %q, want %q", got, want)
	}
	storetest.Clean(t, s)
	storetest.PublishTelemetry(t, s, slice(storetest.At(3, 6)))
	if got, want := storetest.DirtyDays(t, s, names), "a@3 a@4"; got != want {
		t.Errorf("last rows mark %q, want %q", got, want)
	}
	n := w.Nodes[0]
	in, err := s.Day(t.Context(), n, storetest.Day(2), period.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Samples) != 0 || len(in.Before) != 1 || in.Before[0].Hour != storetest.At(1, 5) || len(in.After) != 0 {
		t.Errorf("day 2 has %d samples, before %v, after %v", len(in.Samples), in.Before, in.After)
	}
	slices, err := s.NodeSlices(t.Context(), n)
	if err != nil || len(slices) != 1 || slices[0].SliceID != 3 || slices[0].Profile != "1g.5gb" {
		t.Errorf("slices are %+v, %v", slices, err)
	}
	in, err = s.Day(t.Context(), n, storetest.Day(0), period.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Before) != 0 || len(in.After) != 1 || in.After[0].Hour != storetest.At(1, 5) {
		t.Errorf("day 0 has before %v, after %v", in.Before, in.After)
	}
}

// A MIG start that arrives late for a stored hour affects all days that take their layout from it, and is read back
// with the day.
func TestLatePlacesReachAsFarAsLayouts(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	rows := func(hour period.Second, start *int64) *ledger.Telemetry {
		h := storetest.HourOfSamples("a", "GPU-0", hour, 1, 5)
		h.SliceID, h.Profile = 3, "1g.5gb"
		if start != nil {
			h.Vectors[ledger.SignalMIGStart] = ledger.Minutes{Known: 1 << 7, Value: [60]int64{7: *start}}
		}
		return &ledger.Telemetry{Samples: []ledger.SampleHour{h}}
	}
	storetest.PublishTelemetry(t, s, rows(storetest.At(1, 5), nil))
	storetest.PublishTelemetry(t, s, rows(storetest.At(3, 5), nil))
	storetest.Clean(t, s)
	storetest.PublishTelemetry(t, s, rows(storetest.At(1, 5), new(int64(6))))
	if got, want := storetest.DirtyDays(t, s, names), "a@0 a@1 a@2 a@3"; got != want {
		t.Errorf("a place told late marks %q, want %q", got, want)
	}
	in, err := s.Day(t.Context(), w.Nodes[0], storetest.Day(2), period.Hour)
	if err != nil || len(in.Before) != 1 {
		t.Fatalf("before day 2: %v, %v", in.Before, err)
	}
	if v := in.Before[0].Vectors[ledger.SignalMIGStart]; v.Known != 1<<7 || v.Value[7] != 6 {
		t.Errorf("the place came back as %+v", v)
	}
}

// Any order, packing and repetition of loading give the same rows.
func TestTelemetryMergesInAnyOrder(t *testing.T) {
	var all []*ledger.Telemetry
	for i := range 6 {
		f := storetest.SampleTelemetry()
		v := int64(i)
		f.Samples[0] = storetest.HourOfSamples("a", "GPU-0", storetest.At(1, 3), 7+i%3, 100*v)
		f.Samples[1].Hour = storetest.At(1, 4+float64(i%2))
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
		f.Workloads[0].Phase, f.Workloads[0].TerminalAt = []string{
			"Running", "Failed", "Pending", "Succeeded", "Running", "Failed",
		}[i], period.Second(i%2*int(storetest.At(1, 5)+period.Second(i)))
		f.Workloads[0].Started = period.Second(i % 2 * int(storetest.At(1, 3)+period.Second(i)))
		f.Objects[0].Attrs, f.Objects[0].AttrsAt = map[string]string{"completions": string(rune('1' + i))}, v/2
		f.PodStates[0].Minutes = 1 << i
		f.Counters[0].Counters = storetest.HourCounters(v)
		w := &f.Workloads[0]
		w.Outcome, w.Reason = []ledger.Outcome{
			ledger.Running, "", ledger.Failed, ledger.Succeeded, ledger.OutcomeUnknown, "",
		}[i], string(rune('a'+i))
		w.Eligible, w.System = period.Second(i%3*int(storetest.At(1, 2)))+period.Second(i),
			[]ledger.System{ledger.SystemKubernetes, ledger.SystemSlurm}[i%2]
		w.Node, w.OwnerName = []string{"", "a", "b", "a", "d", "c"}[i], []string{"train", "", "other"}[i%3]
		if w.OwnerName == "" {
			w.OwnerKind = ""
		}
		f.Checkpoints[0].Step = v % 4
		f.Placements[0].To, f.Placements[0].CoreShare, f.Placements[0].MemoryShare = period.Second(i%3*int(storetest.At(1,
			5))), v%3-1, v%4
		d := &f.Devices[0]
		d.Index, d.Model, d.InMIG, d.Registered = int32(i%3)-1, string(rune('a'+i%4)), i == 2, i%2 == 0
		d.First, d.Last = storetest.At(1, float64(6-i)), storetest.At(1, float64(6+i%2))
		g := &f.Segments[0]
		g.To, g.Name, g.Group = period.Second(i%3*int(storetest.At(1, 5)))+period.Second(i%3), []string{"", "x", "y"}[i%3],
			[]string{"s", ""}[i%2]
		g.Outcome, g.Reason, g.AttrsAt = []ledger.Outcome{
			ledger.Running, ledger.Failed, "", ledger.Succeeded, ledger.Cancelled, ledger.Succeeded,
		}[i], string(rune('f'-i)), 9-v%4
		g.Labels = map[string]string{"lr": string(rune('a' + i))}
		f.Events[0].Reason = []string{"", "b", "a"}[i%3]
		// One card that two or three nodes report in one hour, with a changing index.
		f.Samples = append(f.Samples,
			storetest.HourOfSamples([]string{"a", "c", "b"}[i%3], "GPU-7", storetest.At(1, 6), 5, v),
			storetest.HourOfSamples([]string{"a", "b"}[i%2], "GPU-8", storetest.At(1, float64(3+i/2)), 5, v),
			storetest.HourOfSamples("a", "GPU-9", storetest.At(1, float64(3+i%2)), 5, v),
			storetest.HourOfSamples("n"+string(rune('0'+i)), ledger.HostDevice, storetest.At(1, 3), 5, v))
		f.Samples[4].Index = int32(i % 3)
		if i == 5 {
			f.Nodes[0].ProviderID = ""
		}
		all = append(all, f)
	}
	var want string
	for round := range 5 {
		s := storetest.New(t)
		order := rand.New(rand.NewPCG(uint64(round), 1)).Perm(len(all))
		var together []*ledger.Telemetry
		for i, k := range order {
			f := *all[k]
			f.Samples = append([]ledger.SampleHour{}, all[k].Samples...)
			together = append(together, &f)
			if (i+round)%(round+1) == 0 || i == len(order)-1 {
				storetest.PublishTelemetry(t, s, together...)
				together = nil
			}
		}
		got := storetest.DumpFacts(t, s)
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
	s := storetest.New(t)
	w, _ := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry())
	n := w.Nodes[0]
	in, err := s.Day(t.Context(), n, storetest.Day(1), period.Hour)
	if err != nil {
		t.Fatal(err)
	}
	src := storetest.SampleTelemetry()
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
	if len(ids) != 1 || ids[0].ProviderID != "aws:///us-east-1a/i-a" || len(ids[0].Devices) != 1 ||
		ids[0].Devices[0].Hours != (period.Interval{From: storetest.At(1, 3), To: storetest.At(1, 5)}) {
		t.Errorf("identities are %+v", ids)
	}
	twice, err := s.Elsewhere(t.Context(), []ingest.Sighting{
		{
			Cluster: "copy", Thing: "aws:///us-east-1a/i-a",
			Seen: period.Interval{From: storetest.At(1, 3), To: storetest.At(1, 5)},
		},
		{
			Cluster: "c", Thing: "aws:///us-east-1a/i-a",
			Seen: period.Interval{From: storetest.At(1, 3), To: storetest.At(1, 5)},
		},
		{
			Cluster: "copy", Thing: ids[0].Devices[0].UUID,
			Seen: period.Interval{From: storetest.At(1, 3), To: storetest.At(1, 5)},
		},
		{
			Cluster: "later", Thing: ids[0].Devices[0].UUID,
			Seen: period.Interval{From: storetest.At(1, 4), To: storetest.At(1, 9)},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(twice) == 0 || twice[len(twice)-1].Cluster != "c" ||
		!slices.ContainsFunc(twice, func(v ingest.Sighting) bool { return v.Thing == ids[0].Devices[0].UUID }) {
		t.Errorf("things in two clusters: %+v", twice)
	}
	// The machine of that name has nothing before its time.
	n.Life = period.Interval{From: storetest.At(0, 0), To: storetest.At(1, 2)}
	if in, err = s.Day(t.Context(), n, storetest.Day(1), period.Hour); err != nil || len(in.Samples) != 0 {
		t.Errorf("a machine that was gone has %d samples, %v", len(in.Samples), err)
	}
}

// A pod that is placed by its request is placed again over its whole hold when evidence of another pod appears.
func TestNewEvidenceMovesPlacedPods(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	placed := w.Workloads[0]
	placed.ID, placed.UID, placed.Name, placed.Hold = ledger.NewID("workload", "c", "u3"), "u3", "p3",
		period.Interval{From: storetest.At(2, 4), To: storetest.At(4, 2)}
	placed.RunID = ""
	w.Workloads = append(w.Workloads, placed)
	f := storetest.SampleTelemetry()
	p3 := f.Workloads[0]
	p3.UID, p3.Name = "u3", "p3"
	f.Workloads = append(f.Workloads, p3)
	storetest.PublishTelemetry(t, s, f)
	storetest.SaveWorld(t, s, w)
	storetest.Clean(t, s)
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{
		Evidence: []ledger.HoldEvidence{
			{
				Cluster: "c", Node: "a", Device: "GPU-1", SliceID: ledger.WholeDevice,
				Namespace: "ns", Pod: "p1", Hour: storetest.At(1, 5), Minutes: 1,
			},
		},
	})
	if got, want := storetest.DirtyDays(t, s, names), "a@1 a@2 a@3 a@4"; got != want {
		t.Errorf("marked %q, want %q", got, want)
	}
	storetest.Clean(t, s)
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{
		Evidence: []ledger.HoldEvidence{
			{
				Cluster: "c", Node: "a", Device: "GPU-1", SliceID: ledger.WholeDevice,
				Namespace: "ns", Pod: "p1", Hour: storetest.At(1, 6), Minutes: 1,
			},
		},
	})
	if got, want := storetest.DirtyDays(t, s, names), "a@1"; got != want {
		t.Errorf("more of the same evidence marks %q, want %q", got, want)
	}
}
