package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// QuotaKey names a quota of a namespace.
type QuotaKey struct{ Cluster, Namespace, Resource string }

// Quota is a quota and its namespace's use, in devices and device-hours.
type Quota struct {
	Quota      *big.Rat
	QuotaHours *big.Rat
	Held       *big.Rat
}

// Quotas computes fair shares (docs/figures.md, 21.2). All quotas of the simulator are ResourceQuotas of whole GPUs.
func Quotas(f *fleetsim.Fleet) map[QuotaKey]*Quota {
	out := map[QuotaKey]*Quota{}
	for _, t := range truths(f) {
		if t.Site.Slurm { // has no namespaces
			continue
		}
		hours := t.usageHours()
		for _, q := range fleetsim.Quotas {
			quota := big.NewRat(q.GPUs, 1)
			out[QuotaKey{t.Config.Cluster, q.Team.NS, "nvidia_com_gpu"}] = &Quota{
				quota, new(big.Rat).Mul(quota, big.NewRat(hours, 1)), new(big.Rat),
			}
		}
		namespaces := map[string]string{}
		for _, h := range t.held {
			namespaces[h.p.UID] = h.p.NS
		}
		for i := range t.out.Usage {
			u := &t.out.Usage[i]
			if q := out[QuotaKey{t.Config.Cluster, namespaces[u.PodUID], "nvidia_com_gpu"}]; q != nil &&
				u.Slice == world.WholeDevice {
				q.Held.Add(q.Held, u.GPUHours)
			}
		}
	}
	return out
}

// usageHours is the number of hours from the first to the last of the cluster's usage.
func (t *truth) usageHours() int64 {
	if len(t.out.Usage) == 0 {
		return 0
	}
	first, last := t.out.Usage[0].Hour, t.out.Usage[0].Hour
	for i := range t.out.Usage {
		first, last = min(first, t.out.Usage[i].Hour), max(last, t.out.Usage[i].Hour)
	}
	return (last-first)/3600 + 1
}
