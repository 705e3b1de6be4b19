package nvidiasmi

import (
	"slices"

	"gpuledger/internal/catalog/mig"
)

// slicesOfSM are the multiprocessors of one compute slice in the families that
// have MIG: A30 and A100 14, H100 and H200 16, B200 18.
var slicesOfSM = []int{14, 16, 18}

// deriveProfiles names the profiles of a GPU's instances by their resources, since the XML has
// no names. totalMiB is the memory of the device. A profile from a listing is kept.
func deriveProfiles(gpu *GPU, totalMiB int64) {
	card := mig.CardOf(gpu.Model)
	sm := map[int]int{} // per GPU instance, over its compute instances
	for _, in := range gpu.Instances {
		sm[in.GPUInstance] += in.Multiprocessors
	}
	for i := range gpu.Instances {
		in := &gpu.Instances[i]
		if in.Profile != "" || in.MemoryMiB == 0 || totalMiB == 0 {
			continue
		}
		memory := int((in.MemoryMiB*int64(card.Memory) + totalMiB/2) / totalMiB)
		in.Profile = card.ProfileOf(memory, compute(sm[in.GPUInstance], memory))
		in.Derived = in.Profile != ""
	}
}

// compute is the number of compute slices of an instance with this many multiprocessors and
// memory slices. If compute instances leave some of it unused, it is the smallest number that
// fits.
func compute(sm, memory int) int {
	whole := func(n int) bool {
		return slices.ContainsFunc(slicesOfSM, func(each int) bool { return sm == n*each })
	}
	switch {
	case memory >= 8:
		return 7
	case memory == 4 && whole(4):
		return 4
	case memory == 4:
		return 3
	case memory == 2 && whole(2): // 1g.35gb of an H200 has 26, 2g.35gb 32
		return 2
	}
	return 1
}
