package fleetsim

import (
	"math/big"
	"strings"
)

// awsBill is the CUR 2.0 of the account: the state that counts, and the
// earlier one that was delivered before it.
type awsBill struct {
	w            *world
	lines, first []*billLine
}

func (w *world) awsBill() bill {
	b := &awsBill{w: w, lines: w.awsLines()}
	if w.cfg.Restate {
		b.first = w.earlierState(b.lines)
	}
	return b
}

func (b *awsBill) charges() []*charge {
	out := make([]*charge, 0, len(b.lines))
	for _, l := range b.lines {
		out = append(out, l.charge())
	}
	return out
}

func (b *awsBill) write(dir string, m *Manifest) (err error) {
	m.BillLines += int64(len(b.lines))
	if b.first != nil {
		if m.AWSFirst, err = b.w.writeCUR(dir, b.first, 0); err != nil {
			return err
		}
		m.AWSCUR, err = b.w.writeCUR(dir, b.lines, 1)
		return err
	}
	m.AWSCUR, err = b.w.writeCUR(dir, b.lines, -1)
	return err
}

// earlierState is the bill as it stood half a day before: shorter, a few spot
// prices not settled, without the credits of finance, with a charge that was
// taken back.
func (w *world) earlierState(final []*billLine) []*billLine {
	var out []*billLine
	until := w.billTo - 12*3600
	for i, l := range final {
		if l.from >= until || l.kind == "Credit" && l.resource == "" {
			continue
		}
		old := *l
		switch {
		case l.term == "Spot" && i%11 == 0:
			old.cost = asDouble(new(big.Rat).Mul(ofDouble(l.cost), big.NewRat(103, 100)))
		case l.kind == "Tax":
			old.cost = asDouble(new(big.Rat).Mul(ofDouble(l.cost), big.NewRat(7, 10)))
		}
		out = append(out, &old)
	}
	wrong := simple(w.from+3600, w.from+2*3600, "AmazonEC2", "NatGateway-Hours", "NatGateway", "arn:aws:ec2:us-east-1:"+payer+":natgateway/nat-0b17c2aa90f3d4e55", "1", "0.0450000000", "Hrs")
	out = append(out, wrong)
	w.number(out)
	return out
}

// charge is the line rule of CUR 2.0.
func (l *billLine) charge() *charge {
	c := &charge{amounts: l.measures(), billing: payer, account: payer, period: l.period, currency: "USD", file: l.file, line: l.line, id: l.id(), interval: l.interval(),
		from: l.from, to: l.to, node: l.node, team: l.tags["user_team"], service: l.product, usageType: l.usageType, region: region, plan: l.reservation}
	if strings.HasPrefix(l.kind, "SavingsPlan") {
		c.plan = planARN
	}
	machine := strings.HasPrefix(l.usageType, "BoxUsage:") || strings.HasPrefix(l.usageType, "SpotUsage:")
	switch {
	case l.splitOf != nil:
		c.rule, c.node = splitRow, nil
	case l.kind == "Tax":
		c.rule = invoice
	case l.kind == "SavingsPlanNegation":
		c.rule, c.commitment = negation, planARN
	case l.unused, l.kind == "SavingsPlanRecurringFee", l.kind == "RIFee", l.kind == "Fee" && l.reservation != "":
		c.rule = fee
	case l.kind == "Fee" && l.block:
		c.rule, c.block, c.zone, c.seconds = prepaid, typeOf(l.instanceType), l.zone, l.seconds()
	case l.node != nil && machine:
		c.rule = ofMachine
		if l.kind == "SavingsPlanCoveredUsage" {
			c.covered, c.commitment = true, planARN
		}
		if l.usage != nil && l.kind != "EdpDiscount" {
			c.seconds = l.seconds()
		}
		if c.bought = "on_demand"; l.term == "Spot" {
			c.bought = "spot"
		}
		if c.seconds == 0 { // discounts
			c.bought = ""
		}
	case l.node != nil || l.product == "AmazonEKS":
		c.rule = attached
	case l.kind == "Credit":
		c.rule = wide
		if !machine {
			c.usageType = ""
		}
	case strings.HasPrefix(l.instanceType, "ml."):
		c.rule = metered
	default:
		c.rule = elsewhere
	}
	if c.plan != "" {
		c.bought = "covered"
	}
	return c
}

// measures are the four costs of a line.
func (l *billLine) measures() amounts {
	cost := ofDouble(l.cost)
	a := amounts{effective: cost, billed: cost, contracted: cost}
	if l.listCost != nil {
		a.list = ofDouble(*l.listCost)
	}
	switch {
	case l.splitOf != nil:
		zero := new(big.Rat)
		a = amounts{zero, zero, zero, zero}
	case l.kind == "SavingsPlanCoveredUsage":
		a.effective = ofDouble(*l.effective)
	case l.kind == "SavingsPlanNegation":
		a.effective, a.contracted = new(big.Rat), new(big.Rat)
	case l.kind == "SavingsPlanRecurringFee":
		a.effective = new(big.Rat).Sub(ofDouble(*l.committed), ofDouble(*l.used))
		a.contracted = new(big.Rat)
	case l.kind == "DiscountedUsage":
		a.effective, a.contracted = ofDouble(*l.ri.effective), a.list
	case l.kind == "RIFee":
		a.effective = new(big.Rat).Add(ofDouble(*l.ri.unusedUpfront), ofDouble(*l.ri.unusedRecurring))
		a.contracted = new(big.Rat)
	case l.kind == "Fee" && l.reservation != "":
		a.effective, a.contracted = new(big.Rat), new(big.Rat)
	}
	return a
}

// seconds is the instance time of a line, rounded half up.
func (l *billLine) seconds() int64 {
	if l.usage == nil {
		return 0
	}
	return roundHalfUp(new(big.Rat).Mul(ofDouble(*l.usage), big.NewRat(3600, 1)))
}
