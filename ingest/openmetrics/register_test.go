package openmetrics

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// A scheduler's register of cards gives the same facts through kube-state-metrics as from the
// node's own annotations.
func TestRegistersOfCardsThroughKubeStateMetrics(t *testing.T) {
	const t0 = 1790000000
	card := func(id string, index int32, model string, mig bool, first, last int64) ledger.DeviceFact {
		return ledger.DeviceFact{
			Cluster: "default", Node: "n", UUID: id, Index: index, Model: model, InMIG: mig, Registered: true,
			First: 1790000000 + period.Second(first), Last: 1790000000 + period.Second(last),
		}
	}
	series := func(labels string, at int) string {
		return fmt.Sprintf("kube_node_annotations{node=\"n\",%s} 1 %d\n", labels, t0+at)
	}
	const two = `annotation_hami_io_node_nvidia_register="GPU-a,10,32768,100,NVIDIA-Tesla V100,0,true,0,hami-core:GPU-b,10,32768,100,NVIDIA-Tesla V100,0,true,1,mig:"`
	for name, c := range map[string]struct {
		text string
		want []ledger.DeviceFact
	}{
		"two cards, one of them cut": {
			series(two, 0) + series(two, 60),
			[]ledger.DeviceFact{card("GPU-a", 0, "Tesla V100", false, 0, 60), card("GPU-b", 1, "Tesla V100", true, 0, 60)},
		},
		"a card that is registered twice": {series(`annotation_volcano_sh_node_vgpu_register="GPU-a,10,32768,NVIDIA A10,true:GPU-a,10,32768,NVIDIA A10,true:"`, 0),
			[]ledger.DeviceFact{card("GPU-a", 0, "NVIDIA A10", false, 0, 0)}},
		"beside the number of a machine of Google's": {series(`annotation_container_googleapis_com_instance_id="7",`+two, 30),
			[]ledger.DeviceFact{card("GPU-a", 0, "Tesla V100", false, 30, 30), card("GPU-b", 1, "Tesla V100", true, 30, 30)}},
		"another annotation": {series(`annotation_volcano_sh_other="GPU-a,10,32768,NVIDIA A10,true"`, 0), nil},
		"no register":        {series(`annotation_hami_io_node_nvidia_register="none"`, 0), nil},
	} {
		x, _ := parse(t, c.text+"# EOF\n", Options{})
		if d := gocmp.Diff(c.want, x.Devices); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if len(x.Nodes) > 0 {
			t.Errorf("%s: a node of no samples: %+v", name, x.Nodes)
		}
	}
}
