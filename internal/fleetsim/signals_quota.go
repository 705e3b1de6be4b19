package fleetsim

import (
	"strconv"

	"gpuledger/internal/fleetsim/world"
)

// Quotas are the GPUs that namespaces may hold at once. Some teams have more than they need, some less than they would
// like.
var Quotas = []struct {
	Team world.Team
	GPUs int64
}{{world.Foundation, 32}, {world.Ranking, 12}, {world.Vision, 8}, {world.Speech, 8}, {world.Research, 4}}

const quotaEvery = 15 // minutes

// quotas writes kube_resourcequota of the teams.
func (k *ksmDay) quotas() {
	k.family("kube_resourcequota", "gauge", "Information about resource quota.")
	for _, q := range Quotas {
		key := func(typ string) []byte {
			return k.seriesKey("kube_resourcequota", "namespace", q.Team.NS, "resourcequota", "gpus", "resource",
				"requests.nvidia.com/gpu", "type", typ)
		}
		k.samples(key("hard"), strconv.FormatInt(q.GPUs, 10), k.w.From, k.w.To, quotaEvery)
		used := key("used")
		for t := world.CeilTo(k.from, world.KSMSecond); t < k.to; t += 60 {
			if (k.live || t/60%quotaEvery == 0) && !world.In(k.w.KSMGaps, t) {
				k.point(used, strconv.FormatInt(requested(k.w, q.Team.NS, t), 10), t, ksmFraction)
			}
		}
	}
}

// requested is the number of GPUs that pods of a namespace request at t.
func requested(w *world.World, ns string, t int64) int64 {
	var sum int64
	for _, p := range w.Pods {
		if p.NS == ns && p.Created <= t && t < p.End {
			for _, r := range p.Requests {
				if r.Resource == "nvidia_com_gpu" {
					sum += r.N
				}
			}
		}
	}
	return sum
}
