package posting

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"gpuledger/allocation"
	"gpuledger/allocation/part"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Proposal has the rules, prices and bills of a trial, instead of the stored ones.
type Proposal struct {
	Book  policy.Book
	Rates []ledger.Rate // in addition to the stored ones
	Bills []Bill
}

// Bill is a bill that is not stored yet. It replaces the stored one of its account in its months.
type Bill struct {
	Account    string // the billing account, which no other bill has
	Provider   string
	Months     period.Interval
	Deliveries []NewDelivery
	Billed     []BilledInstance
	Covered    map[string]period.Second // by account
}

// NewDelivery is a delivery of a new bill: a month.
type NewDelivery struct {
	BookDelivery
	Charges iter.Seq2[*ledger.Charge, error]
}

// billStore reads a ledger as it is with new bills: their lines are cut, and so are those of stored deliveries that the
// machines of the new bills move. All is in memory, for the days of the trial.
type billStore struct {
	TrialStore
	proposal *Proposal
	within   period.Interval
	fresh    map[ledger.ID]iter.Seq2[*ledger.Charge, error] // by delivery
	parts    map[nodeDay][]ledger.Part
	gone     map[ledger.ID]string // charges whose stored parts no longer count, with their billing account
}

type nodeDay struct {
	node ledger.ID
	day  period.Second
}

func newBillStore(store TrialStore, p *Proposal, within period.Interval) *billStore {
	b := &billStore{TrialStore: store, proposal: p, within: within,
		fresh: map[ledger.ID]iter.Seq2[*ledger.Charge, error]{}, parts: map[nodeDay][]ledger.Part{},
		gone: map[ledger.ID]string{}}
	if within.To == 0 {
		b.within.To = endOfTime
	}
	return b
}

// replaced reports whether a new bill has the lines of a billing account at a time.
func (b *billStore) replaced(account string, at period.Second) bool {
	return slices.ContainsFunc(b.proposal.Bills, func(bill Bill) bool {
		return account == bill.Account && bill.Months.Contains(at)
	})
}

// World implements AllocationStore.
func (b *billStore) World(ctx context.Context) (*World, error) {
	w, err := b.TrialStore.World(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]BilledInstance{}
	for _, m := range w.Billed {
		known[m.InstanceID] = m
	}
	for i := range b.proposal.Bills {
		bill := &b.proposal.Bills[i]
		fresh := map[string]bool{}
		for _, m := range bill.Billed {
			fresh[m.InstanceID] = true
			old, there := known[m.InstanceID]
			if there && old.Period.To > bill.Months.To { // billed in later months, which the bill leaves as they are
				continue
			}
			if there && old.Period.From < bill.Months.From {
				m.Period.From = min(m.Period.From, old.Period.From)
			}
			known[m.InstanceID] = m
		}
		// Machines that the bill had and no longer has.
		accounts := bill.Covered
		maps.DeleteFunc(known, func(id string, m BilledInstance) bool {
			_, ours := accounts[m.Account]
			return ours && !fresh[id] && m.PriceClass == ledger.Owned && m.Period.From >= bill.Months.From &&
				m.Period.To <= bill.Months.To
		})
	}
	w.Billed = slices.SortedFunc(maps.Values(known), func(x, y BilledInstance) int {
		return cmp.Compare(x.InstanceID, y.InstanceID)
	})
	return w, nil
}

// Rates implements AllocationStore.
func (b *billStore) Rates(ctx context.Context) ([]ledger.Rate, error) {
	stored, err := b.TrialStore.Rates(ctx)
	return append(stored, b.proposal.Rates...), err
}

// Coverage implements AllocationStore.
func (b *billStore) Coverage(ctx context.Context) (map[string]period.Second, error) {
	covered, err := b.TrialStore.Coverage(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]period.Second{}
	maps.Copy(out, covered)
	for i := range b.proposal.Bills {
		bill := &b.proposal.Bills[i]
		for account, until := range bill.Covered {
			if out[account] <= bill.Months.To {
				out[account] = until
			}
		}
	}
	return out, nil
}

// Billers implements AllocationStore.
func (b *billStore) Billers(ctx context.Context) (map[string][]string, error) {
	billers, err := b.TrialStore.Billers(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	maps.Copy(out, billers)
	for i := range b.proposal.Bills {
		bill := &b.proposal.Bills[i]
		for account := range bill.Covered {
			if !slices.Contains(out[account], bill.Provider) {
				out[account] = append(slices.Clone(out[account]), bill.Provider)
			}
		}
	}
	return out, nil
}

// BookDeliveries implements AllocationStore. A month that a new bill leaves as it is stays as it is stored.
func (b *billStore) BookDeliveries(ctx context.Context) ([]BookDelivery, error) {
	stored, err := b.TrialStore.BookDeliveries(ctx)
	if err != nil {
		return nil, err
	}
	have := map[ledger.ID]bool{}
	for _, d := range stored {
		have[d.ID] = true
	}
	fresh := map[ledger.ID]bool{}
	var added []BookDelivery
	for i := range b.proposal.Bills {
		for _, d := range b.proposal.Bills[i].Deliveries {
			fresh[d.ID] = true
			if !have[d.ID] {
				b.fresh[d.ID] = d.Charges
				added = append(added, d.BookDelivery)
			}
		}
	}
	var all []BookDelivery
	for _, d := range stored {
		if month, err := d.BillingPeriod.Interval(); err != nil || fresh[d.ID] || !b.replaced(d.Scope, month.From) {
			all = append(all, d)
		} else if err := b.forget(ctx, d.ID, month); err != nil {
			return nil, err
		}
	}
	all = append(all, added...)
	slices.SortStableFunc(all, func(x, y BookDelivery) int { return cmp.Compare(x.BillingPeriod, y.BillingPeriod) })
	return all, nil
}

// forget notes the charges of a delivery that a new one replaces.
func (b *billStore) forget(ctx context.Context, delivery ledger.ID, month period.Interval) error {
	if !month.Overlaps(b.within) {
		return nil
	}
	for ch, err := range b.TrialStore.ScanCharges(ctx, delivery) {
		if err != nil {
			return fmt.Errorf("read delivery %s: %w", delivery, err)
		}
		b.gone[ch.ID] = ch.BillingAccount
	}
	return nil
}

// ScanCharges implements AllocationStore.
func (b *billStore) ScanCharges(ctx context.Context, delivery ledger.ID) iter.Seq2[*ledger.Charge, error] {
	if charges, is := b.fresh[delivery]; is {
		return charges
	}
	return b.TrialStore.ScanCharges(ctx, delivery)
}

// cut cuts new deliveries, and stored ones that the new fleet moves, for the days of the trial.
func (b *billStore) cut(ctx context.Context, r *run, s *scene) (map[ledger.ID]map[string]string, error) {
	deliveries, err := b.BookDeliveries(ctx)
	if err != nil {
		return nil, err
	}
	book := newOwnerBook(nil, r.policies, r.findings)
	for _, one := range bills(deliveries, s) {
		cutter := part.New(one.fleet, book.share)
		book.use(cutter)
		if err := r.observe(ctx, one, cutter); err != nil {
			return nil, err
		}
		for _, d := range one.stale {
			_, fresh := b.fresh[d.ID]
			if month, err := d.BillingPeriod.Interval(); fresh && err == nil && !month.Overlaps(b.within) {
				continue
			}
			for p, err := range r.partsOf(ctx, d.ID, cutter) {
				if err != nil {
					return nil, err
				}
				if !b.within.Contains(p.Hour) {
					continue
				}
				at := nodeDay{p.NodeID, p.Hour.Floor(period.Day)}
				b.parts[at] = append(b.parts[at], *p)
				if !fresh {
					b.gone[p.ChargeID] = p.BillingAccount
				}
			}
		}
	}
	labels := map[ledger.ID]map[string]string{}
	for id, o := range book.owners {
		labels[id] = o.Labels
	}
	return labels, nil
}

// StoredDays implements TrialStore: with the days of new parts.
func (b *billStore) StoredDays(ctx context.Context, within period.Interval) ([]DirtyNode, error) {
	list, err := b.TrialStore.StoredDays(ctx, within)
	if err != nil {
		return nil, err
	}
	have := map[nodeDay]bool{}
	index := map[ledger.ID]int{}
	for i, n := range list {
		index[n.NodeID] = i
		for _, day := range n.Days {
			have[nodeDay{n.NodeID, day.From}] = true
		}
	}
	for at := range b.parts {
		if have[at] {
			continue
		}
		i, known := index[at.node]
		if !known {
			i = len(list)
			index[at.node] = i
			list = append(list, DirtyNode{NodeID: at.node})
		}
		list[i].Days = append(list[i].Days, period.DayOf(at.day))
	}
	for i := range list {
		slices.SortFunc(list[i].Days, func(x, y period.Interval) int { return cmp.Compare(x.From, y.From) })
	}
	return list, nil
}

// Days implements AllocationStore. Final parts stay: the cost of closed periods never moves.
func (b *billStore) Days(
	ctx context.Context, n ledger.Node, days []period.Interval, margin period.Second,
) ([]allocation.DayInput, error) {
	list, err := b.TrialStore.Days(ctx, n, days, margin)
	for i := range list {
		final := map[string]bool{}
		var parts []ledger.Part // separate: the days of one read share their memory
		for _, p := range list[i].Parts {
			account, gone := b.gone[p.ChargeID]
			if p.Final && gone {
				final[account] = true
			}
			if p.Final || !gone {
				parts = append(parts, p)
			}
		}
		for _, p := range b.parts[nodeDay{n.ID, days[i].From}] {
			if !final[p.BillingAccount] {
				parts = append(parts, p)
			}
		}
		list[i].Parts = parts
	}
	return list, err
}
