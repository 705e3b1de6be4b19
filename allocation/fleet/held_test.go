package fleet

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// A node of a Slurm cluster without an exporter lives as long as its jobs and has as many GPUs as they had at one time.
func TestNodeThatOnlyJobsName(t *testing.T) {
	name := Name{"hpc", "gpu01"}
	in := Input{Held: map[Name]Held{name: {Span: period.Interval{From: 7200, To: 10_801}, GPUs: 4}}}
	m := Resolve(in, policy.Default())
	if len(m) != 1 || m[0].GPUs != 4 || !m[0].InSource || m[0].Life != (period.Interval{From: 7200, To: 10_860}) {
		t.Fatalf("%+v", m)
	}
	// If an exporter watches it, too, both show when it was there, and the devices give the number of GPUs.
	in.Samples = map[Name]period.Interval{name: {From: 7000, To: 8000}}
	in.Devices = map[Name][]ledger.Device{name: {{UUID: "GPU-a", Index: 7, Model: "NVIDIA H100 80GB HBM3"}}}
	m = Resolve(in, policy.Default())
	if len(m) != 1 || m[0].GPUs != 8 || m[0].Life != (period.Interval{From: 7000, To: 10_860}) {
		t.Errorf("%+v", m)
	}
}

func TestStateEventsMayNameAnyKey(t *testing.T) {
	in := Input{
		Facts: []ledger.NodeFact{
			{Cluster: "c", Name: "n", ProviderID: "gce://p/z/n", Created: 1000, FirstSeen: 1000, LastSeen: 5000},
		},
		Events: []ledger.InstanceEvent{{InstanceID: "node/c/n", Kind: ledger.EventState, Detail: "terminated", At: 4000},
			{InstanceID: "gce/p/z/n", Kind: ledger.EventState, Detail: "stopped", At: 3000}},
	}
	if m := Resolve(in, policy.Default()); len(m) != 1 || m[0].Life.To != 3000 || !m[0].Gone {
		t.Errorf("%+v", m)
	}
}
