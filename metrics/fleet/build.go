package fleet

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Row is the newest hour of one device or slice.
type Row struct {
	Cluster, Node string
	Device, Model string
	Index         int32
	SliceID       int32
	Profile       string
	Hour          period.Second
	LastAt        period.Second // of the row's samples
	// Vectors need hold no more than the signals of activity and the MIG mode.
	Vectors map[ledger.Signal]ledger.Minutes
}

// Hold is evidence that a workload holds a device or slice.
type Hold struct {
	Cluster, Node, Device string // empty Device: Slot counts
	Slot                  int32
	SliceID               int32
	Holder
}

// Listed is a machine as placement sources list it.
type Listed struct {
	Cluster, Node string
}

// Facts are the input of a snapshot, in any order.
type Facts struct {
	Rows  []Row
	Holds []Hold
	// Placed is, per cluster, the last minute in which its placement source delivered.
	Placed map[string]period.Second
	// Nodes is when each listed machine was last listed.
	Nodes map[Listed]period.Second
	// Keep shows silent devices for ever.
	Keep bool
}

// Build answers a question from facts. Fill adds time lines and the other signals, which only one page of nodes needs.
func Build(q Question, f *Facts) Snapshot {
	var newest period.Second
	for i := range f.Rows {
		newest = max(newest, f.Rows[i].LastAt)
	}
	asOf, live := AsOf(q.Now, newest)
	s := BuildAt(q, f, asOf)
	s.Newest, s.Live = newest, live
	return s
}

// AsOf is the instant of the page: the clock while data are live, else the newest sample. Clock 0 means no clock.
func AsOf(now, newest period.Second) (at period.Second, live bool) {
	if now == 0 || newest+LiveFor < now {
		return newest, false
	}
	// A sender's clock may run ahead; its samples are still the newest.
	return max(now, newest), true
}

// BuildAt is Build for a given instant.
func BuildAt(q Question, f *Facts, asOf period.Second) Snapshot {
	s := Snapshot{Counts: newCounts(), AsOf: asOf}
	nodes := group(f, s.AsOf)
	pools := map[string]*Pool{}
	var matching []Node
	for _, n := range nodes {
		s.Clusters = append(s.Clusters, n.Cluster)
		var kept []Device
		for i := range n.Devices {
			d := &n.Devices[i]
			s.Models = append(s.Models, d.Model)
			if !q.keeps(&n, d) {
				continue
			}
			p := pools[n.Cluster]
			if p == nil {
				p = &Pool{Cluster: n.Cluster, Counts: newCounts(), Placed: f.Placed[n.Cluster]}
				pools[n.Cluster] = p
			}
			p.Newest = max(p.Newest, d.Newest)
			p.count(d)
			s.count(d)
			if q.State == "" || d.has(q.State) {
				kept = append(kept, *d)
			}
		}
		if len(kept) > 0 {
			n.Devices = kept
			matching = append(matching, n)
		}
	}
	slices.Sort(s.Clusters)
	slices.Sort(s.Models)
	s.Clusters, s.Models = slices.Compact(s.Clusters), slices.Compact(s.Models)
	for _, p := range pools {
		s.Pools = append(s.Pools, *p)
	}
	slices.SortFunc(s.Pools, func(a, b Pool) int { return cmp.Compare(a.Cluster, b.Cluster) })
	countNodes(&s, nodes, q)
	s.page(q, matching)
	return s
}

// countNodes counts machines with a device that passes the filter.
func countNodes(s *Snapshot, nodes []Node, q Question) {
	for i := range nodes {
		n := &nodes[i]
		if !slices.ContainsFunc(n.Devices, func(d Device) bool { return q.keeps(n, &d) }) {
			continue
		}
		s.Counts.Nodes++
		at, _ := slices.BinarySearchFunc(s.Pools, n.Cluster, func(p Pool, c string) int { return cmp.Compare(p.Cluster, c) })
		s.Pools[at].Counts.Nodes++
	}
}

func (s *Snapshot) page(q Question, matching []Node) {
	per := max(q.PerPage, 1)
	s.Matching = len(matching)
	s.Pages = max((len(matching)+per-1)/per, 1)
	s.Page = min(max(q.Page, 1), s.Pages)
	from := (s.Page - 1) * per
	s.Nodes = matching[from:min(from+per, len(matching))]
}

func newCounts() Counts { return Counts{ByState: map[State]int{}} }

func (c *Counts) count(d *Device) {
	c.GPUs++
	c.ByState[d.State]++
	if d.held() && d.State != Silent {
		c.Held++
	}
	if a := d.activity(); a.Known && d.State != Silent {
		c.Known++
		c.SumPPM += a.Value
	}
}

// held reports whether a holder of the device or a slice of it is known.
func (d *Device) held() bool {
	return len(d.Holders) > 0 || slices.ContainsFunc(d.Slices, func(s Slice) bool { return len(s.Holders) > 0 })
}

// activity of a card in slices is the mean over slices with a value.
func (d *Device) activity() Reading {
	if len(d.Slices) == 0 || d.Activity.Known {
		return d.Activity
	}
	var sum, n int64
	for i := range d.Slices {
		if a := d.Slices[i].Activity; a.Known {
			sum, n = sum+a.Value, n+1
		}
	}
	if n == 0 {
		return Reading{}
	}
	return Reading{Value: sum / n, Known: true}
}

// has reports whether the device or one of its slices is in a state.
func (d *Device) has(state State) bool {
	return d.State == state || d.State != Silent &&
		slices.ContainsFunc(d.Slices, func(s Slice) bool { return s.State == state })
}

func (q *Question) keeps(n *Node, d *Device) bool {
	if q.Cluster != "" && q.Cluster != n.Cluster || q.Model != "" && q.Model != d.Model {
		return false
	}
	if q.Text == "" {
		return true
	}
	text := strings.ToLower(q.Text)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), text) }
	holds := func(list []Holder) bool {
		return slices.ContainsFunc(list, func(h Holder) bool { return has(h.Namespace + "/" + h.Name) })
	}
	return has(n.Name) || has(n.Cluster) || has(d.UUID) || has(d.Model) || holds(d.Holders) ||
		slices.ContainsFunc(d.Slices, func(s Slice) bool { return has(s.Profile) || holds(s.Holders) })
}

type deviceKey struct{ cluster, node, device string }

// group builds nodes from rows, by cluster and name, with states as of at.
func group(f *Facts, at period.Second) []Node {
	holds := map[deviceKey][]*Hold{}
	for i := range f.Holds {
		h := &f.Holds[i]
		key := deviceKey{h.Cluster, h.Node, h.Device}
		holds[key] = append(holds[key], h)
	}
	devices := map[deviceKey][]*Row{}
	for i := range f.Rows {
		r := &f.Rows[i]
		if r.Device == ledger.HostDevice || strings.HasPrefix(r.Device, ledger.HostDevice+"/") {
			continue // the machine itself, not a device
		}
		key := deviceKey{r.Cluster, r.Node, r.Device}
		devices[key] = append(devices[key], r)
	}
	nodes := map[Listed]*Node{}
	for key, rows := range devices {
		d := makeDevice(rows, at)
		where := Listed{key.cluster, key.node}
		if gone(&d, f, where, at) {
			continue
		}
		near := append(slices.Clone(holds[key]), slotHolds(holds[deviceKey{key.cluster, key.node, ""}], d.Index)...)
		placed := f.Placed[key.cluster]+HeldFor >= at
		d.settle(near, placed, at)
		n := nodes[where]
		if n == nil {
			n = &Node{Cluster: key.cluster, Name: key.node}
			nodes[where] = n
		}
		n.Devices = append(n.Devices, d)
	}
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		slices.SortFunc(n.Devices, func(a, b Device) int {
			return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.UUID, b.UUID))
		})
		out = append(out, *n)
	}
	slices.SortFunc(out, func(a, b Node) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// gone reports whether a silent device has left with its machine: its placement source no longer lists it, or no source
// can tell and it has been silent for long.
func gone(d *Device, f *Facts, where Listed, at period.Second) bool {
	if f.Keep || d.Newest+Fresh >= at {
		return false
	}
	placed := f.Placed[where.Cluster]
	if placed+HeldFor >= at { // a placement source currently lists machines
		return f.Nodes[where]+HeldFor < at
	}
	return d.Newest+Forget < at
}

func slotHolds(list []*Hold, slot int32) []*Hold {
	var out []*Hold
	for _, h := range list {
		if h.Slot == slot {
			out = append(out, h)
		}
	}
	return out
}

func makeDevice(rows []*Row, at period.Second) Device {
	first := rows[0]
	d := Device{UUID: first.Device, Model: first.Model, Index: first.Index, Part: Part{Hour: EmptyLine()}}
	for _, r := range rows {
		d.Newest = max(d.Newest, r.LastAt)
	}
	for _, r := range rows {
		d.Model, d.Index = max(d.Model, r.Model), max(d.Index, r.Index)
		p := Part{Hour: EmptyLine()}
		if signal, ok := ActivitySignal(r.SliceID, r.Vectors); ok {
			v := r.Vectors[signal]
			p.Signal, p.Activity = signal, NewestAt(&v, r.Hour, at)
			p.Activity.Value = min(max(p.Activity.Value, 0), 1_000_000)
		}
		if r.SliceID == ledger.WholeDevice {
			d.Part = p
			continue
		}
		// Slices of an older layout are gone.
		if r.LastAt+Fresh >= d.Newest {
			d.Slices = append(d.Slices, Slice{ID: r.SliceID, Profile: r.Profile, Part: p})
		}
	}
	slices.SortFunc(d.Slices, func(a, b Slice) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Profile, b.Profile))
	})
	if wholeSince(rows, d.Newest) {
		d.Slices = nil
	}
	if d.Newest+Fresh < at {
		d.State = Silent
	}
	return d
}

// wholeSince reports whether the newest minute of a device has rows of the card and none of an instance: the card is
// whole again (docs/rules.md 3.3).
func wholeSince(rows []*Row, newest period.Second) bool {
	var whole, slice period.Second
	for _, r := range rows {
		mode := r.Vectors[ledger.SignalMIGMode]
		switch {
		case r.SliceID != ledger.WholeDevice:
			slice = max(slice, r.LastAt)
		case !slices.Contains(mode.Value[:], 1): // otherwise MIG is on, which does not tell the layout
			whole = max(whole, r.LastAt)
		}
	}
	return whole == newest && slice.Floor(period.Minute) < newest.Floor(period.Minute)-period.Minute
}

// settle assigns holders to their parts and sets every part's state.
func (d *Device) settle(holds []*Hold, placed bool, at period.Second) {
	for _, h := range holds {
		if h.Seen+HeldFor < min(at, d.Newest) {
			continue // gone since
		}
		to := &d.Part
		if h.SliceID != ledger.WholeDevice {
			i := slices.IndexFunc(d.Slices, func(s Slice) bool { return s.ID == h.SliceID })
			if i < 0 {
				continue // of an old layout
			}
			to = &d.Slices[i].Part
		}
		to.add(h.Holder)
	}
	if d.State == Silent {
		for i := range d.Slices {
			d.Slices[i].State = Silent
		}
		return
	}
	for i := range d.Slices {
		s := &d.Slices[i]
		s.State = stateOf(s.Activity, len(s.Holders)+len(d.Holders) > 0, placed)
	}
	if len(d.Slices) > 0 {
		d.State = stateOfSlices(d.Slices)
		return
	}
	d.State = stateOf(d.Activity, len(d.Holders) > 0, placed)
}

// add keeps the best source of each holder. The ledger's placement counts only if no newer source names a holder.
func (p *Part) add(h Holder) {
	rank := map[Source]int{FromPlacement: 0, FromRows: 1, FromLedger: 2}
	for i := range p.Holders {
		have := &p.Holders[i]
		if have.Namespace == h.Namespace && have.Name == h.Name {
			have.RunID, have.RunName = cmp.Or(have.RunID, h.RunID), cmp.Or(have.RunName, h.RunName)
			have.Seen = max(have.Seen, h.Seen)
			if rank[h.From] < rank[have.From] {
				have.From = h.From
			}
			return
		}
	}
	p.Holders = append(p.Holders, h)
	slices.SortFunc(p.Holders, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

// Fill adds time lines and the other signals to the nodes of a page, from the rows of the hours that Window touches.
func (s *Snapshot) Fill(rows []Row) {
	byDevice := map[deviceKey]*Device{}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		for j := range n.Devices {
			byDevice[deviceKey{n.Cluster, n.Name, n.Devices[j].UUID}] = &n.Devices[j]
		}
	}
	for i := range rows {
		r := &rows[i]
		if d := byDevice[deviceKey{r.Cluster, r.Node, r.Device}]; d != nil {
			d.fill(r, s.AsOf)
		}
	}
}

func (d *Device) fill(r *Row, asOf period.Second) {
	at := min(asOf, d.Newest)
	signal, known := ActivitySignal(r.SliceID, r.Vectors)
	activity := r.Vectors[signal]
	read := func(into *Reading, signal ledger.Signal) {
		v, ok := r.Vectors[signal]
		if !ok {
			return
		}
		if got := NewestAt(&v, r.Hour, at); got.Known {
			*into = got
		}
	}
	if r.SliceID != ledger.WholeDevice {
		for i := range d.Slices {
			s := &d.Slices[i]
			if s.ID != r.SliceID || s.Profile != r.Profile {
				continue
			}
			if known {
				s.Hour.Put(&activity, r.Hour, asOf)
			}
			read(&s.MemoryUsed, ledger.SignalMemoryUsed)
		}
		return
	}
	if known {
		d.Hour.Put(&activity, r.Hour, asOf)
	}
	read(&d.MemoryUsed, ledger.SignalMemoryUsed)
	read(&d.MemoryFree, ledger.SignalMemoryFree)
	read(&d.Power, ledger.SignalPower)
	read(&d.Temperature, ledger.SignalTemperature)
}

// Known returns how many minutes of the line are known.
func (l *Line) Known() int {
	n := 0
	for _, v := range l {
		if v >= 0 {
			n++
		}
	}
	return n
}
