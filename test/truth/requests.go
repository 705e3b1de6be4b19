package truth

import (
	"cmp"
	"slices"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// RootOwner names the owner of pods in a cluster.
type RootOwner struct{ Cluster, Namespace, Kind, Name string }

// Request is the requests and the use of a root owner's pods.
type Request struct {
	Pods, Days      int
	CPURequested    int64   // of each, millicores; 0: none
	MemoryRequested int64   // bytes
	CPU, Memory     []int64 // by pod and minute with a sample, ascending
}

// useSample is cAdvisor's sample of a pod: CPU time in ms, memory in bytes.
type useSample struct{ at, cpu, memory int64 }

// podName is a pod's name in series of containers, which have no uid.
type podName struct{ ns, name string }

// Requests computes requests and use (docs/figures.md, 22.3).
func Requests(f *fleetsim.Fleet) map[RootOwner]*Request {
	out := map[RootOwner]*Request{}
	for _, t := range truths(f) {
		if !t.Site.Slurm { // it reports no containers
			t.requestUse(out)
		}
	}
	for _, x := range out {
		slices.Sort(x.CPU)
		slices.Sort(x.Memory)
	}
	return out
}

func (t *truth) requestUse(out map[RootOwner]*Request) {
	owner := func(p *world.Pod) RootOwner { return RootOwner{t.Config.Cluster, p.NS, p.RootKind, p.RootName} }
	held, newest := map[podName][]*heldPod{}, map[RootOwner]*heldPod{}
	last := map[RootOwner]int64{}
	for _, h := range t.held { // in order of hold start
		held[podName{h.p.NS, h.p.Name}] = append(held[podName{h.p.NS, h.p.Name}], h)
		newest[owner(h.p)] = h
		last[owner(h.p)] = max(last[owner(h.p)], h.to)
	}
	type ownerDay struct {
		RootOwner
		day int64
	}
	days := map[ownerDay]bool{}
	for name, list := range t.useSamples() {
		for i, s := range list {
			day := s.at / aDay * aDay
			var who *heldPod
			for _, h := range held[name] {
				if h.from < day+aDay && h.to > day {
					who = h
				}
			}
			if who == nil {
				continue
			}
			x := out[owner(who.p)]
			if x == nil {
				x = &Request{}
				out[owner(who.p)] = x
			}
			days[ownerDay{owner(who.p), day}] = true
			x.Memory = append(x.Memory, s.memory)
			if i == 0 || list[i-1].at < day-aDay { // no earlier sample to compare with
				continue
			}
			rise := s.cpu - list[i-1].cpu
			if rise < 0 { // a pod of the same name restarted
				rise = s.cpu
			}
			x.CPU = append(x.CPU, rise/(s.at-list[i-1].at))
		}
	}
	for k := range days {
		out[k.RootOwner].Days++
	}
	for who, x := range out {
		if who.Cluster != t.Config.Cluster {
			continue
		}
		p := newest[who].p
		x.CPURequested, x.MemoryRequested = fleetsim.CPURequest(p)*1000, fleetsim.MemoryRequest(p)
		for _, h := range t.held {
			if owner(h.p) == who && h.to == last[who] {
				x.Pods++
			}
		}
	}
}

// useSamples are the samples of GPU pods in order of time.
func (t *truth) useSamples() map[podName][]useSample {
	out := map[podName][]useSample{}
	for _, p := range fleetsim.TellingPods(t.World.Pods) {
		k := podName{p.NS, p.Name}
		for at := world.CeilTo(max(t.World.From, p.Started), fleetsim.HostSecond); at < min(t.World.To, p.End); at += 60 {
			if (at/60+int64(p.Node.Idx))%fleetsim.EveryTen == 0 && fleetsim.HostTold(t.World, p.Node, at) {
				out[k] = append(out[k], useSample{at, fleetsim.CPUMillis(t.World, p, at), fleetsim.WorkingSet(t.World, p, at)})
			}
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b useSample) int { return cmp.Compare(a.at, b.at) })
	}
	return out
}
