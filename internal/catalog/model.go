package catalog

import (
	"math/big"
	"slices"
	"strings"
)

// models maps words in a device's name to the short model name, most specific
// first. Every word of a row must occur in the name.
var models = []struct {
	model    string
	words    []string
	platform platform
}{
	{"GB200", []string{"gb200"}, cudaOnArm},
	{"B300", []string{"b300"}, cuda},
	{"B200", []string{"b200"}, cuda},
	{"H200", []string{"h200"}, cuda},
	{"H100 NVL", []string{"h100", "nvl"}, cuda},
	{"H100", []string{"h100"}, cuda},
	{"A100 80GB", []string{"a100", "80gb"}, cuda},
	{"A100 40GB", []string{"a100"}, cuda},
	{"V100 32GB", []string{"v100", "32gb"}, oldCUDA},
	{"V100 16GB", []string{"v100"}, oldCUDA},
	{"L40S", []string{"l40s"}, cuda},
	{"L40", []string{"l40"}, cuda},
	{"L4", []string{"l4"}, cuda},
	{"A30", []string{"a30"}, cuda},
	{"A10G", []string{"a10g"}, cuda},
	{"A10", []string{"a10"}, cuda},
	{"T4G", []string{"t4g"}, cudaOnArm},
	{"T4", []string{"t4"}, cuda},
	{"M60", []string{"m60"}, oldCUDA},
	{"RTX PRO 6000 Server", []string{"rtx", "pro", "6000"}, cuda},
	{"RTX PRO 4500", []string{"rtx", "pro", "4500"}, cuda},
	{"MI300X", []string{"mi300x"}, rocm},
	{"MI25", []string{"mi25"}, rocm},
	{"Radeon Pro V520", []string{"v520"}, rocm},
}

// Model returns the short model name of a device as an exporter or a node label names it ("NVIDIA A100-SXM4-40GB",
// "NVIDIA-H100-80GB-HBM3", "Tesla-T4-SHARED", "A100-SXM4-40GB-MIG-1g.5gb"). A name that is not in the table comes back
// without vendor prefix, otherwise unchanged.
func Model(device string) string {
	name := strings.TrimSpace(device)
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == ' ' || r == '-' || r == '_' || r == '/'
	})
	if i := slices.Index(words, "mig"); i >= 0 {
		words = words[:i] // the slice's memory is not the card's
	}
	for _, m := range models {
		if containsAll(words, m.words) {
			return m.model
		}
	}
	if rest, ok := strings.CutPrefix(name, "NVIDIA "); ok {
		return rest
	}
	return name
}

func containsAll(words, wanted []string) bool {
	for _, w := range wanted {
		if !slices.Contains(words, w) {
			return false
		}
	}
	return true
}

// ModelMemory is the memory in MiB that every whole GPU of a model has at least, by the machines of the catalogue; 0 if
// unknown.
func ModelMemory(model string) (least int64) {
	types, err := Types()
	if err != nil || model == "" {
		return 0
	}
	one := big.NewRat(1, 1)
	for _, t := range types {
		if t.GPUModel == model && t.MemoryMiB > 0 && t.GPUs.Cmp(one) >= 0 && (least == 0 || t.MemoryMiB < least) {
			least = t.MemoryMiB
		}
	}
	return least
}
