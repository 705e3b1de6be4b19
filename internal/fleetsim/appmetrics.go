package fleetsim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// vllmDay writes the counters of the inference servers. Counters start at zero
// with the pod, so a new pod is a reset.
func (w *world) vllmDay(f *textFile, day int64) {
	to := min(day+86400, w.to)
	type server struct {
		p    *pod
		req  []int64 // finished requests per minute of the pod's life
		life int64
	}
	var servers []server
	for _, p := range w.pods {
		if p.model == "" || p.started >= to || p.end <= day {
			continue
		}
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
		servers = append(servers, s)
	}
	write := func(family, typ, help, name string, per int64, more ...string) {
		f.family(family, typ, help)
		for _, s := range servers {
			key := f.seriesKey(name, append([]string{"engine", "0", "model_name", s.p.model, "namespace", s.p.ns, "pod", s.p.name}, more...)...)
			for i, v := range s.req {
				t := s.life + int64(i)*60
				if t >= day {
					f.point(key, strconv.FormatInt(v*per+v%7, 10), t, milliText(vllmMilli))
				}
			}
		}
	}
	write("vllm:prompt_tokens", "counter", "Number of prefill tokens processed.", "vllm:prompt_tokens_total", 812)
	write("vllm:generation_tokens", "counter", "Number of generation tokens processed.", "vllm:generation_tokens_total", 236)
	write("vllm:prompt_tokens_cached", "counter", "Number of prompt tokens served from cache.", "vllm:prompt_tokens_cached_total", 190)
	write("vllm:request_success", "counter", "Count of successfully processed requests.", "vllm:request_success_total", 1, "finished_reason", "stop")
}

// checkpointDay writes the gauge by which trainers report their checkpoints.
func (w *world) checkpointDay(f *textFile, day int64) {
	const name = "training_last_checkpoint_timestamp_seconds"
	f.family(name, "gauge", "Unix time of the newest complete checkpoint.")
	to := min(day+86400, w.to)
	byName := slices.Clone(w.pods) // tries of one pod name are one series
	slices.SortStableFunc(byName, func(a, b *pod) int { return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.name, b.name)) })
	for _, p := range byName {
		if p.started >= to || p.end <= day || len(p.checkpoints) == 0 && p.restored == 0 {
			continue
		}
		key := f.seriesKey(name, "namespace", p.ns, "pod", p.name)
		for t := ceilTo(max(p.started, day), checkpointSecond); t < min(p.end, to); t += 60 {
			if v := p.gaugeAt(t); v != 0 {
				f.point(key, fmt.Sprintf("%d.%03d", v, (v*37)%1000), t, milliText(checkpointMilli))
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
