package part

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Fleet is what the cut of one delivery may depend on: the GPU nodes that bill
// lines can name, and all GPU nodes for lines that name none. Lives are cut
// off at Until, so that what happens later changes no cut.
type Fleet struct {
	byInstance map[string]*ledger.Node
	all        []*ledger.Node // by id
	until      period.Second
}

// NewFleet keeps the nodes with GPUs. named reports whether the book knows
// compute lines of the node in time for this delivery; only such nodes are
// found by resource id.
func NewFleet(nodes []ledger.Node, until period.Second, named func(*ledger.Node) bool) *Fleet {
	f := &Fleet{byInstance: map[string]*ledger.Node{}, until: until}
	for i := range nodes {
		n := &nodes[i]
		if n.GPUs <= 0 {
			continue
		}
		f.all = append(f.all, n)
		if n.InstanceID != "" && named(n) {
			f.byInstance[n.InstanceID] = n
		}
	}
	slices.SortFunc(f.all, func(a, b *ledger.Node) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return f
}

// find returns the fleet node that a resource id names, nil when it names none.
func (f *Fleet) find(resource string) *ledger.Node {
	return f.byInstance[resource[strings.LastIndexByte(resource, '/')+1:]]
}

// up returns the node's life inside an interval.
func (f *Fleet) up(n *ledger.Node, in period.Interval) period.Interval {
	life := n.Life
	life.To = min(life.To, f.until)
	return life.Intersect(in)
}

// digest of the nodes that lines can name: part of every cut.
func (f *Fleet) namedDigest() string {
	h := sha256.New()
	for _, n := range f.all {
		if f.byInstance[n.InstanceID] == n && n.InstanceID != "" {
			h.Write(fmt.Appendf(nil, "%s %q %s\n", n.ID, n.InstanceID, n.OwnerID))
			digestLabels(h, n.Labels)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func digestLabels(h hash.Hash, labels map[string]string) {
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		h.Write(fmt.Appendf(nil, "%q=%q\n", k, labels[k]))
	}
}

// digest of lives and of what lines without a resource are matched by: part of
// a cut only where long or pooled lines made use of them.
func (f *Fleet) livesDigest() string {
	h := sha256.New()
	for _, n := range f.all {
		life := f.up(n, period.Interval{From: n.Life.From, To: n.Life.To})
		h.Write(fmt.Appendf(nil, "%s %d %d %q %q %q %q %q\n", n.ID, life.From, life.To, n.Account, n.InstanceType, n.Region, n.Zone, n.PriceClass))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

const livesUnused = "-"

// Current reports whether a delivery that was cut with the recorded digest
// would be cut the same with this fleet. An empty digest was never cut.
func (f *Fleet) Current(digest string) bool {
	named, lives, ok := strings.Cut(digest, ":")
	return ok && named == f.namedDigest() && (lives == livesUnused || lives == f.livesDigest())
}
