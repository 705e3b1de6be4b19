package pricebook

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/ledger"
)

var (
	nodeKeys    = []string{"name", "provider_id"}
	patternKeys = []string{"pattern", "first", "count"}
	placeOfNo   = regexp.MustCompile(`%(0[1-9])?d`)
)

// machines reads the nodes of an entry: a list of names, or of mappings with name and
// provider_id; a mapping with pattern, first and count; or no nodes but a count, for machines
// named after the entry.
func (p *parser) machines(m *mapping, e *Owned) []Machine {
	n := m.nodes["nodes"]
	count := m.whole("count", 1, maxMachines)
	var out []Machine
	switch {
	case n != nil && m.nodes["count"] != nil:
		m.reject("count", "unused value", "count is not needed: nodes lists the machines")
	case n == nil && count == 0:
		if !m.bad() {
			m.reject("nodes", "missing value", "a list of node names, a pattern, or a count is expected")
		}
	case n == nil:
		out = p.numbered(m, e, e.Name+"-%d", 1, count)
	case n.Kind == yaml.MappingNode:
		c := p.mapping(n, "nodes.", patternKeys)
		pattern, first, count := c.need("pattern"), c.whole("first", 0, maxMachines), c.whole("count", 1, maxMachines)
		if c.text("first") == "" {
			first = 1
		}
		if count == 0 && !c.bad() {
			c.reject("count", "missing value", "a pattern needs a count")
		}
		if !c.bad() {
			out = p.numbered(c, e, pattern, first, count)
		}
	default:
		for _, item := range m.list("nodes") {
			if machine, ok := p.machine(item, e); ok {
				out = append(out, machine)
			}
		}
		if len(out) == 0 && !m.bad() {
			m.reject("nodes", "missing value", "the list of nodes is empty")
		}
	}
	p.distinct(m, out)
	return out
}

// numbered makes names from a pattern with one %d, or %03d.
func (p *parser) numbered(m *mapping, e *Owned, pattern string, first, count int64) []Machine {
	places := placeOfNo.FindAllStringIndex(pattern, -1)
	if len(places) != 1 {
		m.reject("pattern", "not a pattern", fmt.Sprintf("%q needs exactly one %%d (or %%02d) for the number", pattern))
		return nil
	}
	if p.machinesRead += int(count); p.machinesRead > maxMachines {
		m.reject("count", "too large", fmt.Sprintf("a book has at most %d machines", maxMachines))
		return nil
	}
	verb := pattern[places[0][0]:places[0][1]]
	out := make([]Machine, 0, count)
	for i := first; i < first+count; i++ {
		digits := strconv.FormatInt(i, 10)
		if len(verb) == len("%02d") {
			digits = strings.Repeat("0", max(0, int(verb[2]-'0')-len(digits))) + digits
		}
		out = append(out, e.machine(pattern[:places[0][0]]+digits+pattern[places[0][1]:], ""))
	}
	return out
}

// machine reads one item of a list of nodes.
func (p *parser) machine(n *yaml.Node, e *Owned) (Machine, bool) {
	if p.machinesRead++; p.machinesRead > maxMachines {
		if p.machinesRead == maxMachines+1 {
			p.reject(n.Line, "nodes", "too large", fmt.Sprintf("a book has at most %d machines", maxMachines))
		}
		return Machine{}, false
	}
	if n.Kind == yaml.ScalarNode {
		if n.Value == "" || n.Tag == "!!null" {
			p.reject(n.Line, "nodes", "missing value", "a node has a name")
			return Machine{}, false
		}
		return e.machine(n.Value, ""), true
	}
	m := p.mapping(n, "nodes.", nodeKeys)
	name := m.need("name")
	if m.bad() {
		return Machine{}, false
	}
	return e.machine(name, m.text("provider_id")), true
}

func (e *Owned) machine(name, providerID string) Machine {
	return Machine{Name: name, InstanceID: ledger.InstanceKeys(e.Cluster, name, providerID, "")[0]}
}

func (p *parser) distinct(m *mapping, all []Machine) {
	seen := make(map[string]bool, len(all))
	for _, a := range all {
		if seen[a.InstanceID] {
			m.reject("nodes", "repeated node", a.InstanceID+" is listed twice")
			return
		}
		seen[a.InstanceID] = true
	}
}
