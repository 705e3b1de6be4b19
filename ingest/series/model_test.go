package series

import "testing"

func TestModelName(t *testing.T) {
	for in, want := range map[string]string{
		"NVIDIA-A100-SXM4-40GB": "NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB": "NVIDIA A100-SXM4-40GB",
		"NVIDIA-A100-80GB-PCIe": "NVIDIA A100 80GB PCIe", "NVIDIA-H100-80GB-HBM3": "NVIDIA H100 80GB HBM3",
		"nvidia_a10g": "NVIDIA A10G", "Tesla-V100-SXM2-16GB": "Tesla V100-SXM2-16GB", " NVIDIA  L4 ": "NVIDIA L4",
		"NVIDIA-X9": "NVIDIA X9", "NVIDIA X9 Max": "NVIDIA X9 Max", "": "", "NVIDIA-": "NVIDIA-",
	} {
		if got := ModelName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if got := ModelName(ModelName(in)); got != want {
			t.Errorf("%q is not stable", in)
		}
	}
}
