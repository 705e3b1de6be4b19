package part

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// target is the destination of a whole charge.
type target struct {
	kind   ledger.PartKind
	node   *ledger.Node   // nil if none
	pool   []*ledger.Node // for pooled lines, by id
	method string
}

// outside is the target of everything that is not in the fleet (rule 8.10).
var outside = target{kind: ledger.PartNonGPU, method: Elsewhere}

// slots reports whether the charge goes to the slots of nodes, whose holders own it.
func (t target) slots() bool {
	return t.kind == ledger.PartCompute && (t.node != nil || len(t.pool) > 0)
}

// nodes lists the nodes whose slots it goes to.
func (t target) nodes() []*ledger.Node {
	if t.node != nil {
		return []*ledger.Node{t.node}
	}
	return t.pool
}

// gpus is the number of GPUs of the machine, or of each in the pool; 0 if they differ.
func (t target) gpus() int64 {
	if t.node != nil {
		return int64(t.node.GPUs)
	}
	for _, n := range t.pool {
		if n.GPUs != t.pool[0].GPUs {
			return 0
		}
	}
	if len(t.pool) == 0 {
		return 0
	}
	return int64(t.pool[0].GPUs)
}

// ofFleet reports whether it counts in the fleet's base (rule 8.8).
func (t target) ofFleet() bool { return inFleet(t.kind) }

func inFleet(kind ledger.PartKind) bool {
	switch kind {
	case ledger.PartCompute, ledger.PartShared, ledger.PartMetered:
		return true
	}
	return false
}

// classify applies rules 8.5, 8.9, 8.10, 8.19 and 8.21 to lines that are not a negation, fee, prepaid, split or
// invoice-wide charge.
func (c *Cutter) classify(ch *ledger.Charge) target {
	if ch.Aggregate != nil {
		return outside
	}
	if m := c.fleet.machinesOf(ch); len(m.nodes) > 0 {
		return c.ofMachines(ch, m)
	}
	switch {
	case c.managed(ch):
		return target{kind: ledger.PartMetered, method: ByService}
	case ledger.ControlPlane(ch) && !c.fleet.hasCluster(ch):
		return outside
	case ledger.ControlPlane(ch):
		return target{kind: ledger.PartShared, method: ByResource}
	case !ch.InstanceHours || !billsTime(ch):
		return outside
	case ch.InstanceID == "" && ch.ResourceID == "":
		if ch.Period.Seconds() > longest { // a line over years is not instance time of a machine
			return outside
		}
		if pool := c.alike(ch); len(pool) > 0 {
			return target{kind: ledger.PartCompute, pool: pool, method: Pooled}
		}
	}
	if c.billsGPU(ch) { // GPUs were paid for, but it is unknown which
		return target{kind: ledger.PartCompute, method: NoNode}
	}
	return outside
}

// ofMachines is for lines that name a machine, or a group of machines, of the fleet.
func (c *Cutter) ofMachines(ch *ledger.Charge, m machines) target {
	// It is unknown whether all machines of a pool were seen.
	one := len(m.nodes) == 1 && !m.maybe && !m.pool
	switch {
	case one && ch.InstanceHours:
		return target{kind: ledger.PartCompute, node: m.nodes[0], method: ByResource}
	case one:
		return target{kind: ledger.PartShared, node: m.nodes[0], method: ByResource}
	case !ch.InstanceHours:
		return target{kind: ledger.PartShared, method: ByResource}
	}
	if ch.Period.Seconds() <= longest {
		c.dependOnLives(ch.Period)
		if pool := c.upIn(m.nodes, ch.Period); len(pool) > 0 {
			return target{kind: ledger.PartCompute, pool: pool, method: Pooled}
		}
	}
	return target{kind: ledger.PartCompute, method: NoNode}
}

// managed reports whether the line bills GPUs of a managed service (rule 8.21).
func (c *Cutter) managed(ch *ledger.Charge) bool {
	if pool := ledger.HyperPodPool(ch.InstanceID); !pool && (ch.InstanceHours || ch.InstanceID != "") {
		return false
	}
	if !billsTime(ch) && (ch.Kind != ledger.LineDiscount || ch.ResourceID == "") {
		return false
	}
	return ch.BillsGPU || managedType(ch.InstanceType) && c.billsGPU(ch)
}

// managedType reports whether a type belongs to a managed service; otherwise a line without instance hours may name a
// type for other reasons.
func managedType(name string) bool { return len(name) > 3 && (name[:3] == "ml." || name[:3] == "ML.") }

// billsGPU reports whether a line bills GPUs, by its own data or its type.
func (c *Cutter) billsGPU(ch *ledger.Charge) bool {
	if ch.BillsGPU {
		return true
	}
	key := [2]string{ch.Provider, ch.InstanceType}
	yes, known := c.types[key]
	if !known {
		yes = c.fleet.gpuType(ch.Provider, ch.InstanceType)
		c.types[key] = yes
	}
	return yes
}

// billsTime reports whether the line's time is its own: discounts and credits repeat the time of the line that they
// modify.
func billsTime(ch *ledger.Charge) bool {
	return ch.Kind == ledger.LineUsage || ch.Kind == ledger.LineCoveredUsage
}

// alike finds the nodes that a line without a machine may have billed: same type; same account, place and price class
// as far as both sides know them; and up in its period.
func (c *Cutter) alike(ch *ledger.Charge) []*ledger.Node {
	// Fleet.named can change so that a type outside the fleet joins it.
	if ch.InstanceType == "" || len(c.fleet.byType[ch.InstanceType]) == 0 && !c.billsGPU(ch) {
		return nil
	}
	c.dependOnLives(ch.Period)
	return c.upIn(c.matching(ch), ch.Period)
}

// matching lists the nodes of the line's type that agree with it.
func (c *Cutter) matching(ch *ledger.Charge) []*ledger.Node {
	agree := func(a, b string) bool { return a == "" || b == "" || a == b }
	var out []*ledger.Node
	for _, n := range c.fleet.byType[ch.InstanceType] {
		if agree(n.Account, ch.Account) && agree(n.Zone, ch.Zone) && agree(n.Region, ch.Region) &&
			agree(string(n.PriceClass), string(ch.PriceClass)) {
			out = append(out, n)
		}
	}
	return out
}

func (c *Cutter) upIn(nodes []*ledger.Node, in period.Interval) []*ledger.Node {
	var out []*ledger.Node
	for _, n := range nodes {
		if !c.fleet.up(n, in).Empty() {
			out = append(out, n)
		}
	}
	return out
}
