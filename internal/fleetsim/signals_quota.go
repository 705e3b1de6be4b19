package fleetsim

import "strconv"

// quotas are what namespaces may hold of GPUs at once. Some teams have more
// than they need, some less than they would like.
var quotas = []struct {
	team team
	gpus int64
}{{foundation, 32}, {ranking, 12}, {vision, 8}, {speech, 8}, {research, 4}}

const quotaEvery = 15 // minutes

// quotas writes kube_resourcequota of the teams.
func (k *ksmDay) quotas() {
	k.family("kube_resourcequota", "gauge", "Information about resource quota.")
	for _, q := range quotas {
		key := func(typ string) []byte {
			return k.seriesKey("kube_resourcequota", "namespace", q.team.ns, "resourcequota", "gpus", "resource", "requests.nvidia.com/gpu", "type", typ)
		}
		k.samples(key("hard"), strconv.FormatInt(q.gpus, 10), k.w.from, k.w.to, quotaEvery)
		used := key("used")
		for t := ceilTo(k.from, ksmSecond); t < k.to; t += 60 {
			if (k.live || t/60%quotaEvery == 0) && !in(k.w.ksmGaps, t) {
				k.point(used, strconv.FormatInt(k.w.requested(q.team.ns, t), 10), t, ksmFraction)
			}
		}
	}
}

// requested is the number of GPUs that pods of a namespace ask for at t.
func (w *world) requested(ns string, t int64) int64 {
	var sum int64
	for _, p := range w.pods {
		if p.ns == ns && p.created <= t && t < p.end {
			for _, r := range p.requests {
				if r.resource == "nvidia_com_gpu" {
					sum += r.n
				}
			}
		}
	}
	return sum
}
