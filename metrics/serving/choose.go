package serving

import (
	"cmp"
	"slices"
)

// called names series without a model after the only model that other series of the same layer in the process' pod name
// on the day.
func called(list []series, named map[layer]map[namedModel]bool) []series {
	out := slices.Clone(list)
	for i := range out {
		s := &out[i]
		if s.unnamed && len(named[s.layer]) == 1 {
			for n := range named[s.layer] {
				s.model, s.version = n.model, n.version
			}
		}
	}
	return out
}

// namedModel is a server's model, joined.
type namedModel struct{ model, version string }

// namedOn lists the models that each replica's servers name on the day.
func (d *Day) namedOn() map[int]map[layer]map[namedModel]bool {
	out := map[int]map[layer]map[namedModel]bool{}
	for at, list := range d.series {
		for i := range list {
			s := &list[i]
			if s.unnamed || !s.traffic {
				continue
			}
			of := out[at.replica]
			if of == nil {
				of = map[layer]map[namedModel]bool{}
				out[at.replica] = of
			}
			if of[s.layer] == nil {
				of[s.layer] = map[namedModel]bool{}
			}
			of[s.layer][namedModel{s.model, s.version}] = true
		}
	}
	return out
}

// chosen are the series of a workload and hour that count: those of its service's layer in the hour. Per model one
// server counts; kinds that it does not count come from other servers that name the model.
func chosen(list []series, of layer) []series {
	list = slices.Clone(list)
	list = slices.DeleteFunc(list, func(s series) bool { return s.layer != of || !s.traffic })
	servers := map[string][]string{} // by model, the preferred server first
	tokens := map[[2]string]bool{}   // of (model, server)
	for i := range list {
		s := &list[i]
		k := [2]string{s.model, s.server}
		tokens[k] = tokens[k] || s.tally.tokens()
		if !slices.Contains(servers[s.model], s.server) {
			servers[s.model] = append(servers[s.model], s.server)
		}
	}
	var out []series
	for model, names := range servers {
		slices.SortFunc(names, func(a, b string) int {
			if x, y := tokens[[2]string{model, a}], tokens[[2]string{model, b}]; x != y {
				if x {
					return -1
				}
				return 1
			}
			return cmp.Compare(a, b)
		})
		var mine []series
		var have groups
		for _, server := range names {
			more := slices.DeleteFunc(slices.Clone(list), func(s series) bool { return s.model != model || s.server != server })
			mine, have = filled(mine, more, names[0], have)
		}
		out = append(out, mine...)
	}
	slices.SortFunc(out, func(a, b series) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.server, b.server), cmp.Compare(a.tenant, b.tenant),
			cmp.Compare(a.version, b.version))
	})
	return out
}

// filled adds to the series of a model the kinds that only another server counts, under the preferred server's name.
func filled(mine, more []series, server string, have groups) ([]series, groups) {
	counts := have
	for i := range more {
		counts = counts.and(more[i].tally.groups())
	}
	for _, s := range more {
		part := s.tally.without(have)
		i := slices.IndexFunc(mine, func(m series) bool { return m.tenant == s.tenant && m.version == s.version })
		if i < 0 && len(mine) == 1 && s.server != server {
			i = 0 // it does not separate tenants or versions
		}
		switch {
		case i >= 0:
			sum := &tally{}
			sum.add(mine[i].tally)
			sum.add(part)
			mine[i].tally = sum
		case s.server == server || part.groups() != (groups{}):
			s.server, s.tally = server, part
			mine = append(mine, s)
		}
	}
	return mine, counts
}
