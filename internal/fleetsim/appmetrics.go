package fleetsim

import (
	"cmp"
	"fmt"
	"slices"

	"gpuledger/internal/fleetsim/world"
)

// vllmDay writes the counters of the inference servers. Counters start at zero with the pod, so a new pod is a reset.
func vllmDay(w *world.World, f *textFile, day int64) {
	to := min(day+86400, w.To)
	var servers []Server
	for _, p := range w.Pods {
		if p.Model == "" || p.Started >= to || p.End <= day {
			continue
		}
		servers = append(servers, Served(w, p, to))
	}
	vllm(w, f, servers, day)
}

// Server is an inference server in its pod.
type Server struct {
	p    *world.Pod
	Req  []int64 // finished requests per minute of the pod's life
	Life int64
}

// Served counts a server's requests until an instant.
func Served(w *world.World, p *world.Pod, to int64) Server {
	s := Server{p: p, Life: world.CeilTo(p.Started+60, world.VLLMSecond)}
	r := world.NewRNG(w.Config.Seed, 12, uint64(p.Idx))
	var total int64
	for t := s.Life; t < min(p.End, to); t += 60 {
		h := (t % 86400) / 3600
		total += world.DailyShare[h]*p.PeakTokens/400_000 + r.Between(0, 3)
		if p.ResetAt != 0 && t >= p.ResetAt && t < p.ResetAt+60 {
			total = 0
		}
		s.Req = append(s.Req, total)
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

// Writing is how long the pod took to write its checkpoint v, in milliseconds; 0 if unknown: some teams' trainers have
// no such gauge, and a restored checkpoint was not written by this pod.
func Writing(p *world.Pod, v int64) int64 {
	if p.NS == "speech" || !slices.Contains(p.Checkpoints, v) {
		return 0
	}
	return 20_000 + v*7919%90_000
}

func milliSeconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }

func checkpointDay(w *world.World, f *textFile, day int64) {
	trainerDay(w, f, day, checkpointGauge, checkpointHelp, func(p *world.Pod, t int64) string {
		if v := GaugeAt(p, t); v != 0 {
			return checkpointText(v)
		}
		return ""
	})
	trainerDay(w, f, day, writingGauge, writingHelp, func(p *world.Pod, t int64) string {
		if ms := Writing(p, GaugeAt(p, t)); ms != 0 {
			return milliSeconds(ms)
		}
		return ""
	})
}

// trainerDay writes a gauge of trainers; an empty value means no sample.
func trainerDay(w *world.World, f *textFile, day int64, name, help string, value func(p *world.Pod, t int64) string) {
	f.family(name, "gauge", help)
	to := min(day+86400, w.To)
	byName := slices.Clone(w.Pods) // tries of one pod name are one series
	slices.SortStableFunc(byName, func(a, b *world.Pod) int {
		return cmp.Or(cmp.Compare(a.NS, b.NS), cmp.Compare(a.Name, b.Name))
	})
	for _, p := range byName {
		if p.Started >= to || p.End <= day || len(p.Checkpoints) == 0 && p.Restored == 0 {
			continue
		}
		key := f.seriesKey(name, "namespace", p.NS, "pod", p.Name)
		for t := world.CeilTo(max(p.Started, day), world.CheckpointSecond); t < min(p.End, to); t += 60 {
			if v := value(p, t); v != "" {
				f.point(key, v, t, milliText(world.CheckpointMilli))
			}
		}
	}
}

// GaugeAt is the newest checkpoint at t in whole seconds, 0 for none.
func GaugeAt(p *world.Pod, t int64) int64 {
	v := p.Restored
	for _, c := range p.Checkpoints {
		if c <= t {
			v = c
		}
	}
	return v
}
