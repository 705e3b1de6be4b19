package ingest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// defaultCluster is the cluster of telemetry that names none.
const defaultCluster = "default"

// identities collects the machines behind the node names of the unnamed cluster. Two clusters
// without a name mix if they share node names: the same name is then two machines at the same
// time.
type identities struct {
	cluster string
	nodes   map[string]*identity
}

type identity struct {
	machines map[string]period.Interval // by provider id
	devices  map[int32]map[string]period.Interval
}

func newIdentities(cluster string) *identities {
	return &identities{cluster: cluster, nodes: map[string]*identity{}}
}

func (x *identities) node(name string) *identity {
	n := x.nodes[name]
	if n == nil {
		n = &identity{machines: map[string]period.Interval{}, devices: map[int32]map[string]period.Interval{}}
		x.nodes[name] = n
	}
	return n
}

func widen(old period.Interval, more period.Interval) period.Interval {
	switch {
	case more.Empty():
		return old
	case old.Empty():
		return more
	}
	return period.Interval{From: min(old.From, more.From), To: max(old.To, more.To)}
}

func (n *identity) machine(providerID string, life period.Interval) {
	// A Google machine is the same with and without its number, and so are those that had its name
	// before.
	if providerID, _ = ledger.GoogleNumeric(providerID); providerID != "" {
		n.machines[providerID] = widen(n.machines[providerID], life)
	}
}

func (n *identity) device(index int32, uuid string, hours period.Interval) {
	if index < 0 || uuid == "" {
		return
	}
	if n.devices[index] == nil {
		n.devices[index] = map[string]period.Interval{}
	}
	n.devices[index][uuid] = widen(n.devices[index][uuid], hours)
}

// add adds the nodes of the cluster in t.
func (x *identities) add(t *ledger.Telemetry) {
	for i := range t.Nodes {
		if f := &t.Nodes[i]; f.Cluster == x.cluster && f.FirstSeen > 0 {
			x.node(f.Name).machine(f.ProviderID, period.Interval{From: f.FirstSeen, To: f.LastSeen + 1})
		}
	}
	for i := range t.Samples {
		if s := &t.Samples[i]; s.Cluster == x.cluster {
			x.node(s.Node).device(s.Index, s.Device, period.Interval{From: s.Hour, To: s.Hour + period.Hour})
		}
	}
}

func (x *identities) names() []string {
	return slices.Sorted(maps.Keys(x.nodes))
}

// check refuses a node name that stands for two machines at once, within the import or compared
// with stored nodes.
func (x *identities) check(known []NodeIdentity) error {
	for _, k := range known {
		n := x.nodes[k.Name]
		if n == nil {
			continue
		}
		n.machine(k.ProviderID, k.Life)
		for _, d := range k.Devices {
			n.device(d.Index, d.UUID, d.Hours)
		}
	}
	for _, name := range x.names() {
		n := x.nodes[name]
		if a, b, ok := clash(n.machines, period.Minute); ok {
			return x.refuse(name, "machine", a, b)
		}
		for _, index := range slices.Sorted(maps.Keys(n.devices)) {
			// A replaced card and its replacement share an hour.
			if a, b, ok := clash(n.devices[index], period.Hour); ok {
				return x.refuse(name, "device", a, b)
			}
		}
	}
	return nil
}

func (x *identities) refuse(name, what, a, b string) error {
	return fmt.Errorf("node %q is %s %s and %s at the same time: two clusters without a name share node names; import "+
		"each with --cluster", name, what, a, b)
}

// clash finds two identities that overlap by more than slack seconds, or one identity that is
// wholly within another.
func clash(spans map[string]period.Interval, slack int64) (a, b string, found bool) {
	ids := slices.SortedFunc(maps.Keys(spans), func(a, b string) int {
		return cmp.Or(cmp.Compare(spans[a].From, spans[b].From), cmp.Compare(a, b))
	})
	furthest := 0 // the one before i that ends last: it overlaps i most
	for i := 1; i < len(ids); i++ {
		earlier, later := spans[ids[furthest]], spans[ids[i]]
		common := later.Intersect(earlier).Seconds()
		// Sorted by start: the later one is within the earlier if it ends no later.
		if common > slack || common > 0 && (later.To <= earlier.To || later.From == earlier.From) {
			return ids[furthest], ids[i], true
		}
		if later.To > earlier.To {
			furthest = i
		}
	}
	return "", "", false
}
