package posting

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// TrialStore is the database access of a trial, in addition to an allocation's.
type TrialStore interface {
	AllocationStore
	// Dirty lists node-days inside within that wait to be computed.
	Dirty(ctx context.Context, within period.Interval) ([]DirtyNode, error)
	// StoredDays lists every computed node-day inside within, node by node.
	StoredDays(ctx context.Context, within period.Interval) ([]DirtyNode, error)
	// Totals adds up the ledger for the days inside within.
	Totals(ctx context.Context, within period.Interval) ([]metrics.TrialRow, error)
	// OwnerTotals adds up effective cost for the days inside within, by owner.
	OwnerTotals(ctx context.Context, within period.Interval) ([]OwnerTotal, error)
	// LabelsOf returns the values of owners by dimension.
	LabelsOf(ctx context.Context, owners []ledger.ID) (map[ledger.ID]map[string]string, error)
}

// Trial computes the node-days inside within under a book with one more version, shares idle cost, and compares. It
// writes nothing. Days of closed periods keep their amounts, as they would in an allocation.
func Trial(ctx context.Context, store TrialStore, v policy.Version, within period.Interval) (*metrics.Trial, error) {
	was, err := store.Policies(ctx)
	if err != nil {
		return nil, err
	}
	versions := slices.DeleteFunc(slices.Clone(was.Documents()), func(x policy.Version) bool {
		return x.Settings.Version == v.Settings.Version || x.ValidFrom == v.ValidFrom && !v.OnlyRates
	})
	book, err := policy.NewBook(append(versions, v)...)
	if err != nil {
		return nil, err
	}
	book = book.WithMappings(was.Mappings()...)
	t, err := try(ctx, store, was, &Proposal{Book: book}, within)
	if err != nil {
		return nil, err
	}
	out := &metrics.Trial{Version: v.Settings.Version, Days: t.days, Waiting: t.waiting}
	out.Rows, err = t.compare(ctx, store, within)
	return out, err
}

// try computes the node-days inside within under a proposal instead of the stored rules and bills.
func try(ctx context.Context, store TrialStore, was policy.Book, p *Proposal, within period.Interval) (*trial, error) {
	var changed *billStore
	if len(p.Bills) > 0 {
		changed = newBillStore(store, p, within)
		store = changed
	}
	r := (&Allocator{Store: store}).start()
	r.policies = p.Book
	world, err := store.World(ctx)
	if err != nil {
		return nil, fmt.Errorf("read facts: %w", err)
	}
	s := r.derive(world)
	prices, err := r.prices(ctx, world)
	if err != nil {
		return nil, err
	}
	t := &trial{sums: map[trialKey]*trialSum{}, owners: map[ledger.ID]map[string]string{}}
	if changed != nil {
		if t.owners, err = changed.cut(ctx, r, s); err != nil {
			return nil, err
		}
	}
	days, err := store.StoredDays(ctx, within)
	if err != nil {
		return nil, err
	}
	waiting, err := store.Dirty(ctx, within)
	if err != nil {
		return nil, err
	}
	if p.Book.OwnerRules() != was.OwnerRules() {
		owned := ownedStore{TrialStore: store}
		if owned.owners, t.owners, err = r.ownersOfParts(ctx, s); err != nil {
			return nil, err
		}
		r.Store = owned
	}
	if err := t.compute(ctx, r, s, prices, days); err != nil {
		return nil, err
	}
	for _, d := range waiting {
		t.waiting += len(d.Days)
	}
	return t, t.pass(ctx, store, s, p.Book)
}

type trialKey struct {
	owner    ledger.ID
	cause    ledger.Cause
	currency string
}

type trialSum struct{ effective, billed, hours *money.Amount }

// trial adds up postings as they are computed.
type trial struct {
	mu   sync.Mutex
	sums map[trialKey]*trialSum
	// days were computed; waiting ones have facts that the ledger does not have yet.
	days, waiting int
	// owners are the values by dimension of all owners in sums.
	owners map[ledger.ID]map[string]string

	sharing trialSharing
}

func (t *trial) compute(ctx context.Context, r *run, s *scene, p prices, days []DirtyNode) error {
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(r.workers)
	work, _ := spreadOut(days)
	cluster := func(node ledger.ID) string {
		if n := s.nodes[node]; n != nil {
			return n.Cluster
		}
		return ""
	}
	for _, d := range work {
		if working.Err() != nil {
			break
		}
		group.Go(func() error {
			compute, err := r.computer(working, s, p, d)
			if err != nil {
				return err
			}
			for i := range d.Days {
				chunk, err := compute(i)
				if err != nil {
					return fmt.Errorf("try node %s on %s: %w", d.NodeID, d.Days[i].From, err)
				}
				t.add(chunk, cluster(d.NodeID))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

func (t *trial) add(c *allocation.Chunk, cluster string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.days++
	for i := range c.Postings {
		p := &c.Postings[i]
		t.sum(trialKey{p.OwnerID, p.Cause, p.Currency}, &p.Costs, p.GPUHours)
	}
	t.sharing.gather(c, cluster)
}

func (t *trial) sum(k trialKey, costs *ledger.Costs, hours *money.Amount) {
	sum := t.sums[k]
	if sum == nil {
		sum = &trialSum{}
		t.sums[k] = sum
	}
	sum.effective = plus(sum.effective, costs.Effective)
	sum.billed = plus(sum.billed, costs.Billed)
	sum.hours = plus(sum.hours, hours)
}

// plus adds known amounts; nil is unknown.
func plus(a, b *money.Amount) *money.Amount {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	sum := a.Add(*b)
	return &sum
}

// pass names all owners and passes on what sharing rules pass on.
func (t *trial) pass(ctx context.Context, store TrialStore, s *scene, book policy.Book) error {
	for i := range s.derived.Owners {
		t.owners[s.derived.Owners[i].ID] = s.derived.Owners[i].Labels
	}
	var unknown []ledger.ID
	for k := range t.sums {
		if _, known := t.owners[k.owner]; !known {
			unknown = append(unknown, k.owner)
		}
	}
	stored, err := store.LabelsOf(ctx, unknown)
	if err != nil {
		return err
	}
	maps.Copy(t.owners, stored)
	teams := map[ledger.ID]string{}
	for id, labels := range t.owners {
		teams[id] = labels[teamDimension]
	}
	err = t.sharing.pass(book, teams, func(owner ledger.ID, cause ledger.Cause, currency string, costs *ledger.Costs) {
		t.sum(trialKey{owner, cause, currency}, costs, nil)
	})
	for _, v := range book.Versions() {
		for _, rule := range v.Redistribute {
			o := ownerOf(rule.Team)
			t.owners[o.ID] = o.Labels
		}
	}
	return err
}

// teamDimension is the owner dimension that is the team.
const teamDimension = "team"

// compare puts the computed amounts next to the ledger's, by team.
func (t *trial) compare(ctx context.Context, store TrialStore, within period.Interval) ([]metrics.TrialRow, error) {
	rows, err := store.Totals(ctx, within)
	if err != nil {
		return nil, err
	}
	type key struct {
		team     string
		cause    ledger.Cause
		currency string
	}
	index := map[key]int{}
	for i, r := range rows {
		index[key{r.Team, r.Cause, r.Currency}] = i
	}
	for k, sum := range t.sums {
		at := key{t.owners[k.owner][teamDimension], k.cause, k.currency}
		i, known := index[at]
		if !known {
			i = len(rows)
			index[at] = i
			rows = append(rows, metrics.TrialRow{Team: at.team, Cause: at.cause, Currency: at.currency})
		}
		r := &rows[i]
		r.Effective.Then = plus(r.Effective.Then, sum.effective)
		r.Billed.Then = plus(r.Billed.Then, sum.billed)
		r.GPUHours.Then = plus(r.GPUHours.Then, sum.hours)
	}
	for i := range rows {
		rows[i].Effective.Differ()
		rows[i].Billed.Differ()
		rows[i].GPUHours.Differ()
	}
	slices.SortFunc(rows, func(a, b metrics.TrialRow) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Team, b.Team),
			cmp.Compare(a.Cause.Order(), b.Cause.Order()))
	})
	return rows, nil
}
