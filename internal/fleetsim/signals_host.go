package fleetsim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"gpuledger/internal/fleetsim/world"
)

// CPU and memory of machines and containers: a recording rule over node_exporter every five minutes, cAdvisor's
// counters of GPU pods every ten.
const (
	HostSecond, hostMilli = 17, 640
	hostCPU               = "instance:node_cpu_utilisation:rate1m"
	hostCPUHelp           = "Share of the machine's CPU time that is not idle."
	containerCPU          = "container_cpu_usage_seconds"
	containerCPUHelp      = "Cumulative cpu time consumed in seconds."
	containerMemory       = "container_memory_working_set_bytes"
	containerMemoryHelp   = "Current working set in bytes."
)

// HostCPUAt is the share of a machine's CPU that is busy, in 1/10000.
func HostCPUAt(w *world.World, n *world.Node, t int64) int32 {
	r := world.NewRNG(w.Config.Seed, 62, uint64(n.Idx), uint64(t/300))
	base := world.NewRNG(w.Config.Seed, 63, uint64(n.Idx), uint64(t/3600)).Between(600, 3600)
	for _, s := range n.CPUFull {
		if s.Has(t) {
			base = s.Level
		}
	}
	return int32(min(10_000, base+r.Between(-150, 150)))
}

// HostTold reports whether the machine's sample of a minute exists. It is never the only sign of life:
// kube-state-metrics report the node in the same minute.
func HostTold(w *world.World, n *world.Node, t int64) bool {
	seen := t/60*60 + world.KSMSecond
	return n.Joined && seen >= n.Created && seen < NodeKubeEnd(w, n) && t < n.Until(w) && t >= n.Created &&
		!world.In(w.KSMGaps, seen)
}

// hostDay writes a day of all machines and the GPU pods on them.
func hostDay(w *world.World, f *textFile, day int64) {
	hosts(w, f, w.Nodes, w.Pods, day, min(day+86400, w.To))
}

func hosts(w *world.World, f *textFile, nodes []*world.Node, pods []*world.Pod, from, to int64) {
	f.family(hostCPU, "gauge", hostCPUHelp)
	for _, n := range nodes {
		key := f.seriesKey(hostCPU, "node", n.Name)
		for t := world.CeilTo(from, HostSecond); t < to; t += 60 {
			if (t/60+int64(n.Idx))%EveryFive == 0 && HostTold(w, n, t) {
				f.point(key, string(appendRatio(nil, HostCPUAt(w, n, t))), t, milliText(hostMilli))
			}
		}
	}
	series := func(p *world.Pod, name string, value func(t int64) string) {
		labels := []string{"container", p.Container}
		if !f.live {
			labels = append(labels, "node", p.Node.Name)
		}
		key := f.seriesKey(name, append(labels, "namespace", p.NS, "pod", p.Name)...)
		for t := world.CeilTo(max(from, p.Started), HostSecond); t < min(to, p.End); t += 60 {
			if (t/60+int64(p.Node.Idx))%EveryTen == 0 && HostTold(w, p.Node, t) {
				f.point(key, value(t), t, milliText(hostMilli))
			}
		}
	}
	byName := TellingPods(pods)
	f.family(containerCPU, "counter", containerCPUHelp)
	for _, p := range byName {
		series(p, containerCPU+"_total", func(t int64) string { return string(appendThousandths(nil, CPUMillis(w, p, t))) })
	}
	f.family(containerMemory, "gauge", containerMemoryHelp)
	for _, p := range byName {
		series(p, containerMemory, func(t int64) string { return strconv.FormatInt(WorkingSet(w, p, t), 10) })
	}
}

// TellingPods are the pods on GPUs whose containers have series. Tries of one name on one machine are one series.
func TellingPods(pods []*world.Pod) []*world.Pod {
	var out []*world.Pod
	for _, p := range pods {
		if len(p.Slots) > 0 {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b *world.Pod) int {
		return cmp.Or(cmp.Compare(a.NS, b.NS), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Node.Idx, b.Node.Idx),
			cmp.Compare(a.Started, b.Started))
	})
	return out
}

// CPURequest is the pod's request in cores.
func CPURequest(p *world.Pod) int64 {
	for _, r := range p.Requests {
		if r.Resource == "cpu" {
			return r.N
		}
	}
	return 0
}

// MemoryRequest of pods that request CPU and GPUs: four GiB a core.
func MemoryRequest(p *world.Pod) int64 {
	if len(p.Slots) == 0 {
		return 0
	}
	return CPURequest(p) * 4 << 30
}

// habit is the share of its requests that a workload uses, in percent: some request far more than they need, some too
// little.
func habit(w *world.World, p *world.Pod, what uint64) int64 {
	r := world.NewRNG(w.Config.Seed, 64, what, world.WordHash(p.NS+"/"+p.RootKind+"/"+p.RootName))
	return world.Pick(r, []int64{12, 18, 25, 40, 55, 70, 85, 105})
}

// millicores is the use of a pod's container in an hour.
func millicores(w *world.World, p *world.Pod, hour int64) int64 {
	r := world.NewRNG(w.Config.Seed, 65, uint64(p.Idx), uint64(hour))
	return CPURequest(p) * 10 * habit(w, p, 0) * r.Between(60, 120) / 100
}

// CPUMillis is its CPU time until t in thousandths of a second.
func CPUMillis(w *world.World, p *world.Pod, t int64) int64 {
	var sum int64
	for at := p.Started; at < t; {
		next := min(t, at/3600*3600+3600)
		sum += (next - at) * millicores(w, p, at/3600)
		at = next
	}
	return sum
}

// WorkingSet grows from a third to its usual share of the request.
func WorkingSet(w *world.World, p *world.Pod, t int64) int64 {
	usual := MemoryRequest(p) / 100 * min(98, habit(w, p, 1))
	grown := min(3600, t-p.Started)
	return usual/3 + usual*2/3*grown/3600 +
		int64(world.NewRNG(w.Config.Seed, 66, uint64(p.Idx), uint64(t/600)).Next()%(1<<24))
}

// taintSeries are part of kube-state-metrics.
func (k *ksmDay) taintSeries() {
	k.eachNode("kube_node_spec_taint", "The taint of a cluster node.", func(n *world.Node, from, to int64) {
		if n.Tainted {
			k.samples(k.seriesKey("kube_node_spec_taint", "node", n.Name, "key", world.GPUTaint, "value", "present", "effect",
				"NoSchedule"), "1", from, to, 15)
		}
	})
}

// host is the machine's own exporter as seen by a scrape.
func (c *liveCluster) host(n *world.Node, minute int64) []byte {
	t := &textFile{live: true}
	var pods []*world.Pod
	for _, p := range c.w.Pods {
		if p.Node == n && inLife(p, minute+HostSecond) {
			pods = append(pods, p)
		}
	}
	hosts(&c.w, t, []*world.Node{n}, pods, minute, min(minute+60, c.w.To))
	return t.buf
}

// Host is the output of node_exporter's rules and cAdvisor for a machine.
func (e *Exporters) Host(name string, at int64) ([]byte, error) {
	for _, c := range e.clusters {
		for _, n := range c.w.Nodes {
			if n.Name == name && upAt(&c.w, n, at) {
				return c.host(n, at/60*60), nil
			}
		}
	}
	return nil, fmt.Errorf("%s: %w", name, ErrNoTarget)
}

// HostTargets lists the machines that run at an instant.
func (e *Exporters) HostTargets(at int64) []Target {
	var out []Target
	for _, c := range e.clusters {
		for _, n := range c.w.Nodes {
			if upAt(&c.w, n, at) {
				out = append(out, Target{Cluster: c.w.Config.Cluster, Job: "hosts", Node: n.Name})
			}
		}
	}
	return out
}

func upAt(w *world.World, n *world.Node, at int64) bool {
	return !w.Site.Slurm && n.Joined && at/60*60 >= n.Created/60*60 && at/60*60 < n.Until(w)
}
