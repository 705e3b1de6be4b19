package openmetrics

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// TestDeviceTimeIsWallTime is T12 from text to ledger: an hour of one node whose exporter
// reports everything twice. Every device-second counts once, whichever pod holds it.
func TestDeviceTimeIsWallTime(t *testing.T) {
	const hour = period.Second(1_793_664_000 + 10*3600) // 10:00 of 3 November 2026
	var text strings.Builder
	row := func(minute int, name, labels string, value any) {
		fmt.Fprintf(&text, "%s{%s,Hostname=\"n1\",modelName=\"NVIDIA A100-SXM4-40GB\"} %v %d\n", name, labels, value,
			int64(hour)+int64(minute)*60+15)
	}
	const own = `,namespace="gpu-operator",pod="nvidia-dcgm-exporter-x2x2x",job="nvidia-dcgm-exporter"`
	for m := range 60 {
		// Time slicing without a row per pod: any one of them counts.
		sharing := fmt.Sprintf(`gpu="0",UUID="GPU-0",exported_namespace="ns",exported_pod="share-%d"`, m%2) + own
		row(m, "DCGM_FI_DEV_GPU_UTIL", sharing, 80)
		row(m, "DCGM_FI_DEV_POWER_USAGE", sharing, 300)
		// The device and its instances; the parent's values on all of them.
		for _, labels := range []string{
			`gpu="1",UUID="GPU-1"` + own,
			`gpu="1",UUID="GPU-1",GPU_I_ID="1",GPU_I_PROFILE="3g.20gb",exported_namespace="ns",exported_pod="mig"` + own,
			`gpu="1",UUID="GPU-1",GPU_I_ID="2",GPU_I_PROFILE="3g.20gb"` + own,
		} {
			row(m, "DCGM_FI_PROF_GR_ENGINE_ACTIVE", labels, 0.5)
			row(m, "DCGM_FI_DEV_POWER_USAGE", labels, 200)
		}
		// Busy, without a holder: the exporter's own pod is not a holder.
		row(m, "DCGM_FI_PROF_GR_ENGINE_ACTIVE", `gpu="2",UUID="GPU-2"`+own, 0.9)
		// A silent exporter holds nothing and invents nothing.
		if m < 30 {
			row(m, "DCGM_FI_DEV_GPU_UTIL", `gpu="3",UUID="GPU-3"`+own, 0)
		}
		fmt.Fprintf(&text, "kube_node_info{node=\"n1\",provider_id=\"aws:///z/i-1\"} 1 %d\n", int64(hour)+int64(m)*60+15)
	}
	x, st := parse(t, text.String()+"# EOF\n", Options{Cluster: "c"})
	if st.Rejected != 0 || st.Absent != 0 || st.Ignored != 0 {
		t.Fatalf("%+v", st)
	}

	life := period.Interval{From: hour, To: hour + period.Hour}
	in := allocation.NodeInput{
		Node: ledger.Node{
			ID: ledger.NodeID("c", "n1", "i-1"), Cluster: "c", Name: "n1",
			InstanceID: "i-1", GPUs: 4, Replicas: 1, Life: life, InSource: true,
		},
		Evidence: x.Evidence,
	}
	for i := range 4 {
		in.Devices = append(in.Devices, ledger.Device{
			UUID: fmt.Sprintf("GPU-%d", i), Index: int32(i), Model: "NVIDIA A100-SXM4-40GB", First: hour, Last: hour,
		})
	}
	for _, s := range x.Samples {
		in.Slices = append(in.Slices, allocation.SliceSeen{
			Device: s.Device, SliceID: s.SliceID, Profile: s.Profile, First: s.Hour, Last: s.Hour,
		})
	}
	pods := map[ledger.ID]string{}
	for name, requests := range map[string]map[string]int64{
		"share-0": {"nvidia_com_gpu": 1}, "share-1": {"nvidia_com_gpu": 1}, "mig": {"nvidia_com_mig_3g_20gb": 1},
	} {
		w := ledger.Workload{ID: ledger.NewID("workload", "c", name), Cluster: "c", Namespace: "ns", Name: name, UID: name,
			Kind:  "Pod",
			Class: ledger.ClassInteractive, NodeID: in.Node.ID, Hold: life}
		pods[w.ID] = name
		in.Workloads = append(in.Workloads, allocation.HeldWorkload{Workload: w, Requests: requests})
	}
	node, err := allocation.NewNode(in, policy.Default())
	if err != nil {
		t.Fatal(err)
	}
	chunk, err := node.Day(allocation.DayInput{
		Day: period.DayOf(hour), Samples: x.Samples, Sources: x.Sources, CoveredUntil: hour - period.Day,
	})
	if err != nil {
		t.Fatal(err)
	}
	total, held, perSlot, unowned := new(big.Rat), map[string]*big.Rat{}, map[int32]*big.Rat{}, new(big.Rat)
	for _, u := range chunk.Usage {
		if u.Hour != hour {
			continue
		}
		total.Add(total, u.Weight)
		if perSlot[u.Slot] == nil {
			perSlot[u.Slot] = new(big.Rat)
		}
		perSlot[u.Slot].Add(perSlot[u.Slot], u.Weight)
		if name := pods[u.WorkloadID]; name != "" {
			if held[name] == nil {
				held[name] = new(big.Rat)
			}
			held[name].Add(held[name], u.Weight)
		} else if u.Slot == 2 && u.Cause == ledger.Used {
			unowned.Add(unowned, u.Weight)
		}
	}
	if want := big.NewRat(4*3600, 1); total.Cmp(want) != 0 {
		t.Errorf("%s device-seconds in an hour of four GPUs", total.RatString())
	}
	for slot, seconds := range perSlot {
		if seconds.Cmp(big.NewRat(3600, 1)) != 0 {
			t.Errorf("slot %d has %s seconds", slot, seconds.RatString())
		}
	}
	for name, want := range map[string]*big.Rat{
		"share-0": big.NewRat(1800, 1), "share-1": big.NewRat(1800, 1), "mig": big.NewRat(1800, 1),
	} {
		if held[name] == nil || held[name].Cmp(want) != 0 {
			t.Errorf("%s holds %v seconds, want %s", name, held[name], want.RatString())
		}
	}
	if unowned.Cmp(big.NewRat(3600, 1)) != 0 {
		t.Errorf("%s seconds of the busy GPU that nobody is named on are used by somebody unknown", unowned.RatString())
	}
}
