package figures_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

// A machine lacks a taint for GPUs only if taints of its cluster are known, from any machine.
func TestMachinesWithoutTaint(t *testing.T) {
	type taints map[string]map[string]string // machine → taint → effect
	for _, c := range []struct {
		name string
		said taints
		want string
	}{
		{"nothing is told", nil, ""},
		{"one has the taint", taints{"a": {"nvidia.com/gpu": "NoSchedule"}}, "b"},
		{"all have it", taints{"a": {"nvidia.com/gpu": "NoSchedule"}, "b": {"example.com/gpu-pool": "NoExecute"}}, ""},
		{"none has it", taints{"a": {}, "b": {}}, "a b"},
		{"others have others", taints{"a": {"dedicated": "NoSchedule"}, "b": {"nvidia.com/gpu": "PreferNoSchedule"}}, "a b"},
		{
			"a machine without GPUs tells of its own",
			taints{"control": {"node-role.kubernetes.io/control-plane": "NoSchedule"}}, "a b",
		},
		{"another cluster tells of its own", taints{"else/a": {"nvidia.com/gpu": "NoSchedule"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := storetest.New(t)
			w, _ := storetest.SmallWorld()
			storetest.SaveWorld(t, s, w)
			var told ledger.Telemetry
			for _, name := range slices.Sorted(maps.Keys(c.said)) {
				cluster, node, found := strings.Cut(name, "/")
				if !found {
					cluster, node = "c", name
				}
				attrs := map[string]string{}
				for key, effect := range c.said[name] {
					attrs["taint/"+key] = effect
				}
				told.Objects = append(told.Objects, ledger.ObjectFact{
					Cluster: cluster, Kind: "NodeTaints", Name: node, Attrs: attrs, AttrsAt: 1,
				})
			}
			storetest.PublishTelemetry(t, s, &told)
			machines, err := s.MachineFacts(t.Context(), period.Interval{From: storetest.At(0, 0), To: storetest.At(5, 0)})
			if err != nil {
				t.Fatal(err)
			}
			var bare []string
			for i := range machines {
				if machines[i].Bare {
					bare = append(bare, strings.TrimPrefix(machines[i].Subject, "c/"))
				}
			}
			slices.Sort(bare)
			if got := strings.Join(bare, " "); len(machines) != 2 || got != c.want {
				t.Errorf("without taint: %q of %d machines, want %q of 2", got, len(machines), c.want)
			}
		})
	}
}
