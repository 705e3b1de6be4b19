package spot

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func TestInterruptions(t *testing.T) {
	const gone = period.Second(1_800_000_030)
	warning := func(key string, before period.Second) ledger.InstanceEvent {
		return ledger.InstanceEvent{InstanceID: key, Kind: ledger.EventInterruption, At: gone - before}
	}
	ends := func(key string, at period.Second) ledger.InstanceEvent {
		return ledger.InstanceEvent{InstanceID: key, Kind: ledger.EventState, Detail: "terminated", At: at}
	}
	aws := Machine{
		Node: ledger.NewID("a"), Cluster: "prod", Name: "n1",
		ProviderID: "aws:///us-east-1a/i-1", InstanceID: "i-1", GoneAt: gone,
	}
	gce := Machine{
		Node: ledger.NewID("g"), Cluster: "prod", Name: "n2",
		ProviderID: "gce://p/us-central1-a/n2", InstanceID: "gce/77", GoneAt: gone,
	}
	azure := Machine{Node: ledger.NewID("z"), Cluster: "prod", Name: "set000001",
		ProviderID: "azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/set/virtualMachines/1", GoneAt: gone}
	billed := Machine{Node: ledger.NewID("b"), InstanceID: "i-9"}
	later, silence := map[string]period.Second{"prod": gone + 90}, map[string]period.Second{"prod": gone - 30}
	for name, c := range map[string]struct {
		facts Facts
		want  []Interruption
	}{
		"warned and ended": {
			Facts{[]Machine{aws}, []ledger.InstanceEvent{warning("i-1", 120), ends("i-1", gone)}, silence},
			[]Interruption{{aws.Node, gone, gone - 120}},
		},
		"ended without a warning": {Facts{[]Machine{aws}, []ledger.InstanceEvent{ends("i-1", gone)}, later}, nil},
		"a warning long before": {
			Facts{[]Machine{aws}, []ledger.InstanceEvent{warning("i-1", 601), ends("i-1", gone)}, later}, nil,
		},
		"the last of two warnings": {
			Facts{[]Machine{aws}, []ledger.InstanceEvent{warning("i-1", 500), warning("i-1", 100)}, later},
			[]Interruption{{aws.Node, gone, gone - 100}},
		},
		"the data stop after a warning": {Facts{[]Machine{aws}, []ledger.InstanceEvent{warning("i-1", 100)}, silence}, nil},
		"a warning after its end":       {Facts{[]Machine{aws}, []ledger.InstanceEvent{warning("i-1", -5)}, later}, nil},
		"a rebalance is nothing": {
			Facts{
				[]Machine{aws}, []ledger.InstanceEvent{{InstanceID: "i-1", Kind: ledger.EventRebalance, At: gone - 60}}, later,
			}, nil,
		},
		"Google, by numeric id": {
			Facts{[]Machine{gce}, []ledger.InstanceEvent{warning("gce/77", 30)}, later},
			[]Interruption{{gce.Node, gone, gone - 30}},
		},
		"Google, by name": {
			Facts{[]Machine{gce}, []ledger.InstanceEvent{warning(ledger.GoogleNameKey("p", "us-central1-a", "n2"), 30)}, later},
			[]Interruption{{gce.Node, gone, gone - 30}},
		},
		"Azure, as scheduled events": {
			Facts{[]Machine{azure}, []ledger.InstanceEvent{warning(ledger.AzureVMKey("set_1"), 30)}, later},
			[]Interruption{{azure.Node, gone, gone - 30}},
		},
		"only ever billed": {Facts{[]Machine{billed}, []ledger.InstanceEvent{warning("i-9", 30)}, later}, nil},
		"nothing at all":   {},
	} {
		if diff := cmp.Diff(c.want, Interruptions(c.facts, 600)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
