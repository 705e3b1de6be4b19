package allocation

import (
	"fmt"
	"maps"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"

	"pgregory.net/rapid"
)

// anyPolicy draws the standard half of the time, else any mix of settings.
func anyPolicy(t *rapid.T) policy.Policy {
	p := policy.Default()
	if rapid.Bool().Draw(t, "standard policy") {
		return p
	}
	p.IdleKind = rapid.SampledFrom([]policy.IdleKind{policy.Consecutive, policy.RollingMean}).Draw(t, "idle kind")
	p.IdleMinutes = rapid.SampledFrom([]int64{1, 15, 120, 360}).Draw(t, "idle minutes")
	p.IdleThresholdPPM = rapid.SampledFrom([]int64{0, 50_000, 100_000, 300_000, 1_000_000}).Draw(t, "idle threshold")
	p.IdleSignal = rapid.SampledFrom([]policy.Signal{
		policy.BestSignal, policy.BestSignal, policy.SMActive, policy.Tensor,
	}).Draw(t, "idle signal")
	p.OverheadLimit = rapid.SampledFrom([]int64{0, 1800, 3600}).Draw(t, "overhead limit")
	p.MIG = rapid.SampledFrom([]policy.MIGWeight{
		policy.DominantShare, policy.ComputeOnly, policy.MemoryOnly, policy.Blended,
	}).Draw(t, "MIG weight")
	p.MIGComputePPM = rapid.SampledFrom([]int64{0, 250_000, 333_333, 1_000_000}).Draw(t, "compute")
	p.CardSharing = rapid.SampledFrom([]policy.CardSharing{policy.GivenShares, policy.EqualShares}).Draw(t, "card sharing")
	p.HostTo = rapid.SampledFrom([]policy.HostTo{policy.HostToHolders, policy.HostToRequests}).Draw(t, "host to")
	p.Split = rapid.SampledFrom([]policy.Split{policy.GPUWhole, policy.AWSSplit, {GPU: 7, CPU: 1}}).Draw(t, "split")
	return p
}

// withPolicies adds to a story the facts that only policies other than the standard use.
func withPolicies(t *rapid.T, s *story) {
	s.policy = anyPolicy(t)
	s.node.Node.InstanceType = rapid.SampledFrom([]string{"", "p3.16xlarge"}).Draw(t, "instance type")
	for i := range s.node.Workloads {
		w := &s.node.Workloads[i]
		w.Requests[ledger.ResourceCPU] = rapid.Int64Range(0, 30_000).Draw(t, "millicores")
		if rapid.IntRange(0, 3).Draw(t, "compute instance") == 0 {
			w.Requests[fmt.Sprintf("nvidia_com_mig_%dc_3g_20gb", rapid.IntRange(1, 4).Draw(t, "compute slices"))] = 1
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.rows)) {
		row := s.rows[key]
		if v, ok := row.Vectors[ledger.SignalGrEngine]; ok && rapid.Bool().Draw(t, "other signals of "+key) {
			v.Known &= rapid.Uint64().Draw(t, "minutes")
			for m := range v.Value {
				if v.Known>>m&1 == 0 {
					v.Value[m] = 0
				}
			}
			row.Vectors[ledger.SignalTensor] = v
			row.Vectors[ledger.SignalSM] = row.Vectors[ledger.SignalGrEngine]
		}
		if row.SliceID != ledger.WholeDevice {
			s.node.Slices = append(s.node.Slices, SliceSeen{
				Device: row.Device, SliceID: row.SliceID, Profile: row.Profile, First: row.Hour, Last: row.Hour,
			})
		}
	}
}
