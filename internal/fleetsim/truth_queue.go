package fleetsim

import (
	"slices"
	"strings"
)

// TruthWaits are the waits in seconds, ascending, of workloads that asked for
// GPUs and held them, by team and cluster (docs/figures.md, 21.1).
func (f *Fleet) TruthWaits() map[[2]string][]int64 {
	out := map[[2]string][]int64{}
	for _, t := range f.truths() {
		for _, h := range t.held {
			if !h.p.asksForGPUs() {
				continue
			}
			k := [2]string{h.team, t.cfg.Cluster}
			out[k] = append(out[k], max(0, h.from-h.p.created))
		}
	}
	for _, waits := range out {
		slices.Sort(waits)
	}
	return out
}

func (p *pod) asksForGPUs() bool {
	return slices.ContainsFunc(p.requests, func(r request) bool { return strings.HasPrefix(r.resource, "nvidia_com_") && r.n > 0 })
}

// Rank is the percentile of values in ascending order by nearest rank; percent
// is above 0.
func Rank(sorted []int64, percent int) int64 {
	return sorted[(len(sorted)*percent+99)/100-1]
}
