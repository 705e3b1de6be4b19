package ledger

import "strings"

// Accelerator is the share of a card that one unit of a requested resource is (rule 4.12).
type Accelerator struct {
	// Name distinguishes the cards of one maker from others': resources of one name are different views of the same
	// cards.
	Name string
	// Of is how many units of the resource a card has; 0: as many as the node's capacity implies, that is, as many as
	// share each card.
	Of int64
}

// whole are resources that stand for a whole card, in kube-state-metrics' spelling in lower case. Nodes may offer
// each card of most of them several times.
var whole = map[string]string{
	"nvidia_com_gpu": "nvidia", "nvidia_com_gpu_shared": "nvidia", "nvidia_com_pgpu": "nvidia",
	"amd_com_gpu": "amd", "gpu_intel_com_i915": "i915", "gpu_intel_com_xe": "xe", "habana_ai_gaudi": "gaudi",
	"google_com_tpu":       "tpu",
	"cambricon_com_mlu":    "mlu",
	"hygon_com_dcu":        "dcu",
	"iluvatar_ai_gpu":      "iluvatar",
	"metax_tech_com_gpu":   "metax",
	"mthreads_com_gpu":     "mthreads",
	"kunlunxin_com_xpu":    "kunlunxin",
	"qualcomm_com_qaic":    "qaic",
	"furiosa_ai_rngd":      "rngd",
	"huawei_com_ascend910": "ascend", "huawei_com_ascend310": "ascend", "huawei_com_ascend310p": "ascend",
}

// exact are resources that are the same part of every card, on any node.
var exact = map[string]Accelerator{
	"aws_amazon_com_neuron":       {"neuron", 1},
	"aws_amazon_com_neurondevice": {"neuron", 1},
	"aws_amazon_com_neuroncore":   {"neuron", 0},
}

// partitions of AMD's cards by mode: how many of them a card of most models
// has (MI300A has six of the smallest).
var partitions = map[string]int64{"spx": 1, "dpx": 2, "tpx": 3, "qpx": 4, "cpx": 8}

// AcceleratorOf reports which part of a card a resource stands for, case-insensitive; ok is false for other
// resources. NVIDIA's MIG instances are not included: they are parts by profile.
func AcceleratorOf(resource string) (a Accelerator, ok bool) {
	name := strings.ToLower(resource)
	if maker, ok := whole[name]; ok {
		return Accelerator{maker, 0}, true
	}
	if a, ok := exact[name]; ok {
		return a, true
	}
	if mode, found := strings.CutPrefix(name, "amd_com_"); found {
		mode, memory, _ := strings.Cut(mode, "_")
		if n, known := partitions[mode]; known && (memory == "" || strings.HasPrefix(memory, "nps")) {
			return Accelerator{"amd", n}, true
		}
	}
	return a, false
}

// coresOf is how many cores a Neuron device has by model, if its node does not state it.
var coresOf = map[string]int64{"Inferentia": 4, "Inferentia2": 2, "Trainium": 2, "Trainium2": 8, "Trainium3": 8}

// Replicas converts q of a resource on a node that shares each card of a model in so many replicas; a part of a
// replica counts as one. ok is false for resources that are neither a card nor a part of one.
func Replicas(resource string, q int64, model string, replicas int) (n int64, ok bool) {
	a, ok := AcceleratorOf(resource)
	if !ok {
		return 0, false
	}
	each := int64(max(replicas, 1))
	of := a.Of
	switch {
	case of == 0 && each > 1:
		return q, true
	case of == 0 && a.Name == "neuron":
		of = max(coresOf[model], 1)
	case of == 0:
		of = 1
	case of == 8 && strings.HasPrefix(model, "MI300A"):
		of = 6
	}
	return (q*each + of - 1) / of, true
}

// DeviceResource reports whether a requested resource, as spelled by kube-state-metrics, stands for a card, a part of
// one, or another device of a known maker.
func DeviceResource(resource string) bool {
	name := strings.ToLower(resource)
	for _, prefix := range makers {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	_, ok := AcceleratorOf(name)
	return ok || SharingResource(resource)
}

// makers are the prefixes of requests for devices, which are kept.
var makers = []string{
	"nvidia_com_", "amd_com_", "gpu_intel_com_", "habana_ai_",
	"google_com_tpu", "aws_amazon_com_neuron", "huawei_com_ascend",
}
