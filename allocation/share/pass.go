package share

import (
	"fmt"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// had is one giver's share of a pool.
type had struct {
	owner ledger.ID
	ledger.Costs
}

// side is one owner's two sides: the cost that the owner had, and the cost to pay.
type side struct {
	had, pays ledger.Costs
	giver     bool
	row       Row
}

// pass divides the givers' cost over the plan, metric by metric, and nets the part that comes back to a giver. Nil if
// nothing moves.
func pass(key Key, givers []had, p plan, rule Rule) (*Shared, error) {
	out := &Shared{Key: key, ID: key.ID(), Rule: rule}
	sides := map[ledger.ID]*side{}
	at := func(owner ledger.ID) *side {
		s := sides[owner]
		if s == nil {
			s = &side{row: Row{Owner: owner}}
			sides[owner] = s
		}
		return s
	}
	for i := range givers {
		s := at(givers[i].owner)
		s.giver = true
		add(&s.had, &givers[i].Costs)
		add(&out.Total, &givers[i].Costs)
	}
	teams := int64(0)
	for i := range p {
		teams += p[i].weight
	}
	for i := range p {
		for _, m := range p[i].members {
			r := &at(m.owner).row
			r.Weight, r.WeightOf = m.weight, p[i].total
			if p[i].name != "" {
				r.TeamWeight, r.TeamWeightOf = p[i].weight, teams
			}
		}
	}
	for _, metric := range ledger.Metrics {
		total := out.Total.Get(metric)
		if total == nil {
			continue
		}
		shares, err := p.split(*total)
		if err != nil {
			return nil, fmt.Errorf("pool of %s on %s in %q: %s: %w", key.Cause, key.Day, key.Cluster, metric, err)
		}
		for i := range p {
			for j, m := range p[i].members {
				set(&at(m.owner).pays, metric, shares[i][j])
			}
		}
	}
	for _, s := range sides {
		if s.net(&out.Total); !s.row.CarriesMoney() {
			continue
		}
		s.row.ID = rowID(out.ID, s.row.Kind, s.row.Owner)
		out.Rows = append(out.Rows, s.row)
	}
	if len(out.Rows) == 0 {
		return nil, nil
	}
	sortByOwner(out.Rows, func(r *Row) ledger.ID { return r.Owner })
	return out, nil
}

// net computes the amount that moves from the cost that the owner had and the cost to pay. An amount with the sign of
// the pool's total comes in, the rest goes out.
func (s *side) net(total *ledger.Costs) {
	s.row.Kind = ledger.SharedIn
	if s.giver {
		s.row.Kind = ledger.SharedOut
	}
	for _, metric := range ledger.Metrics {
		t := total.Get(metric)
		if t == nil {
			continue
		}
		net := known(s.pays.Get(metric)).Sub(known(s.had.Get(metric)))
		set(&s.row.Costs, metric, net)
		if s.giver && metric == ledger.EffectiveCost && net.Sign()*t.Sign() > 0 {
			s.row.Kind = ledger.SharedIn // pays more of a spread discount than it had
		}
	}
}

func known(a *money.Amount) money.Amount {
	if a == nil {
		return money.Amount{}
	}
	return *a
}

// add adds known amounts; a metric that neither side has stays NULL.
func add(to, c *ledger.Costs) {
	for _, m := range ledger.Metrics {
		if a := c.Get(m); a != nil {
			set(to, m, known(to.Get(m)).Add(*a))
		}
	}
}

func set(c *ledger.Costs, m ledger.Metric, a money.Amount) {
	switch m {
	case ledger.EffectiveCost:
		c.Effective = &a
	case ledger.BilledCost:
		c.Billed = &a
	case ledger.ListCost:
		c.List = &a
	case ledger.ContractedCost:
		c.Contracted = &a
	}
}
