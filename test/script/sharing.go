package script

import (
	"cmp"
	"slices"

	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// unnamed is a commitment without a name on the bill (rule 12.5).
const unnamed = "unnamed"

// month adds up sharing's input for a calendar month.
func (w *world) month(r *result, month period.Interval) *share.Month {
	m := &share.Month{
		Consumers: w.consumers(r, month), Machines: map[share.Covered][]share.Weight{}, Teams: map[ledger.ID]string{},
	}
	pools := map[share.Key]*ledger.Costs{}
	add := func(k share.Key, costs *ledger.Costs) {
		if pools[k] == nil {
			pools[k] = &ledger.Costs{}
		}
		addCosts(pools[k], costs)
		m.Teams[k.Owner] = r.owners[k.Owner].Team
	}
	type spot struct {
		commitment, kind, region, payer, currency string
		owner                                     ledger.ID
	}
	machines := map[spot]*money.Amount{}
	for i := range r.postings {
		p := &r.postings[i]
		if !month.Contains(p.Hour) || p.State == ledger.Final {
			continue
		}
		key := share.Key{
			Day: p.Hour.Floor(period.Day), Cluster: w.cluster(r, p),
			Cause: p.Cause, Owner: p.OwnerID, Currency: p.Currency, State: p.State,
		}
		c := r.charges[p.ChargeID]
		if c != nil {
			key.BillingAccount, key.BillingPeriod = c.BillingAccount, period.Month(w.billingPeriod(r, p))
		}
		if p.WorkloadID.IsZero() {
			if slices.Contains(share.Causes, p.Cause) {
				add(key, &p.Costs)
			}
			continue
		}
		if c == nil {
			continue
		}
		part := r.parts[p.PartID]
		price := p.Contracted
		if price == nil {
			price = p.List
		}
		key.Commitment = cmp.Or(c.CommitmentID, unnamed)
		covered := p.Kind == ledger.Direct && part.Kind == ledger.PartCompute && c.Kind == ledger.LineCoveredUsage
		switch {
		case covered && price != nil && p.Effective != nil:
			off := p.Effective.Sub(*price)
			add(key, &ledger.Costs{Effective: &off})
		case p.Kind == ledger.Amortise && part.Method == "commitment credit":
			add(key, &ledger.Costs{Effective: p.Effective})
		}
		if price != nil && p.Kind == ledger.Direct && part.Kind == ledger.PartCompute &&
			(covered || c.Kind == ledger.LineUsage && c.PriceClass == ledger.OnDemand) {
			k := spot{"", c.InstanceType, c.Region, c.BillingAccount, c.Currency, p.OwnerID}
			if covered {
				k.commitment = key.Commitment
			}
			machines[k] = plus(machines[k], price)
		}
	}
	for k, costs := range pools {
		m.Pools = append(m.Pools, share.Pool{Key: k, Costs: *costs})
	}
	for k := range machines { // all machines like those of the commitment
		if k.commitment == "" {
			continue
		}
		to := share.Covered{Commitment: k.commitment, BillingAccount: k.payer, Currency: k.currency}
		if len(m.Machines[to]) > 0 {
			continue
		}
		for other, amount := range machines {
			if (other.commitment == "" || other.commitment == k.commitment) && other.kind == k.kind &&
				other.region == k.region && other.payer == k.payer && other.currency == k.currency {
				m.Machines[to] = append(m.Machines[to], share.Weight{Owner: other.owner, Amount: *amount})
			}
		}
	}
	return m
}

// consumers are the owners that held something, by cluster.
func (w *world) consumers(r *result, month period.Interval) map[string][]share.Consumer {
	type who struct {
		cluster string
		owner   ledger.ID
	}
	sums := map[who]share.Consumer{}
	for i := range r.usage {
		u := &r.usage[i]
		if !u.Held || !month.Contains(u.Hour) {
			continue
		}
		k := who{r.nodes[u.NodeID].Cluster, u.OwnerID}
		c := sums[k]
		c.Owner, c.Team, c.Held = u.OwnerID, r.owners[u.OwnerID].Team, c.Held.Add(u.GPUHours())
		if u.Cause == ledger.Used {
			c.Used = c.Used.Add(u.GPUHours())
		}
		sums[k] = c
	}
	out := map[string][]share.Consumer{}
	for k, c := range sums {
		out[k.cluster] = append(out[k.cluster], c)
	}
	return out
}

// buyers are the owners of commitments, from their newest fee line.
func buyers(r *result, month period.Interval) map[string]ledger.ID {
	newest := map[string]ledger.Part{}
	for _, p := range r.parts {
		c := r.charges[p.ChargeID]
		fee := p.Kind == ledger.PartCommitmentFee || p.Kind == ledger.PartCommitmentUnused
		if c == nil || !fee || p.PostingKind != ledger.Direct || p.Hour >= month.To {
			continue
		}
		name := cmp.Or(c.CommitmentID, unnamed)
		old, ok := newest[name]
		if !ok || p.Hour > old.Hour || p.Hour == old.Hour && slices.Compare(p.ID[:], old.ID[:]) < 0 {
			newest[name] = p
		}
	}
	out := map[string]ledger.ID{}
	for name, p := range newest {
		out[name] = p.OwnerID
	}
	return out
}

func (w *world) cluster(r *result, p *ledger.Posting) string {
	if n := r.nodes[p.NodeID]; n != nil {
		return n.Cluster
	}
	return ""
}
