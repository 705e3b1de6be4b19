package allocation

import (
	"gpuledger/allocation/policy"
	"gpuledger/internal/catalog/mig"
)

// measure is the measure that MIG slices are weighed by (rule 3.4).
func (n *NodeEngine) measure() mig.Measure {
	switch n.policy.MIG {
	case policy.ComputeOnly:
		return mig.Compute
	case policy.MemoryOnly:
		return mig.Memory
	case policy.Blended:
		return mig.Blend(n.policy.MIGComputePPM)
	}
	return mig.Dominant
}
