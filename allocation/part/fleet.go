package part

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Fleet is the data outside a bill that its cuts may depend on: the GPU nodes that lines can name, and all GPU nodes
// with their lives for lines that name none. It does not change after NewFleet and may be used by several Cutters.
type Fleet struct {
	byKey  map[string]machines
	byType map[string][]*ledger.Node // by id
	all    []*ledger.Node            // by id
	types  map[string]bool           // in lower case
	// clusters are those with machines of the fleet, by name; all of them under the empty name.
	clusters map[string]map[site]bool
	// billed are the machines that lines may bill by their cluster, by cluster name.
	billed map[string][]*ledger.Node
	end    period.Second // the end of all facts: the latest end of a machine's life
	named  string
}

// site is the location of a cluster's machines, as far as it is known.
type site struct{ account, region string }

// machines are the fleet nodes under an instance key.
type machines struct {
	nodes []*ledger.Node // by id
	maybe bool           // they are candidates only
	pool  bool           // the seen machines of a pool
}

// NewFleet keeps the nodes with GPUs of all machines. named reports whether the book has compute lines under an
// instance key by the time of the deliveries to be cut; only such keys lead to a node.
func NewFleet(nodes []ledger.Node, named func(key string) bool) *Fleet {
	f := &Fleet{byKey: map[string]machines{}, byType: map[string][]*ledger.Node{}, types: map[string]bool{},
		clusters: map[string]map[site]bool{},
		billed:   map[string][]*ledger.Node{}}
	for i := range nodes {
		n := &nodes[i]
		f.end = max(f.end, n.Life.To)
		if n.GPUs <= 0 {
			continue
		}
		f.all = append(f.all, n)
	}
	slices.SortFunc(f.all, func(a, b *ledger.Node) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	for _, n := range f.all {
		if n.InstanceType != "" {
			f.byType[n.InstanceType] = append(f.byType[n.InstanceType], n)
			f.types[strings.ToLower(n.InstanceType)] = true
		}
		f.addClusters(n)
		for _, name := range ledger.BilledClusters(n) {
			if named(name) {
				f.billed[name] = append(f.billed[name], n)
			}
		}
		for _, key := range n.Keys {
			if named(key) {
				f.byKey[key] = machines{nodes: append(f.byKey[key].nodes, n)}
			}
		}
	}
	for _, n := range f.all {
		for _, key := range n.Candidates {
			if m := f.byKey[key]; named(key) && (m.maybe || len(m.nodes) == 0) {
				f.byKey[key] = machines{nodes: append(m.nodes, n), maybe: true}
			}
		}
	}
	f.named = f.namedDigest()
	return f
}

// machinesOf finds the machines that a line names, by the first of its keys that has any.
func (f *Fleet) machinesOf(ch *ledger.Charge) machines {
	if m := f.under(ch.InstanceID, ch); len(m.nodes) > 0 {
		return m
	}
	if m := f.under(ch.InstanceAlias, ch); len(m.nodes) > 0 {
		return m
	}
	if host := ch.InstanceHost(); host != "" {
		m := f.byKey[host].without(func(n *ledger.Node) bool { // gpu-1 of another domain
			return n.InstanceID != host && strings.EqualFold(ledger.HostOf(n.Name), host)
		})
		if len(m.nodes) > 0 {
			return m
		}
	}
	return f.ofCluster(ch)
}

// under finds the machines under a key of a line: for a pool of nodes those that the line can mean, as pools of other
// clusters may have its name.
func (f *Fleet) under(key string, ch *ledger.Charge) machines {
	if key == "" {
		return machines{}
	}
	m := f.byKey[key]
	if ledger.NodePool(key) {
		m = m.without(func(n *ledger.Node) bool {
			return n.InstanceType != "" && ch.InstanceType != "" && !strings.EqualFold(n.InstanceType, ch.InstanceType)
		})
	}
	m.pool = ledger.PoolKey(key)
	return m
}

func (m machines) without(unfit func(*ledger.Node) bool) machines {
	var fit []*ledger.Node
	for _, n := range m.nodes {
		if !unfit(n) {
			fit = append(fit, n)
		}
	}
	return machines{nodes: fit, maybe: m.maybe}
}

func (f *Fleet) addClusters(n *ledger.Node) {
	names := ledger.ClustersOf(n)
	if len(names) == 0 {
		return
	}
	at := site{strings.ToLower(n.Account), strings.ToLower(n.Region)}
	for _, name := range append(names, "") {
		if f.clusters[name] == nil {
			f.clusters[name] = map[site]bool{}
		}
		f.clusters[name][at] = true
	}
}

// hasCluster reports whether a line belongs to a cluster with machines of the fleet: one of its name in the line's
// account and region, as far as both sides know them; for a line without a cluster name any cluster there.
func (f *Fleet) hasCluster(ch *ledger.Charge) bool {
	agree := func(a, b string) bool { return a == "" || b == "" || a == strings.ToLower(b) }
	names := ledger.ClustersOfLine(ch)
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		for at := range f.clusters[name] {
			if agree(at.account, ch.Account) && agree(at.region, ch.Region) {
				return true
			}
		}
	}
	return false
}

// up returns the node's life inside an interval.
func (f *Fleet) up(n *ledger.Node, in period.Interval) period.Interval { return n.Life.Intersect(in) }

// gpuType reports whether machines of that type have GPUs, by the catalogue or because a fleet node has it.
func (f *Fleet) gpuType(provider, name string) bool {
	if name == "" {
		return false
	}
	if t, known := catalog.LookupAt(provider, name); known {
		return t.Slots() > 0
	}
	return f.types[strings.ToLower(name)]
}

// namedDigest covers the data that every cut depends on: which nodes lines can name, their owners, and which types are
// in the fleet.
func (f *Fleet) namedDigest() string {
	h := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(f.byKey)) {
		m := f.byKey[key]
		h.Write(fmt.Appendf(nil, "%q %v\n", key, m.maybe))
		for _, n := range m.nodes {
			h.Write(fmt.Appendf(nil, "%s %s %d\n", n.ID, n.OwnerID, n.GPUs))
			digestLabels(h, n.Labels)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.billed)) {
		h.Write(fmt.Appendf(nil, "billed %q\n", name))
		for _, n := range f.billed[name] {
			h.Write(fmt.Appendf(nil, "%s %s %d %q %q %q\n", n.ID, n.OwnerID, n.GPUs, n.InstanceType, n.GPUModel, n.Account))
			digestLabels(h, n.Labels)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.clusters)) {
		for _, at := range slices.SortedFunc(maps.Keys(f.clusters[name]), func(a, b site) int {
			return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.region, b.region))
		}) {
			h.Write(fmt.Appendf(nil, "cluster %q %q %q\n", name, at.account, at.region))
		}
	}
	for _, t := range slices.Sorted(maps.Keys(f.types)) {
		if _, known := catalog.Lookup(t); !known {
			h.Write(fmt.Appendf(nil, "type %q\n", t))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func digestLabels(h hash.Hash, labels map[string]string) {
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		h.Write(fmt.Appendf(nil, "%q=%q\n", k, labels[k]))
	}
}

// livesDigest covers lives inside a window and the attributes by which lines without a machine are matched.
func (f *Fleet) livesDigest(window period.Interval) string {
	h := sha256.New()
	for _, n := range f.all {
		if life := f.up(n, window); !life.Empty() {
			h.Write(fmt.Appendf(nil, "%s %d %d %q %q %q %q %q\n", n.ID, life.From, life.To, n.Account, n.InstanceType, n.Region,
				n.Zone, n.PriceClass))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// endIn is the end of all facts as far as it matters inside a window: in whole hours, at most the window's end.
func (f *Fleet) endIn(window period.Interval) period.Second {
	if f.end >= window.To {
		return window.To
	}
	return max(f.end, window.From).Floor(period.Hour)
}

// uses is the data that the cuts of one delivery depend on beyond its own charges.
type uses struct {
	lives  period.Interval // where lives of nodes mattered, empty: nowhere
	end    period.Interval // where the end of all facts mattered
	others bool            // lines of other deliveries mattered
}

func widen(old, more period.Interval) period.Interval {
	switch {
	case more.Empty(): // nothing depends on an empty interval
		return old
	case old.Empty():
		return more
	}
	return period.Interval{From: min(old.From, more.From), To: max(old.To, more.To)}
}

// Digest fields are separated by ":"; "-" means that nothing depends on the field.
const (
	digestVersion = "7"
	unused        = "-"
)

// OwnedBy makes cuts with the fleet depend on the policy's owner rules, given as a digest; empty if there are none.
func (f *Fleet) OwnedBy(rules string) {
	if rules != "" {
		f.named += "+" + rules
	}
}

// digest encodes the uses, so that Current can check them again.
func (f *Fleet) digest(u uses, others string) string {
	lives, end := unused, unused
	if !u.lives.Empty() {
		lives = fmt.Sprintf("%d/%d/%s", u.lives.From, u.lives.To, f.livesDigest(u.lives))
	}
	if !u.end.Empty() {
		end = fmt.Sprintf("%d/%d/%d", u.end.From, u.end.To, f.endIn(u.end))
	}
	if !u.others {
		others = unused
	}
	return strings.Join([]string{digestVersion, f.named, lives, end, others}, ":")
}

// Current reports whether a delivery that was cut with the recorded digest would be cut the same with this fleet and
// these other deliveries (see Cutter.Digest). An empty digest means never cut.
func (f *Fleet) Current(digest, others string) bool {
	fields := strings.Split(digest, ":")
	if len(fields) != 5 || fields[0] != digestVersion {
		return false
	}
	u := uses{others: fields[4] != unused}
	var err error
	if u.lives, err = windowOf(fields[2]); err != nil {
		return false
	}
	if u.end, err = windowOf(fields[3]); err != nil {
		return false
	}
	return digest == f.digest(u, others)
}

func windowOf(field string) (period.Interval, error) {
	if field == unused {
		return period.Interval{}, nil
	}
	parts := strings.SplitN(field, "/", 3)
	if len(parts) != 3 {
		return period.Interval{}, strconv.ErrSyntax
	}
	from, errFrom := strconv.ParseInt(parts[0], 10, 64)
	to, errTo := strconv.ParseInt(parts[1], 10, 64)
	return period.Interval{From: period.Second(from), To: period.Second(to)}, cmp.Or(errFrom, errTo)
}
