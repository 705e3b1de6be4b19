package facts_test

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

func placement(uid, device string, from, to period.Second, share int64) *ledger.Telemetry {
	return &ledger.Telemetry{Placements: []ledger.Placement{{Cluster: "c", Node: "a", Device: device,
		SliceID: ledger.WholeDevice, Workload: uid,
		Evidence: ledger.EvidenceProcess, From: from, To: to, CoreShare: share, MemoryShare: -1}}}
}

// A placement marks the node-days of its workload's hold, a later end only those after the old one, and a repetition
// none.
func TestPlacementsMarkWhatTheyMove(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	w.Workloads[0].Hold = period.Interval{From: storetest.At(1, 3), To: storetest.At(3, 15)}
	storetest.SaveWorld(t, s, w)
	storetest.Clean(t, s)
	for _, c := range []struct {
		name string
		f    *ledger.Telemetry
		want string
	}{
		{"new", placement("u1", "GPU-0", storetest.At(1, 4), storetest.At(1, 5), -1), "a@1 a@2 a@3"},
		{"again", placement("u1", "GPU-0", storetest.At(1, 4), storetest.At(1, 5), -1), ""},
		{"seen before its end", placement("u1", "GPU-0", storetest.At(1, 4), storetest.At(1, 4.5), -1), ""},
		{"seen later", placement("u1", "GPU-0", storetest.At(1, 4), storetest.At(1, 6), -1), "a@1"},
		{"on the next day", placement("u1", "GPU-0", storetest.At(1, 4), storetest.At(2, 4), -1), "a@1 a@2"},
		{"a share becomes known", placement("u1", "GPU-0", storetest.At(1, 4), storetest.At(2, 4), 500_000), "a@1 a@2 a@3"},
		{"after the hold", placement("u1", "GPU-0", storetest.At(1, 4), storetest.At(3, 20), 500_000), "a@2 a@3"},
		{"even later", placement("u1", "GPU-0", storetest.At(1, 4), storetest.At(3, 21), 500_000), ""},
		{"another device to the end of the hold", placement("u1", "GPU-1", 0, 0, -1), "a@1 a@2 a@3"},
		{"which then has an end", placement("u1", "GPU-1", 0, storetest.At(2, 12), -1), "a@2 a@3"},
		{"of a workload that nobody knows yet", placement("nobody", "GPU-1", 0, 0, -1), ""},
	} {
		storetest.PublishTelemetry(t, s, c.f)
		if got := storetest.DirtyDays(t, s, names); got != c.want {
			t.Errorf("%s: marks %q, want %q", c.name, got, c.want)
		}
		storetest.Clean(t, s)
	}
}

// SaveWorld marks what events, checkpoints and segments change.
func TestEventsAndCheckpointsMarkNothingThemselves(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	storetest.Clean(t, s)
	f := storetest.SampleTelemetry()
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{Events: f.Events, Checkpoints: f.Checkpoints, Segments: f.Segments})
	if got := storetest.DirtyDays(t, s, names); got != "" {
		t.Errorf("marked %q", got)
	}
	w.Attempts[0].LossFrom, w.Attempts[0].LastCheckpoint = storetest.At(2, 3), storetest.At(2, 3)
	storetest.SaveWorld(t, s, w)
	if got, want := storetest.DirtyDays(t, s, names), "a@1 a@2"; got != want {
		t.Errorf("a checkpoint that moves the lost time marks %q, want %q", got, want)
	}
}

func TestTextsThatDoNotFitAreKeptAsFarAsTheyDo(t *testing.T) {
	s := storetest.New(t)
	f := storetest.SampleTelemetry()
	f.Workloads[0].Name, f.Workloads[0].Reason, f.Segments[0].Name = "p\xff", "a\x00b", "\xc3"
	f.Events[0].Reason, f.Placements[0].Device, f.Checkpoints[0].Run = "\x00", "GPU\xfe", "r\x80"
	storetest.PublishTelemetry(t, s, f)
	got := storetest.Dump(t, s,
		"select name || outcome_reason from workload_facts union all select reason from workload_events union all select "+
			"run from checkpoint_facts where run <> ''")
	if want := "p\uFFFDa\uFFFDb\n\uFFFD\nr\uFFFD"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Of two values of a property that cannot have two, one is kept and the other is visible as a conflict.
func TestConflictsStayVisible(t *testing.T) {
	s := storetest.New(t)
	f := storetest.SampleTelemetry()
	storetest.PublishTelemetry(t, s, f)
	other := storetest.SampleTelemetry()
	other.Workloads[0].Node, other.Workloads[0].OwnerName = "b", "other"
	other.Samples = []ledger.SampleHour{
		storetest.HourOfSamples("b", "GPU-0", storetest.At(1, 3), 9, 1),
		storetest.HourOfSamples("b", "GPU-0", storetest.At(1, 4), 9, 1),
	}
	storetest.PublishTelemetry(t, s, other)
	got := storetest.Dump(t, s,
		"select concat_ws(' ', what, subject, value, first_hour, last_hour) from fact_conflicts where tenant_id = 1 "+
			"order by what")
	want := strings.Join([]string{"device_node GPU-0 a " + stamp2(storetest.At(1, 3)) + " " + stamp2(storetest.At(1, 4)),
		"workload_node u1 a", "workload_owner u1 Job/other"}, "\n")
	if got != want {
		t.Errorf("conflicts are\n%s\nwant\n%s", got, want)
	}
	if got := storetest.Dump(t, s, "select node || ' ' || device_index from devices where tenant_id = 1"); got != "b 0" {
		t.Errorf("the device is on %s, want on b alone", got)
	}
	before := storetest.DumpFacts(t, s)
	storetest.PublishTelemetry(t, s, f)
	storetest.PublishTelemetry(t, s, other, f)
	if after := storetest.DumpFacts(t, s); before != after {
		t.Errorf("the same again changes\n%s\nto\n%s", before, after)
	}
}

func stamp2(s period.Second) string { return s.Time().Format("2006-01-02 15:04:05+00") }

// Samples of machines do not share keys and are not in the list of devices.
func TestMachinesHaveSamplesOfTheirOwn(t *testing.T) {
	s := storetest.New(t)
	host := func(node string, v int64) ledger.SampleHour {
		h := storetest.HourOfSamples(node, ledger.HostDevice, storetest.At(1, 3), 3, v)
		h.Index, h.Model = -1, ""
		return h
	}
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{Samples: []ledger.SampleHour{host("a", 1), host("b", 2)}})
	if got := storetest.Dump(t, s,
		"select device || ' ' || node from sample_hours where tenant_id = 1 order by 1"); got != "host/a a\nhost/b b" {
		t.Errorf("stored are %q", got)
	}
	if n := storetest.One[int](t, s, "select count(*) from devices where tenant_id = 1"); n != 0 {
		t.Errorf("%d devices", n)
	}
}

func TestOtherRequestsMoveTheHold(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	f := storetest.SampleTelemetry()
	storetest.PublishTelemetry(t, s, f)
	storetest.Clean(t, s)
	f.Workloads[0].Requests, f.Workloads[0].AttrsAt = map[string]int64{"nvidia_com_gpu": 2}, 10
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{Workloads: f.Workloads})
	if got, want := storetest.DirtyDays(t, s, names), "a@1 a@2"; got != want {
		t.Errorf("other requests mark %q, want %q", got, want)
	}
	storetest.Clean(t, s)
	f.Workloads[0].LastSeen += 60
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{Workloads: f.Workloads})
	if got := storetest.DirtyDays(t, s, names); got != "" {
		t.Errorf("a later sighting marks %q; the end of the hold is for SaveWorld", got)
	}
}

// A pod that reuses the name of an earlier one has separate evidence: its first evidence decides its whole hold,
// however much its predecessor had.
func TestEvidenceBelongsToTheHoldItLiesIn(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	next := w.Workloads[0]
	next.ID, next.UID, next.Hold, next.RunID = ledger.NewID("workload", "c", "u9"), "u9",
		period.Interval{From: storetest.At(2, 5) + 1800, To: storetest.At(4, 3)}, ""
	w.Workloads = append(w.Workloads, next)
	storetest.SaveWorld(t, s, w)
	evidence := func(hours float64, minutes uint64) *ledger.Telemetry {
		return &ledger.Telemetry{Evidence: []ledger.HoldEvidence{{Cluster: "c", Node: "a", Device: "GPU-0",
			SliceID: ledger.WholeDevice, Namespace: "ns", Pod: "p1",
			Hour: storetest.At(0, hours), Minutes: minutes}}}
	}
	storetest.Clean(t, s)
	for _, c := range []struct {
		name string
		f    *ledger.Telemetry
		want string
	}{
		{"of the first pod", evidence(28, 1), "a@1 a@2"},
		{"more of it", evidence(30, 1), "a@1"},
		{"in the hour in which the next began", evidence(53, 1<<29), "a@2 a@3 a@4"}, // before it, by the minute
		{"the next has its first", evidence(53, 1<<31), "a@2 a@3 a@4"},
		{"and more", evidence(76, 1), "a@3"},
	} {
		storetest.PublishTelemetry(t, s, c.f)
		if got := storetest.DirtyDays(t, s, names); got != c.want {
			t.Errorf("%s: marks %q, want %q", c.name, got, c.want)
		}
		storetest.Clean(t, s)
	}
}
