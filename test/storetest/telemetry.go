package storetest

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

// HourOfSamples is an hour of a device with one sample.
func HourOfSamples(node, device string, hour period.Second, second int, value int64) ledger.SampleHour {
	var m ledger.Minutes
	for i := range 60 {
		minutes.Set(&m, i, second*1000, value+int64(i))
	}
	return ledger.SampleHour{Cluster: "c", Node: node, Device: device, Model: "NVIDIA A10G", SliceID: ledger.WholeDevice,
		Hour:    hour,
		Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGPUUtil: m}, RowCount: 60}
}

// SampleTelemetry is node a with one device and one pod on day 1.
func SampleTelemetry() *ledger.Telemetry {
	return &ledger.Telemetry{
		Samples: []ledger.SampleHour{
			HourOfSamples("a", "GPU-0", At(1, 3), 7, 100), HourOfSamples("a", "GPU-0", At(1, 4), 7, 200),
		},
		Evidence: []ledger.HoldEvidence{
			{
				Cluster: "c", Node: "a", Device: "GPU-0", SliceID: ledger.WholeDevice,
				Namespace: "ns", Pod: "p1", Hour: At(1, 3), Minutes: 0xff,
			},
		},
		Nodes: []ledger.NodeFact{{Cluster: "c", Name: "a", ProviderID: "aws:///us-east-1a/i-a",
			Labels: map[string]string{"team": "ml"}, Capacity: map[string]int64{"nvidia_com_gpu": 2},
			Created: At(0, 2), FirstSeen: At(1, 3), LastSeen: At(1, 4), AttrsAt: 5}},
		NodeStates: []ledger.NodeStateHour{
			{Cluster: "c", Name: "a", State: ledger.NotReady, Hour: At(1, 3), Minutes: 1, Known: 0xffff},
		},
		Sources: []ledger.SourceHour{{Cluster: "c", Source: ledger.SourceKubernetes, Hour: At(1, 3), Minutes: 0xfff}},
		Workloads: []ledger.WorkloadFact{{Cluster: "c", Namespace: "ns", Name: "p1", UID: "u1", Node: "a", OwnerKind: "Job",
			OwnerName: "train",
			Labels:    map[string]string{"x": "y"}, Requests: map[string]int64{"nvidia_com_gpu": 1},
			Created: At(1, 2), Eligible: At(1, 2.5), Scheduled: At(1, 3), Phase: "Running",
			System: ledger.SystemSlurm, Outcome: ledger.Preempted, Reason: "scheduler",
			FirstSeen: At(1, 3), LastSeen: At(1, 4), AttrsAt: 9}},
		PodStates: []ledger.PodStateHour{{Cluster: "c", UID: "u1", Hour: At(1, 3), Minutes: 6}},
		Objects: []ledger.ObjectFact{
			{
				Cluster: "c", Namespace: "ns", Kind: "Job", Name: "train", Labels: map[string]string{"l": "1"},
				Created: At(1, 2), Attrs: map[string]string{"completions": "1"}, AttrsAt: 3,
			},
		},
		Checkpoints: []ledger.Checkpoint{
			{Cluster: "c", Run: "run-1", At: At(1, 3), Step: 100},
			{Cluster: "c", Namespace: "ns", Pod: "p1", At: At(1, 3), Step: -1},
		},
		Placements: []ledger.Placement{{Cluster: "c", Node: "a", Device: "GPU-0", SliceID: ledger.WholeDevice, Workload: "u1",
			Evidence: ledger.EvidenceProcess,
			From:     At(1, 3), To: At(1, 4), CoreShare: -1, MemoryShare: 500_000}},
		Segments: []ledger.SegmentFact{{Cluster: "c", Namespace: "ns", Pod: "p1", Run: "sweep-1", From: At(1, 3),
			To: At(1, 4), Name: "lr=0.1", Kind: "training",
			Group: "sweep", Outcome: ledger.Failed, Reason: "diverged", Labels: map[string]string{"lr": "0.1"}, AttrsAt: 7}},
		Devices: []ledger.DeviceFact{
			{
				Cluster: "c", Node: "a", UUID: "GPU-4", Index: 4, Model: "NVIDIA A10",
				Registered: true, First: At(1, 3.25), Last: At(1, 4.5),
			},
		},
		Events: []ledger.WorkloadEvent{
			{
				Cluster: "c", Kind: "Pod", Namespace: "ns", Name: "p1", UID: "u1",
				What: ledger.WorkloadRestarted, Reason: "Error", At: At(1, 3.5),
			},
		},
		Counters: []ledger.CounterHour{{Cluster: "c", Namespace: "ns", Pod: "p1", Server: "vllm", Model: "m", Engine: "0",
			Hour:     At(1, 3),
			Counters: HourCounters(10)}},
	}
}

// HourCounters are the counters of an hour.
func HourCounters(v int64) map[string]ledger.Minutes {
	var m ledger.Minutes
	minutes.Set(&m, 5, 100, v)
	return map[string]ledger.Minutes{"prompt_tokens": m}
}

// PublishTelemetry stages and publishes batches as one import.
func PublishTelemetry(t testing.TB, s *store.Store, batches ...*ledger.Telemetry) {
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

// FactTables are the fact tables.
var FactTables = []string{"node_facts", "devices", "device_facts", "node_stretches", "sample_hours", "hold_evidence",
	"node_state_hours", "source_hours", "workload_facts", "pod_state_hours",
	"objects", "checkpoint_facts", "placements", "segment_facts",
	"workload_events", "counter_hours", "instance_events", "fact_conflicts"}

// DumpFacts is the facts as text, for comparison.
func DumpFacts(t testing.TB, s *store.Store) string {
	t.Helper()
	var all strings.Builder
	for _, table := range FactTables {
		all.WriteString(table + "\n" + Dump(t, s, "select t::text from "+table+" t where tenant_id = 1 order by 1") + "\n")
	}
	return all.String()
}
