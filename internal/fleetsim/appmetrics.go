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

// The gauges by which trainers report their checkpoints.
const (
	checkpointGauge = "training_last_checkpoint_timestamp_seconds"
	checkpointHelp  = "Unix time of the newest complete checkpoint."
	writingGauge    = "training_last_checkpoint_duration_seconds"
	writingHelp     = "What writing the newest complete checkpoint took."
)

// checkpointText is the gauge's value: real ones are not on the second.
func checkpointText(v int64) string { return fmt.Sprintf("%d.%03d", v, (v*37)%1000) }

// writing is how long the pod took for its checkpoint v, in milliseconds; 0
// where it does not say: some teams' trainers have no such gauge, and what was
// restored was not written by this pod.
func (p *pod) writing(v int64) int64 {
	if p.ns == "speech" || !slices.Contains(p.checkpoints, v) {
		return 0
	}
	return 20_000 + v*7919%90_000
}

func milliSeconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }

func (w *world) checkpointDay(f *textFile, day int64) {
	w.trainerDay(f, day, checkpointGauge, checkpointHelp, func(p *pod, t int64) string {
		if v := p.gaugeAt(t); v != 0 {
			return checkpointText(v)
		}
		return ""
	})
	w.trainerDay(f, day, writingGauge, writingHelp, func(p *pod, t int64) string {
		if ms := p.writing(p.gaugeAt(t)); ms != 0 {
			return milliSeconds(ms)
		}
		return ""
	})
}

// trainerDay writes a gauge of trainers; an empty value is none.
func (w *world) trainerDay(f *textFile, day int64, name, help string, value func(p *pod, t int64) string) {
	f.family(name, "gauge", help)
	to := min(day+86400, w.to)
	byName := slices.Clone(w.pods) // tries of one pod name are one series
	slices.SortStableFunc(byName, func(a, b *pod) int { return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.name, b.name)) })
	for _, p := range byName {
		if p.started >= to || p.end <= day || len(p.checkpoints) == 0 && p.restored == 0 {
			continue
		}
		key := f.seriesKey(name, "namespace", p.ns, "pod", p.name)
		for t := ceilTo(max(p.started, day), checkpointSecond); t < min(p.end, to); t += 60 {
			if v := value(p, t); v != "" {
				f.point(key, v, t, milliText(checkpointMilli))
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
