package script

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// World is the facts of the statements so far.
func (m *memory) World(context.Context) (*posting.World, error) {
	w := &posting.World{
		NodeSamples: map[posting.ClusterNode]period.Interval{}, Devices: map[posting.ClusterNode][]ledger.Device{},
		Pods: m.pods, Objects: m.objects, Placements: m.placements, WorkloadEvents: m.happened, Checkpoints: m.checkpoints,
		Events: m.events, Sources: m.placementSources(), Billed: m.billedMachines(),
	}
	for name, list := range m.devices {
		w.Devices[posting.ClusterNode{Cluster: name.Cluster, Name: name.Node}] = list
	}
	for _, name := range m.names {
		switch said := m.machines[name]; {
		case said.FirstSeen != 0:
			w.Nodes = append(w.Nodes, said.NodeFact)
		case !said.slurm:
			at := posting.ClusterNode{Cluster: said.Cluster, Name: name}
			w.NodeSamples[at] = period.Interval{From: said.life.From, To: said.life.To - period.Minute + 1}
		}
	}
	return w, nil
}

// billedMachines is the bill's data on each machine: its newest interval, and its start.
func (w *world) billedMachines() []posting.BilledInstance {
	newest := map[string]*posting.BilledInstance{}
	since := map[string]period.Second{} // start of the newest interval
	for _, c := range w.current() {
		if c.InstanceSeconds == nil || c.InstanceID == "" {
			continue
		}
		b, first := newest[c.InstanceID], c.Period.From
		order := 1
		if b != nil {
			first = min(first, b.Period.From)
			order = cmp.Or(cmp.Compare(c.Period.To, b.Period.To), cmp.Compare(c.Period.From, since[c.InstanceID]))
		}
		switch {
		case order > 0:
			seconds := *c.InstanceSeconds
			since[c.InstanceID] = c.Period.From
			b = &posting.BilledInstance{InstanceID: c.InstanceID, Line: c.ID, InstanceType: c.InstanceType, Region: c.Region,
				Zone: c.Zone, PriceClass: c.PriceClass, Account: c.Account, Tags: c.Tags, Period: period.Interval{To: c.Period.To},
				Currency: c.Currency, Effective: c.Effective, Seconds: &seconds, UsageAmount: c.UsageAmount}
			newest[c.InstanceID] = b
		case order == 0 && c.Currency == b.Currency:
			b.Effective = plus(b.Effective, c.Effective)
			*b.Seconds += *c.InstanceSeconds
		}
		b.Period.From = first
	}
	var out []posting.BilledInstance
	for _, key := range slices.Sorted(maps.Keys(newest)) {
		out = append(out, *newest[key])
	}
	return out
}

// SaveWorld keeps machines, workloads and runs; a machine must have as many GPUs as its gpu statement states.
func (m *memory) SaveWorld(_ context.Context, d *posting.Derived) error {
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if said := m.machines[n.Name]; said != nil && n.GPUs != said.gpus {
			return fmt.Errorf("machine %s has %d GPUs by the rules, but %d in its gpu statement", n.Name, n.GPUs, said.gpus)
		}
		m.nodes[n.ID] = n
	}
	for i := range d.Workloads {
		m.workloads[d.Workloads[i].ID] = &d.Workloads[i]
	}
	m.runs, m.attempts = d.Runs, d.Attempts
	return m.SaveOwners(context.Background(), d.Owners)
}
