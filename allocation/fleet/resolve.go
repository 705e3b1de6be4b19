package fleet

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Resolve returns all machines of the clusters, and those of the bill whose type has GPUs in the catalogue, by node id.
// Machines with GPUs = 0 are outside the fleet.
func Resolve(in Input, p policy.Policy) []Machine {
	r := resolver{p: p, in: in, billed: map[string]Billed{}, stops: map[string][]period.Second{},
		observed: map[string]period.Second{}, delivered: delivered(in.Sources),
		seen: map[ledger.ID][]period.Interval{}}
	for _, b := range in.Billed {
		if old, twice := r.billed[b.InstanceID]; !twice || text(b.Tags)+b.InstanceType > text(old.Tags)+old.InstanceType {
			r.billed[b.InstanceID] = b
		}
	}
	for _, e := range in.Events {
		if e.Kind == ledger.EventState && stops(e.Detail) {
			r.stops[e.InstanceID] = append(r.stops[e.InstanceID], e.At)
		}
	}
	for _, s := range in.Sources {
		r.observed[s.Cluster] = max(r.observed[s.Cluster], s.Last())
	}

	var out []Machine
	byName := lives(in.Facts)
	for name, group := range byName {
		for i, f := range group {
			out = append(out, r.machine(name, f, in.Samples[name], i == 0, i == len(group)-1, len(group) > 1))
		}
	}
	for name, samples := range in.Samples { // only an exporter saw it
		if len(byName[name]) == 0 {
			out = append(out, r.machine(name, ledger.NodeFact{Cluster: name.Cluster, Name: name.Node}, samples, true, true,
				false))
		}
	}
	for name := range in.Held { // only jobs name it
		if _, seen := in.Samples[name]; !seen && len(byName[name]) == 0 {
			out = append(out, r.machine(name, ledger.NodeFact{Cluster: name.Cluster, Name: name.Node}, period.Interval{}, true,
				true, false))
		}
	}
	out = onePerInstance(out)
	for i := range out {
		out[i].Dark = dark(out[i].Life, r.seen[out[i].ID])
	}
	out = append(out, r.billedOnly(out)...)
	accountsOfClusters(out)
	slices.SortFunc(out, func(a, b Machine) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return out
}

// onePerInstance keeps one machine if an instance was seen under several names: the one that lived longest, with the
// whole life.
func onePerInstance(all []Machine) []Machine {
	slices.SortFunc(all, func(a, b Machine) int {
		return cmp.Or(bytes.Compare(a.ID[:], b.ID[:]), cmp.Compare(b.Life.Seconds(), a.Life.Seconds()),
			cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Name, b.Name))
	})
	out := all[:0]
	for _, m := range all {
		m.Own = m.Life
		if n := len(out); n > 0 && out[n-1].ID == m.ID {
			out[n-1].Life.From = min(out[n-1].Life.From, m.Life.From)
			out[n-1].Life.To = max(out[n-1].Life.To, m.Life.To)
			out[n-1].Seen |= m.Seen
			out[n-1].Also = append(out[n-1].Also, Sighting{Name{m.Cluster, m.Name}, m.Own})
			continue
		}
		out = append(out, m)
	}
	return out
}

type resolver struct {
	p        policy.Policy
	in       Input
	billed   map[string]Billed
	stops    map[string][]period.Second
	observed map[string]period.Second // per cluster, its last observed minute

	delivered map[source][]period.Interval
	seen      map[ledger.ID][]period.Interval // when machines were observed, under any name (rule 2.11)
}

func (r *resolver) machine(name Name, f ledger.NodeFact, samples period.Interval, first, last, reused bool) Machine {
	m := Machine{Node: ledger.Node{
		Cluster: name.Cluster, Name: name.Node, Labels: f.Labels, InstanceID: instanceID(f),
		Keys: ledger.InstanceKeys(name.Cluster, name.Node, f.ProviderID, ""),
	}}
	held := r.in.Held[name]
	m.Seen = seenBy(f, samples, held)
	m.InSource = m.Seen.By(ledger.SeenListed | ledger.SeenNamed)
	m.ProviderID, _ = ledger.GoogleNumeric(f.ProviderID)
	m.ID = ledger.NodeID(m.Cluster, m.Name, m.InstanceID)

	// Exporter rows carry only the name: of several lives the first may begin
	// and the last may end with them (rules 2.2, 2.3).
	seenFrom, seenTo := f.FirstSeen, f.LastSeen
	for _, seen := range []period.Interval{samples, held.Span} {
		if seen.Empty() {
			continue
		}
		if first {
			seenFrom = earliest(seenFrom, seen.From)
		}
		if last {
			seenTo = max(seenTo, seen.To-1)
		}
	}
	m.Life.From = cmp.Or(f.Created, seenFrom, period.FromMillis(ledger.AttrsTime(f.AttrsAt)))
	m.Life.To = max(seenTo, m.Life.From) + period.Second(r.p.ScrapeStep)
	if at, ok := r.stopped(m.Keys, m.Life.From); ok {
		m.Life.To, m.Gone = at, true
		m.Seen |= ledger.SeenEnd
	} else if r.observed[m.Cluster] >= seenTo.Floor(period.Minute)+period.Second(r.p.UnknownSteps*r.p.ScrapeStep) {
		m.Gone = true
	}

	own := period.Interval{From: seenFrom, To: seenTo + 1}
	if seenFrom == 0 {
		own = period.Interval{}
	}
	r.seen[m.ID] = append(r.seen[m.ID], r.observations(&m, f, samples, own)...)

	if pool := ledger.HyperPodNodeKey(m.ProviderID, nodeType(f.Labels)); pool != "" {
		m.Keys = append(m.Keys, pool)
	}
	for _, further := range slices.Concat(bareNames(m.Name, m.ProviderID), poolKeys(f.Labels, m.ProviderID),
		ledger.GoogleRegionKeys(m.Keys)) {
		if !slices.Contains(m.Keys, further) {
			m.Keys = append(m.Keys, further)
		}
	}
	m.VCPU, m.MemoryMiB = max(f.Capacity[ledger.ResourceCPU], 0), max(f.Capacity[ledger.ResourceMemory]>>20, 0)
	devices := r.in.Devices[name]
	if reused {
		devices = during(devices, m.Life)
	}
	if r.describe(&m.Node, f, devices); m.GPUs == 0 {
		m.GPUs = min(held.GPUs, ledger.MaxGPUs)
	}
	return m
}

// seenBy is the set of sources that ever saw a machine (rule 2.9).
func seenBy(f ledger.NodeFact, samples period.Interval, held Held) (by ledger.SeenBy) {
	if f.FirstSeen != 0 || f.Created != 0 {
		by |= ledger.SeenListed
	}
	if !samples.Empty() {
		by |= ledger.SeenSampled
	}
	if !held.Span.Empty() {
		by |= ledger.SeenNamed
	}
	return by
}

// stopped is the first time from an instant on at which an event under any of the keys ended billing.
func (r *resolver) stopped(keys []string, from period.Second) (best period.Second, ok bool) {
	for _, key := range keys {
		if at, found := firstAtOrAfter(r.stops[key], from); found && (!ok || at < best) {
			best, ok = at, true
		}
	}
	return best, ok
}

// describe fills type, place, price class, GPUs and account.
func (r *resolver) describe(n *ledger.Node, f ledger.NodeFact, devices []ledger.Device) {
	b := r.billedAs(n)
	n.InstanceType = cmp.Or(nodeType(f.Labels), b.InstanceType)
	n.Zone = cmp.Or(ledger.Label(f.Labels, "topologykubernetesiozone", "failuredomainbetakubernetesiozone"), b.Zone,
		zoneOf(n.ProviderID))
	n.Region = cmp.Or(ledger.Label(f.Labels, "topologykubernetesioregion", "failuredomainbetakubernetesioregion"),
		b.Region, regionOf(n.ProviderID))
	n.PriceClass = priceClass(f.Labels, b.PriceClass)
	n.Account = cmp.Or(b.Account, accountOf(n.ProviderID), ledger.Label(f.Labels, "gpuledgerioaccount"))
	n.Tags = b.Tags

	it, known := catalog.LookupAt(Provider(n.ProviderID), n.InstanceType)
	c := count(it, known, f, devices)
	n.GPUs, n.Replicas = c.gpus, c.replicas
	switch {
	case len(devices) > 0:
		n.GPUModel = catalog.Model(newest(devices).Model)
	case known:
		n.GPUModel = it.GPUModel
	default:
		n.GPUModel = catalog.Model(ledger.Label(f.Labels, "nvidiacomgpuproduct", "amdcomgpuproductname",
			"cloudgooglecomgketpuaccelerator",
			"cloudgooglecomgkeaccelerator"))
	}
}

// nodeType is the machine type in a node's labels.
func nodeType(labels map[string]string) string {
	return ledger.Label(labels, "nodekubernetesioinstancetype", "betakubernetesioinstancetype")
}

// priceClass is how the node was bought. Labels show spot and reserved capacity; only the bill shows whether a plan or
// reservation paid for an on-demand node.
func priceClass(labels map[string]string, billed ledger.PriceClass) ledger.PriceClass {
	switch strings.ToLower(strings.ReplaceAll(ledger.Label(labels, "eksamazonawscomcapacitytype",
		"karpentershcapacitytype",
		"kubernetesazurecomscalesetpriority", "cloudgooglecomgkeprovisioning"), "-", "_")) {
	case "spot", "preemptible":
		return ledger.Spot
	case "capacity_block", "reserved":
		return ledger.Reserved
	case "on_demand":
		return cmp.Or(billed, ledger.OnDemand)
	}
	if ledger.Label(labels, "cloudgooglecomgkespot", "cloudgooglecomgkepreemptible") == "true" {
		return ledger.Spot
	}
	return billed
}

// stops reports whether the state means that billing ends (rule 2.3).
func stops(state string) bool {
	switch state {
	case "shutting-down", "terminated", "stopping", "stopped":
		return true
	}
	return false
}

func firstAtOrAfter(times []period.Second, from period.Second) (best period.Second, ok bool) {
	for _, t := range times {
		if t >= from && (!ok || t < best) {
			best, ok = t, true
		}
	}
	return best, ok
}

func during(devices []ledger.Device, life period.Interval) []ledger.Device {
	var out []ledger.Device
	for _, d := range devices {
		if life.Overlaps(period.Interval{From: d.First, To: d.Last + period.Hour}) {
			out = append(out, d)
		}
	}
	return out
}

func newest(devices []ledger.Device) ledger.Device {
	return slices.MaxFunc(devices, func(a, b ledger.Device) int {
		return cmp.Or(cmp.Compare(a.Last, b.Last), cmp.Compare(a.Model, b.Model))
	})
}
