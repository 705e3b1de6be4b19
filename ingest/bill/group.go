package bill

import (
	"slices"
	"sort"
	"strings"

	"gpuledger/internal/ledger"
)

// group gathers candidates that may be one delivery or repeat each other.
func (p *Plan) group(owner map[int]*Manifest) [][]*candidate {
	groups := map[string][]*candidate{}
	for i, f := range p.files {
		if f.skip {
			continue
		}
		m := owner[i]
		for u := range f.sv.units {
			c := &candidate{unit: u, folder: f.sv.File.Folder(), manifest: m, parts: []part{{file: i, unit: u}}}
			c.unit.Scope = f.scope[u]
			at := []string{c.unit.Scope, u.Partition, u.Dataset, "folder", c.folder}
			if appending(p.format, c.unit) {
				at[3], at[4] = "append", "" // rows of a day may be in folders of other days
			}
			if m != nil {
				at = []string{c.unit.Scope, u.Partition, u.Dataset, "manifest", m.Export, m.ExecutionID}
				for _, d := range m.DataFiles {
					at = append(at, d.Name)
				}
			}
			id := strings.Join(at, "\x00")
			groups[id] = append(groups[id], c)
		}
	}
	out := make([][]*candidate, 0, len(groups))
	for _, id := range sortedKeys(groups) {
		g := groups[id]
		sort.Slice(g, func(i, j int) bool {
			if g[i].unit.Load != g[j].unit.Load {
				return g[i].unit.Load < g[j].unit.Load
			}
			return g[i].parts[0].file < g[j].parts[0].file
		})
		out = append(out, g)
	}
	return out
}

// separate decides whether the candidates of a group are parts of one delivery or several
// deliveries of the same partition. A line item occurs once in a delivery, so candidates that
// share line items are separate deliveries.
func (p *Plan) separate(group []*candidate) ([]*candidate, *ledger.FileError) {
	if group[0].appended(p.format) {
		one, err := p.separateAppended(group)
		return []*candidate{one}, err
	}
	if len(group) == 1 {
		return group, nil
	}
	if group[0].manifest != nil {
		return []*candidate{join(group)}, nil
	}
	// a loader's loads are separate deliveries
	if !slices.ContainsFunc(group, func(c *candidate) bool { return c.unit.Load != "" }) {
		left, err := p.withoutOlderParts(group)
		if err != nil || len(left) == 1 {
			return left, err
		}
		group = left
	}
	if p.disjoint(group) {
		if err := p.sameSubjects(group); err != nil {
			return nil, err
		}
		return []*candidate{join(group)}, nil
	}
	var out []*candidate
	for from := 0; from < len(group); {
		to := from + 1
		for to < len(group) && group[to].unit.Load == group[from].unit.Load {
			to++
		}
		load := group[from:to]
		switch {
		case len(load) == 1 || p.disjoint(load):
			if load[0].unit.Load == "" && len(load) > 1 {
				return nil, p.undecided(load)
			}
			if err := p.sameSubjects(load); err != nil {
				return nil, err
			}
			out = append(out, join(load))
		case p.allOverlap(load):
			out = append(out, load...)
		default:
			return nil, p.undecided(load)
		}
		from = to
	}
	return out, nil
}

// appends reports whether all deliveries of a format add to each other, appending whether those
// of a unit do.
func appends(format Format) bool              { return appending(format, Unit{}) }
func appending(format Format, unit Unit) bool { return format.Describe(unit).Kind == ledger.Append }

// mixed reports whether some deliveries of a format may.
func mixed(format Format) bool {
	m, ok := format.(Mixed)
	return ok && m.MayAppend()
}

// appended reports whether a candidate adds to others; a delivery with a manifest is complete.
func (c *candidate) appended(format Format) bool {
	return c.manifest == nil && appending(format, c.unit)
}

func (p *Plan) undecided(load []*candidate) *ledger.FileError {
	return p.undecidedBecause(load, "repeated line items",
		"some of these files repeat line items of others and some do not, so the files of one delivery cannot be "+
			"determined; delete files left behind by an earlier delivery, or import each delivery separately, oldest first, "+
			"with --delivered-at")
}

func (p *Plan) undecidedBecause(load []*candidate, reason, detail string) *ledger.FileError {
	return &ledger.FileError{Rejection: ledger.Rejection{File: p.namesOf(load), Reason: reason, Detail: detail}}
}

func (p *Plan) lines(c *candidate) []uint64 {
	u := p.files[c.parts[0].file].sv.units[c.parts[0].unit]
	if !slices.IsSorted(u.lines) {
		slices.Sort(u.lines)
	}
	return u.lines
}

// disjoint reports whether no line item occurs in two candidates.
func (p *Plan) disjoint(cs []*candidate) bool {
	var all []uint64
	for _, c := range cs {
		all = append(all, slices.Compact(slices.Clone(p.lines(c)))...)
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			return false
		}
	}
	return true
}

func (p *Plan) allOverlap(cs []*candidate) bool {
	for i := range cs {
		for j := range i {
			if !share(p.lines(cs[i]), p.lines(cs[j])) {
				return false
			}
		}
	}
	return true
}

// share reports whether two sorted lists have an element in common.
func share(a, b []uint64) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

func join(cs []*candidate) *candidate {
	whole := *cs[0]
	for _, c := range cs[1:] {
		whole.parts = append(whole.parts, c.parts...)
		whole.unit.Load = max(whole.unit.Load, c.unit.Load)
	}
	return &whole
}
