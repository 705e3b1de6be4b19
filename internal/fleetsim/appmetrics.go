package fleetsim

import (
	"cmp"
	"fmt"
	"slices"
)

// vllmDay writes the counters of the inference servers. Counters start at zero
// with the pod, so a new pod is a reset.
func (w *world) vllmDay(f *textFile, day int64) {
	to := min(day+86400, w.to)
	var servers []server
	for _, p := range w.pods {
		if p.model == "" || p.started >= to || p.end <= day {
			continue
		}
		servers = append(servers, w.served(p, to))
	}
	w.vllm(f, servers, day)
}

// server is an inference server in its pod.
type server struct {
	p    *pod
	req  []int64 // finished requests per minute of the pod's life
	life int64
}

// served counts a server's requests until an instant.
func (w *world) served(p *pod, to int64) server {
	s := server{p: p, life: ceilTo(p.started+60, vllmSecond)}
	r := newRNG(w.cfg.Seed, 12, uint64(p.idx))
	var total int64
	for t := s.life; t < min(p.end, to); t += 60 {
		h := (t % 86400) / 3600
		total += dailyShare[h]*p.peakTokens/400_000 + r.between(0, 3)
		if p.resetAt != 0 && t >= p.resetAt && t < p.resetAt+60 {
			total = 0
		}
		s.req = append(s.req, total)
	}
	return s
}

// The gauge by which trainers report their checkpoints.
const (
	checkpointGauge = "training_last_checkpoint_timestamp_seconds"
	checkpointHelp  = "Unix time of the newest complete checkpoint."
)

// checkpointText is the gauge's value: real ones are not on the second.
func checkpointText(v int64) string { return fmt.Sprintf("%d.%03d", v, (v*37)%1000) }

func (w *world) checkpointDay(f *textFile, day int64) {
	f.family(checkpointGauge, "gauge", checkpointHelp)
	to := min(day+86400, w.to)
	byName := slices.Clone(w.pods) // tries of one pod name are one series
	slices.SortStableFunc(byName, func(a, b *pod) int { return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.name, b.name)) })
	for _, p := range byName {
		if p.started >= to || p.end <= day || len(p.checkpoints) == 0 && p.restored == 0 {
			continue
		}
		key := f.seriesKey(checkpointGauge, "namespace", p.ns, "pod", p.name)
		for t := ceilTo(max(p.started, day), checkpointSecond); t < min(p.end, to); t += 60 {
			if v := p.gaugeAt(t); v != 0 {
				f.point(key, checkpointText(v), t, milliText(checkpointMilli))
			}
		}
	}
}

// gaugeAt is the newest checkpoint at t in whole seconds, 0 for none.
func (p *pod) gaugeAt(t int64) int64 {
	v := p.restored
	for _, c := range p.checkpoints {
		if c <= t {
			v = c
		}
	}
	return v
}
