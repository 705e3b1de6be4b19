package share

import (
	"cmp"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Consumer is an owner that held something in a month and cluster (rule 12.3).
type Consumer struct {
	Owner ledger.ID
	Team  string
	// GPU-hours of held rows, and those of them with cause used.
	Held, Used money.Amount
}

// Weight is an owner's weight.
type Weight struct {
	Owner  ledger.ID
	Amount money.Amount
}

// plan is who pays by which weight: groups by their weight, and in each group the members by theirs. A single group
// takes everything.
type plan []group

type group struct {
	name    string
	weight  int64
	members []member
	total   money.Amount
	weights []*big.Int // of members, in units of 1e-12 or finer
}

type member struct {
	owner  ledger.ID
	weight money.Amount
}

// one is the plan in which a single owner pays all.
func one(owner ledger.ID) plan {
	g := group{weight: 1, members: []member{{owner, money.FromUnits(money.UnitsPerOne)}}}
	g.finish()
	return plan{g}
}

// byWeight is the plan of one group; owners without a positive weight do not pay, and without any payer there is no
// plan.
func byWeight(weights []Weight) plan {
	g := group{weight: 1}
	for _, w := range weights {
		if w.Amount.Sign() > 0 {
			g.members = append(g.members, member{w.Owner, w.Amount})
		}
	}
	if len(g.members) == 0 {
		return nil
	}
	g.finish()
	return plan{g}
}

// byTeam divides between teams by weight first, and within a team by held GPU-hours. Teams without held GPU-hours or
// without a positive weight pay nothing.
func byTeam(consumers []Consumer, weight func(team string) int64) plan {
	teams := map[string]*group{}
	for _, c := range consumers {
		w := weight(c.Team)
		if w <= 0 || c.Held.Sign() <= 0 {
			continue
		}
		g := teams[c.Team]
		if g == nil {
			g = &group{name: c.Team, weight: w}
			teams[c.Team] = g
		}
		g.members = append(g.members, member{c.Owner, c.Held})
	}
	var p plan
	for _, g := range teams {
		g.finish()
		p = append(p, *g)
	}
	slices.SortFunc(p, func(x, y group) int { return cmp.Compare(x.name, y.name) })
	return p
}

// finish sorts members and puts their weights on one scale.
func (g *group) finish() {
	sortByOwner(g.members, func(m *member) ledger.ID { return m.owner })
	finest := money.Digits
	for _, m := range g.members {
		_, scale := m.weight.Scaled()
		finest = max(finest, scale)
	}
	for _, m := range g.members {
		g.total = g.total.Add(m.weight)
		coef, scale := m.weight.Scaled()
		g.weights = append(g.weights, coef.Mul(coef, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(finest-scale)), nil)))
	}
}

// split divides an amount over the members, group by group.
func (p plan) split(amount money.Amount) ([][]money.Amount, error) {
	whole := []money.Amount{amount}
	if len(p) > 1 {
		weights := make([]*big.Int, len(p))
		for i := range p {
			weights[i] = big.NewInt(p[i].weight)
		}
		var err error
		if whole, err = money.Split(amount, weights); err != nil {
			return nil, err
		}
	}
	shares := make([][]money.Amount, len(p))
	for i := range p {
		var err error
		if shares[i], err = money.Split(whole[i], p[i].weights); err != nil {
			return nil, err
		}
	}
	return shares, nil
}
