package share

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Covered is the key of the weights by which a discount is spread.
type Covered struct{ Commitment, BillingAccount, Currency string }

// Month is the input of sharing for one calendar month (UTC). Everything may come in any order.
type Month struct {
	Pools []Pool
	// Consumers by cluster.
	Consumers map[string][]Consumer
	// Contracted cost of the machines that a commitment's discount is spread over, by owner.
	Machines map[Covered][]Weight
	// Buyers of commitments; other commitments have no owner.
	Buyers map[string]ledger.ID
	// Team of each owner with a pool.
	Teams map[ledger.ID]string
	// Named is the owner of which only the team is known; "" gives the owner of unowned cost.
	Named func(team string) ledger.ID
}

// Pass redistributes the pools of a month under the versions of their days, in the order of days and keys. The same
// month always gives the same rows.
func Pass(book policy.Book, m *Month) iter.Seq2[*Shared, error] {
	return func(yield func(*Shared, error) bool) {
		s := &sharer{month: m, plans: map[planKey]plan{}}
		for _, w := range s.work(book) {
			shared, err := pass(w.key, w.givers, w.plan, w.rule)
			if shared == nil && err == nil {
				continue
			}
			if !yield(shared, err) || err != nil {
				return
			}
		}
	}
}

// sharer finds the plan of each pool; pools of one rule and cluster share it.
type sharer struct {
	month *Month
	plans map[planKey]plan
	all   []Consumer // of all clusters together
}

type planKey struct {
	rule    Rule
	cluster string
	to      Covered
}

// work is one pool with everything needed to pass it on.
type work struct {
	key    Key
	givers []had
	plan   plan
	rule   Rule
}

// work lists the pools to pass on, merging discounts that are spread.
func (s *sharer) work(book policy.Book) []work {
	var list []work
	joined := map[Key]int{}
	versions := map[period.Second]policy.Version{}
	for i := range s.month.Pools {
		p := &s.month.Pools[i]
		v, ok := versions[p.Day]
		if !ok {
			v = book.At(p.Day)
			versions[p.Day] = v
		}
		w := work{key: p.Key, givers: []had{{p.Owner, p.Costs}}}
		if p.Commitment == "" {
			w.plan, w.rule = s.redistribution(v, p)
		} else {
			w.plan, w.rule = s.discount(v, p)
		}
		if w.plan == nil {
			continue
		}
		if p.Commitment != "" && v.Commitments == policy.ToAll {
			w.key.Owner = ledger.ID{}
			if at, ok := joined[w.key]; ok {
				list[at].givers = append(list[at].givers, w.givers...)
				continue
			}
			joined[w.key] = len(list)
		}
		list = append(list, w)
	}
	slices.SortFunc(list, func(x, y work) int { return compare(x.key, y.key) })
	return list
}

func compare(x, y Key) int {
	return cmp.Or(cmp.Compare(x.Day, y.Day), cmp.Compare(x.Cluster, y.Cluster),
		cmp.Compare(x.Cause.Order(), y.Cause.Order()), bytes.Compare(x.Owner[:], y.Owner[:]),
		cmp.Compare(x.BillingAccount, y.BillingAccount),
		cmp.Compare(x.BillingPeriod, y.BillingPeriod), cmp.Compare(x.Currency, y.Currency),
		cmp.Compare(x.State, y.State), cmp.Compare(x.Commitment, y.Commitment))
}

// redistribution is the plan for unheld cost (rule 12.3).
func (s *sharer) redistribution(v policy.Version, p *Pool) (plan, Rule) {
	if !slices.Contains(Causes, p.Cause) {
		return nil, Rule{}
	}
	place, r, ok := v.Redistribution(p.Cluster, s.month.Teams[p.Owner], string(p.Cause))
	if !ok || r.Method == policy.PassNone {
		return nil, Rule{}
	}
	rule := Rule{v.Settings.Version, place + 1, string(r.Method)}
	return s.remember(planKey{rule: rule, cluster: p.Cluster}, func() plan {
		switch r.Method {
		case policy.PassUsed:
			return s.hours(p.Cluster, func(c Consumer) Weight { return Weight{c.Owner, c.Used} })
		case policy.PassHeld:
			return s.hours(p.Cluster, func(c Consumer) Weight { return Weight{c.Owner, c.Held} })
		case policy.PassEven:
			return byTeam(s.consumers(p.Cluster), func(string) int64 { return 1 })
		case policy.PassWeights:
			return byTeam(s.consumers(p.Cluster), func(team string) int64 { return r.Weights[team] })
		case policy.PassOwner:
			return one(s.month.Named(r.Team))
		}
		return nil
	}), rule
}

// discount is the plan for a commitment's discount (rule 12.5).
func (s *sharer) discount(v policy.Version, p *Pool) (plan, Rule) {
	rule := Rule{Version: v.Settings.Version, Method: string(v.Commitments)}
	to := Covered{p.Commitment, p.BillingAccount, p.Currency}
	return s.remember(planKey{rule: rule, to: to}, func() plan {
		switch v.Commitments {
		case policy.ToBuyer:
			buyer, ok := s.month.Buyers[p.Commitment]
			if !ok {
				buyer = s.month.Named("")
			}
			return one(buyer)
		case policy.ToAll:
			return byWeight(s.month.Machines[to])
		}
		return nil
	}), rule
}

func (s *sharer) remember(k planKey, make func() plan) plan {
	p, ok := s.plans[k]
	if !ok {
		p = make()
		s.plans[k] = p
	}
	return p
}

func (s *sharer) hours(cluster string, weight func(Consumer) Weight) plan {
	var weights []Weight
	for _, c := range s.consumers(cluster) {
		weights = append(weights, weight(c))
	}
	return byWeight(weights)
}

// consumers are the consumers of a cluster; for no cluster, those of all together.
func (s *sharer) consumers(cluster string) []Consumer {
	if cluster != "" {
		return s.month.Consumers[cluster]
	}
	if s.all == nil {
		sums := map[ledger.ID]Consumer{}
		for _, list := range s.month.Consumers {
			for _, c := range list {
				sum := sums[c.Owner]
				sums[c.Owner] = Consumer{c.Owner, c.Team, sum.Held.Add(c.Held), sum.Used.Add(c.Used)}
			}
		}
		s.all = slices.Collect(maps.Values(sums))
	}
	return s.all
}
