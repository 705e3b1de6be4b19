package bills

import (
	"math/big"
	"strings"

	"gpuledger/internal/fleetsim/world"
)

// awsBill is the CUR 2.0 of the account: the state that counts, and the
// earlier one that was delivered before it.
type awsBill struct {
	w            *world.World
	lines, first []*billLine
}

func newAWSBill(w *world.World) Bill {
	b := &awsBill{w: w, lines: awsLines(w)}
	if w.Config.Restate {
		b.first = earlierState(w, b.lines)
	}
	return b
}

// Charges implements Bill.
func (b *awsBill) Charges() []*Charge {
	out := make([]*Charge, 0, len(b.lines))
	for _, l := range b.lines {
		out = append(out, l.charge())
	}
	return out
}

// Write implements Bill.
func (b *awsBill) Write(dir string, m *Files) (err error) {
	m.BillLines += int64(len(b.lines))
	if b.first != nil {
		if m.AWSFirst, err = writeCUR(b.w, dir, b.first, 0); err != nil {
			return err
		}
		m.AWSCUR, err = writeCUR(b.w, dir, b.lines, 1)
		return err
	}
	m.AWSCUR, err = writeCUR(b.w, dir, b.lines, -1)
	return err
}

// earlierState is the bill half a day before: shorter, a few spot prices not settled, without the credits of finance,
// with a charge that was later removed.
func earlierState(w *world.World, final []*billLine) []*billLine {
	var out []*billLine
	until := w.BillTo - 12*3600
	for i, l := range final {
		if l.from >= until || l.kind == "Credit" && l.resource == "" {
			continue
		}
		old := *l
		switch {
		case l.term == "Spot" && i%11 == 0:
			old.cost = world.AsDouble(new(big.Rat).Mul(world.OfDouble(l.cost), big.NewRat(103, 100)))
		case l.kind == "Tax":
			old.cost = world.AsDouble(new(big.Rat).Mul(world.OfDouble(l.cost), big.NewRat(7, 10)))
		}
		out = append(out, &old)
	}
	wrong := simple(w.From+3600, w.From+2*3600, "AmazonEC2", "NatGateway-Hours", "NatGateway",
		"arn:aws:ec2:us-east-1:"+world.Payer+":natgateway/nat-0b17c2aa90f3d4e55", "1", "0.0450000000", "Hrs")
	out = append(out, wrong)
	numberLines(w, out)
	return out
}

// charge is the line rule of CUR 2.0.
func (l *billLine) charge() *Charge {
	c := &Charge{Amounts: l.measures(), Billing: world.Payer, Account: world.Payer, Period: l.period, Currency: "USD",
		File: l.file, Line: l.line, ID: l.id(), Interval: l.interval(),
		From: l.from, To: l.to, Node: l.node, Team: l.tags["user_team"], Service: l.product,
		UsageType: l.usageType, Region: world.Region, Plan: l.reservation}
	if strings.HasPrefix(l.kind, "SavingsPlan") {
		c.Plan = planARN
	}
	machine := strings.HasPrefix(l.usageType, "BoxUsage:") || strings.HasPrefix(l.usageType, "SpotUsage:")
	switch {
	case l.splitOf != nil:
		c.Rule, c.Node = SplitRow, nil
	case l.kind == "Tax":
		c.Rule = Invoice
	case l.kind == "SavingsPlanNegation":
		c.Rule, c.Commitment = Negation, planARN
	case l.unused, l.kind == "SavingsPlanRecurringFee", l.kind == "RIFee", l.kind == "Fee" && l.reservation != "":
		c.Rule = Fee
	case l.kind == "Fee" && l.block:
		c.Rule, c.Block, c.Zone, c.Seconds = Prepaid, world.TypeOf(l.instanceType), l.zone, l.seconds()
	case l.node != nil && machine:
		c.Rule = OfMachine
		if l.kind == "SavingsPlanCoveredUsage" {
			c.Covered, c.Commitment = true, planARN
		}
		if l.usage != nil && l.kind != "EdpDiscount" {
			c.Seconds = l.seconds()
		}
		if c.Bought = "on_demand"; l.term == "Spot" {
			c.Bought = "spot"
		}
		if c.Seconds == 0 { // discounts
			c.Bought = ""
		}
	case l.node != nil || l.product == "AmazonEKS":
		c.Rule = Attached
	case l.kind == "Credit":
		c.Rule = Wide
		if !machine {
			c.UsageType = ""
		}
	case strings.HasPrefix(l.instanceType, "ml."):
		c.Rule = Metered
	default:
		c.Rule = Elsewhere
	}
	if c.Plan != "" {
		c.Bought = "covered"
	}
	return c
}

// measures are the four costs of a line.
func (l *billLine) measures() Amounts {
	cost := world.OfDouble(l.cost)
	a := Amounts{Effective: cost, Billed: cost, Contracted: cost}
	if l.listCost != nil {
		a.List = world.OfDouble(*l.listCost)
	}
	switch {
	case l.splitOf != nil:
		zero := new(big.Rat)
		a = Amounts{zero, zero, zero, zero}
	case l.kind == "SavingsPlanCoveredUsage":
		a.Effective = world.OfDouble(*l.effective)
	case l.kind == "SavingsPlanNegation":
		a.Effective, a.Contracted = new(big.Rat), new(big.Rat)
	case l.kind == "SavingsPlanRecurringFee":
		a.Effective = new(big.Rat).Sub(world.OfDouble(*l.committed), world.OfDouble(*l.used))
		a.Contracted = new(big.Rat)
	case l.kind == "DiscountedUsage":
		a.Effective, a.Contracted = world.OfDouble(*l.ri.effective), a.List
	case l.kind == "RIFee":
		a.Effective = new(big.Rat).Add(world.OfDouble(*l.ri.unusedUpfront), world.OfDouble(*l.ri.unusedRecurring))
		a.Contracted = new(big.Rat)
	case l.kind == "Fee" && l.reservation != "":
		a.Effective, a.Contracted = new(big.Rat), new(big.Rat)
	}
	return a
}

// seconds is the instance time of a line, rounded half up.
func (l *billLine) seconds() int64 {
	if l.usage == nil {
		return 0
	}
	return world.RoundHalfUp(new(big.Rat).Mul(world.OfDouble(*l.usage), big.NewRat(3600, 1)))
}
