package fleetsim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// What machines and containers say of CPU and memory: a recording rule over
// node_exporter every five minutes, cAdvisor's counters of GPU pods every ten.
const (
	hostSecond, hostMilli = 17, 640
	hostCPU               = "instance:node_cpu_utilisation:rate1m"
	hostCPUHelp           = "Share of the machine's CPU time that is not idle."
	containerCPU          = "container_cpu_usage_seconds"
	containerCPUHelp      = "Cumulative cpu time consumed in seconds."
	containerMemory       = "container_memory_working_set_bytes"
	containerMemoryHelp   = "Current working set in bytes."
)

// hostCPUAt is the share of a machine's CPU that is busy, in 1/10000.
func (w *world) hostCPUAt(n *node, t int64) int32 {
	r := newRNG(w.cfg.Seed, 62, uint64(n.idx), uint64(t/300))
	base := newRNG(w.cfg.Seed, 63, uint64(n.idx), uint64(t/3600)).between(600, 3600)
	for _, s := range n.cpuFull {
		if s.has(t) {
			base = s.level
		}
	}
	return int32(min(10_000, base+r.between(-150, 150)))
}

// cpuStretch is a stretch in which something on the machine takes its CPU.
type cpuStretch struct {
	span
	level int64 // 1/10000
}

// hostTold reports whether the machine's sample of a minute exists. It never is
// the only sign of life: kube-state-metrics tell of the node in the same minute.
func (w *world) hostTold(n *node, t int64) bool {
	seen := t/60*60 + ksmSecond
	return n.joined && seen >= n.created && seen < w.nodeKubeEnd(n) && t < n.until(w) && t >= n.created && !in(w.ksmGaps, seen)
}

// hostDay writes a day of all machines and the GPU pods on them.
func (w *world) hostDay(f *textFile, day int64) {
	w.hosts(f, w.nodes, w.pods, day, min(day+86400, w.to))
}

func (w *world) hosts(f *textFile, nodes []*node, pods []*pod, from, to int64) {
	f.family(hostCPU, "gauge", hostCPUHelp)
	for _, n := range nodes {
		key := f.seriesKey(hostCPU, "node", n.name)
		for t := ceilTo(from, hostSecond); t < to; t += 60 {
			if (t/60+int64(n.idx))%everyFive == 0 && w.hostTold(n, t) {
				f.point(key, string(appendRatio(nil, w.hostCPUAt(n, t))), t, milliText(hostMilli))
			}
		}
	}
	series := func(p *pod, name string, value func(t int64) string) {
		labels := []string{"container", p.container}
		if !f.live {
			labels = append(labels, "node", p.node.name)
		}
		key := f.seriesKey(name, append(labels, "namespace", p.ns, "pod", p.name)...)
		for t := ceilTo(max(from, p.started), hostSecond); t < min(to, p.end); t += 60 {
			if (t/60+int64(p.node.idx))%everyTen == 0 && w.hostTold(p.node, t) {
				f.point(key, value(t), t, milliText(hostMilli))
			}
		}
	}
	byName := tellingPods(pods)
	f.family(containerCPU, "counter", containerCPUHelp)
	for _, p := range byName {
		series(p, containerCPU+"_total", func(t int64) string { return string(appendThousandths(nil, w.cpuMillis(p, t))) })
	}
	f.family(containerMemory, "gauge", containerMemoryHelp)
	for _, p := range byName {
		series(p, containerMemory, func(t int64) string { return strconv.FormatInt(w.workingSet(p, t), 10) })
	}
}

// tellingPods are the pods on GPUs whose containers are told of. Tries of one
// name on one machine are one series.
func tellingPods(pods []*pod) []*pod {
	var out []*pod
	for _, p := range pods {
		if len(p.slots) > 0 {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b *pod) int {
		return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.name, b.name), cmp.Compare(a.node.idx, b.node.idx), cmp.Compare(a.started, b.started))
	})
	return out
}

func (p *pod) cpuRequest() int64 {
	for _, r := range p.requests {
		if r.resource == "cpu" {
			return r.n
		}
	}
	return 0
}

// memoryRequest of pods that ask for CPU and GPUs: four GiB a core.
func (p *pod) memoryRequest() int64 {
	if len(p.slots) == 0 {
		return 0
	}
	return p.cpuRequest() * 4 << 30
}

// habit is what share of its requests a workload uses, in percent: some ask for
// far more than they need, some for too little.
func (w *world) habit(p *pod, what uint64) int64 {
	r := newRNG(w.cfg.Seed, 64, what, wordHash(p.ns+"/"+p.rootKind+"/"+p.rootName))
	return pick(r, []int64{12, 18, 25, 40, 55, 70, 85, 105})
}

// millicores is what a pod's container uses in an hour.
func (w *world) millicores(p *pod, hour int64) int64 {
	r := newRNG(w.cfg.Seed, 65, uint64(p.idx), uint64(hour))
	return p.cpuRequest() * 10 * w.habit(p, 0) * r.between(60, 120) / 100
}

// cpuMillis is its CPU time until t in thousandths of a second.
func (w *world) cpuMillis(p *pod, t int64) int64 {
	var sum int64
	for at := p.started; at < t; {
		next := min(t, at/3600*3600+3600)
		sum += (next - at) * w.millicores(p, at/3600)
		at = next
	}
	return sum
}

// workingSet grows from a third to its usual share of the request.
func (w *world) workingSet(p *pod, t int64) int64 {
	usual := p.memoryRequest() / 100 * min(98, w.habit(p, 1))
	grown := min(3600, t-p.started)
	return usual/3 + usual*2/3*grown/3600 + int64(newRNG(w.cfg.Seed, 66, uint64(p.idx), uint64(t/600)).next()%(1<<24))
}

// Taint of machines with GPUs. Some pools were made by hand and lack it.
const gpuTaint = "nvidia.com/gpu"

// taints decides which machines keep pods without GPUs away: all of a pool or
// none.
func (b *builder) taints() {
	for _, n := range b.nodes {
		switch n.pool {
		case "g6-spare": // made by hand
		case "p4d-lab":
			n.tainted = true
		default:
			n.tainted = newRNG(b.cfg.Seed, 67, wordHash(b.cfg.Cluster+"/"+n.pool)).chance(75)
		}
	}
}

// taintSeries are part of kube-state-metrics.
func (k *ksmDay) taintSeries() {
	k.eachNode("kube_node_spec_taint", "The taint of a cluster node.", func(n *node, from, to int64) {
		if n.tainted {
			k.samples(k.seriesKey("kube_node_spec_taint", "node", n.name, "key", gpuTaint, "value", "present", "effect", "NoSchedule"), "1", from, to, 15)
		}
	})
}

// host is the machine's own exporter as seen by a scrape.
func (c *liveCluster) host(n *node, minute int64) []byte {
	t := &textFile{live: true}
	var pods []*pod
	for _, p := range c.w.pods {
		if p.node == n && inLife(p, minute+hostSecond) {
			pods = append(pods, p)
		}
	}
	c.w.hosts(t, []*node{n}, pods, minute, min(minute+60, c.w.to))
	return t.buf
}

// Host is what node_exporter's rules and cAdvisor say of a machine.
func (e *Exporters) Host(name string, at int64) ([]byte, error) {
	for _, c := range e.clusters {
		for _, n := range c.w.nodes {
			if n.name == name && c.w.upAt(n, at) {
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
		for _, n := range c.w.nodes {
			if c.w.upAt(n, at) {
				out = append(out, Target{Cluster: c.w.cfg.Cluster, Job: "hosts", Node: n.name})
			}
		}
	}
	return out
}

func (w *world) upAt(n *node, at int64) bool {
	return !w.site.slurm && n.joined && at/60*60 >= n.created/60*60 && at/60*60 < n.until(w)
}
