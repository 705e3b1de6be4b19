package ledger

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// AskedPerGPU is how many units of Asked a GPU has: ppm of sevenths, so that
// fractions and MIG profiles are exact.
const AskedPerGPU = 7_000_000

// Asked is how many GPUs a workload requested (docs/figures.md, 21.1).
type Asked struct {
	Units    int64 // whole cards, MIG instances and fractions
	Replicas int64 // of shared cards; each is its node's part of a card
	Unknown  bool  // it requested parts of cards whose share of a GPU is unknown
}

// mostAsked of one resource exceeds any fleet: a larger request is a fault of its source and counts as unknown.
const mostAsked = 1 << 32

// inHundredths are resources that a whole card has a hundred of: Tencent's, and Koordinator's for both and for the
// engine alone.
var inHundredths = []string{"tencent_com_vcuda_core", "koordinator_sh_gpu", "koordinator_sh_gpu_core"}

// AskedBy adds up requests, by resource.
func AskedBy(requests map[string]int64) (a Asked) {
	parts := false
	for name, n := range requests {
		parts = parts || n > 0 && SharingResource(name)
		card, ok := AcceleratorOf(name)
		a.Unknown = a.Unknown || n >= mostAsked &&
			(ok || strings.HasPrefix(name, "nvidia_com_") || slices.Contains(inHundredths, name)) ||
			n > 0 && card.Name == "neuron" && card.Of == 0 // cores of a device of unknown model
	}
	if a.Unknown {
		return a
	}
	cards := max(requests[ResourceGPU], 0)
	fraction, of := requests[ResourceGPUFraction], max(requests[ResourceGPUCards], 1)
	cores, hundredths := requests[ResourceGPUCores], int64(0)
	for _, name := range inHundredths {
		hundredths = max(hundredths, requests[name])
	}
	switch {
	case fraction > 0:
		a.Units += AskedPerGPU / 1_000_000 * min(fraction, 1_000_000) * min(of, MaxGPUs)
	case parts && cores > 0: // HAMi takes one card if no number is given
		a.Units += max(cards, 1) * min(cores, 100) * (AskedPerGPU / 100)
	case parts && hundredths > 0:
		a.Units += hundredths * (AskedPerGPU / 100)
	case parts:
		return Asked{Unknown: true}
	default:
		a.Units += cards * AskedPerGPU
	}
	for name, n := range requests {
		if card, ok := AcceleratorOf(name); ok && n > 0 && name != ResourceGPU && name != ResourceGPUShared {
			a.Units += n * AskedPerGPU / max(card.Of, 1)
		}
		if profile, ok := strings.CutPrefix(name, ResourceMIGPrefix); ok && n > 0 {
			a.Units += n * sevenths(profile) * (AskedPerGPU / 7)
		}
	}
	a.Replicas = max(requests[ResourceGPUShared], 0)
	return a
}

// computeOf finds the compute slices in a sanitised profile: 3g_20gb, or 1c_3g_20gb, which has those of its compute
// instance.
var computeOf = regexp.MustCompile(`^([0-9]{1,2})(c_[0-9]+)?g_`)

// sevenths is how many sevenths of a card a profile has; 7 if it does not say.
func sevenths(profile string) int64 {
	if m := computeOf.FindStringSubmatch(profile); m != nil {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			return n
		}
	}
	return 7
}
