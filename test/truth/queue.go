package truth

import (
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// Waits are the waits in seconds, ascending, of workloads that requested GPUs and held them, by team and cluster
// (docs/figures.md, 21.1).
func Waits(f *fleetsim.Fleet) map[[2]string][]int64 {
	out := map[[2]string][]int64{}
	for _, t := range truths(f) {
		for _, h := range t.held {
			if !asksForGPUs(h.p) {
				continue
			}
			k := [2]string{h.team, t.Config.Cluster}
			out[k] = append(out[k], max(0, h.from-h.p.Created))
		}
	}
	for _, waits := range out {
		slices.Sort(waits)
	}
	return out
}

func asksForGPUs(p *world.Pod) bool {
	return slices.ContainsFunc(p.Requests, func(r world.Request) bool {
		return strings.HasPrefix(r.Resource, "nvidia_com_") && r.N > 0
	})
}

// Rank is the percentile of values in ascending order by nearest rank; percent
// is above 0.
func Rank(sorted []int64, percent int) int64 {
	return sorted[(len(sorted)*percent+99)/100-1]
}
