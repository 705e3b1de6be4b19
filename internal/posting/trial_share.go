package posting

import (
	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// trialSharing collects, from the days that a trial computes, the costs that would be shared and the consumers. It
// does not distinguish bills, so rounding may differ from the ledger's by units of 1e-12; discounts of commitments do
// not move.
type trialSharing struct {
	pools  map[share.Key]*share.Pool
	months map[period.Second]map[string]map[ledger.ID]*share.Consumer // by start of the month, cluster and owner
}

// gather adds the rows of one chunk.
func (t *trialSharing) gather(c *allocation.Chunk, cluster string) {
	for i := range c.Postings {
		p := &c.Postings[i]
		if p.State == ledger.Final || !p.WorkloadID.IsZero() {
			continue
		}
		key := share.Key{
			Day: p.Hour.Floor(period.Day), Cluster: cluster, Cause: p.Cause,
			Owner: p.OwnerID, Currency: p.Currency, State: p.State,
		}
		pool := t.pools[key]
		if pool == nil {
			pool = &share.Pool{Key: key}
			if t.pools == nil {
				t.pools = map[share.Key]*share.Pool{}
			}
			t.pools[key] = pool
		}
		pool.Effective, pool.Billed = plus(pool.Effective, p.Effective), plus(pool.Billed, p.Billed)
	}
	for i := range c.Usage {
		if u := &c.Usage[i]; u.Held {
			t.consumer(period.MonthOf(u.Hour).From, cluster, u.OwnerID).add(u)
		}
	}
}

// trialConsumer adds up the usage of one owner.
type trialConsumer share.Consumer

func (c *trialConsumer) add(u *ledger.Usage) {
	c.Held = c.Held.Add(u.GPUHours())
	if u.Cause == ledger.Used {
		c.Used = c.Used.Add(u.GPUHours())
	}
}

func (t *trialSharing) consumer(month period.Second, cluster string, owner ledger.ID) *trialConsumer {
	if t.months == nil {
		t.months = map[period.Second]map[string]map[ledger.ID]*share.Consumer{}
	}
	if t.months[month] == nil {
		t.months[month] = map[string]map[ledger.ID]*share.Consumer{}
	}
	owners := t.months[month][cluster]
	if owners == nil {
		owners = map[ledger.ID]*share.Consumer{}
		t.months[month][cluster] = owners
	}
	if owners[owner] == nil {
		owners[owner] = &share.Consumer{Owner: owner}
	}
	return (*trialConsumer)(owners[owner])
}

// pass calls move with every row of the pairs under the book. Weights are those of the computed days.
func (t *trialSharing) pass(
	book policy.Book, teams map[ledger.ID]string,
	move func(owner ledger.ID, cause ledger.Cause, currency string, costs *ledger.Costs),
) error {
	byMonth := map[period.Second]*share.Month{}
	for key, pool := range t.pools {
		month := period.MonthOf(key.Day).From
		m := byMonth[month]
		if m == nil {
			m = &share.Month{Consumers: map[string][]share.Consumer{}, Teams: teams, Named: named}
			for cluster, owners := range t.months[month] {
				for _, c := range owners {
					c.Team = teams[c.Owner]
					m.Consumers[cluster] = append(m.Consumers[cluster], *c)
				}
			}
			byMonth[month] = m
		}
		m.Pools = append(m.Pools, *pool)
	}
	for _, m := range byMonth {
		for pool, err := range share.Pass(book, m) {
			if err != nil {
				return err
			}
			for i := range pool.Rows {
				r := &pool.Rows[i]
				move(r.Owner, pool.Cause, pool.Currency, &r.Costs)
			}
		}
	}
	return nil
}
