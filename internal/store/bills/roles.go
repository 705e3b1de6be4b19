package bills

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// clash is two exports that could both be book for an account's month.
type clash struct {
	totalKey
	Metric                                   ledger.Metric
	Source, Export, OtherSource, OtherExport string
}

// assignRoles makes, per (account, billing period, currency, metric), the export of the highest rank, then of the
// highest preference, the book, and the others evidence. It is a function of the set of current deliveries, whatever
// their order. If two exports could both be book, it refuses the one that was not stored before, with all deliveries
// that belong together.
func (c *chargeStage) assignRoles(ctx context.Context, tx pgx.Tx, deliveries []ledger.Delivery) error {
	clashes, err := pg.List[clash](ctx, tx, "bill.equal_rank", pg.Tenant)
	if err != nil {
		return err
	}
	var refused []error
	named := map[int]bool{}
	for i := range clashes {
		x := &clashes[i]
		err := fmt.Errorf("%s of account %s in %s comes from two exports of equal rank, %q (%s) and %q (%s), and only "+
			"one can be the book: name that one under books: in the configuration, or import it with --prefer %q",
			x.Metric, x.Account, x.BillingPeriod, x.Export, x.Source, x.OtherExport, x.OtherSource, x.Export)
		slots, failed := c.losers(ctx, tx, deliveries, x)
		if failed != nil {
			return failed
		}
		if len(slots) == 0 {
			refused = append(refused, err)
		}
		for _, slot := range slots {
			if !named[slot] {
				named[slot] = true
				refused = append(refused, &ingest.DeliveryError{Slot: slot, Reason: "equal rank", Err: err})
			}
		}
	}
	if err = errors.Join(refused...); err != nil {
		return err
	}
	_, err = pg.Exec(ctx, tx, "bill.assign_roles", pg.Tenant)
	return err
}

// losers are the slots to refuse for a clash. For a snapshot, that is the delivery of the month; for increments, all
// deliveries of the export that share months with each other, so that no month keeps only some of its days.
func (c *chargeStage) losers(ctx context.Context, tx pgx.Tx, deliveries []ledger.Delivery, x *clash) ([]int, error) {
	of := func(d *ledger.Delivery, source, export string) bool { return d.Source == source && d.Export == export }
	holds := func(d *ledger.Delivery) bool {
		return slices.ContainsFunc(d.Totals, func(t ledger.ControlTotal) bool {
			return t.Metric == x.Metric && x.totalKey == totalKey{t.Account, t.BillingPeriod, t.Currency}
		})
	}
	last := -1
	for slot := range deliveries {
		d := &deliveries[slot]
		if c.dropped(slot) || !holds(d) || !of(d, x.Source, x.Export) && !of(d, x.OtherSource, x.OtherExport) {
			continue
		}
		stored, err := pg.Value[bool](ctx, tx, "bill.stored_before", pg.Tenant, d.Source, d.Export, x.Account,
			x.BillingPeriod, c.importID)
		if err != nil {
			return nil, err
		}
		if last < 0 || !stored {
			last = slot
		}
	}
	if last < 0 || deliveries[last].Kind != ledger.Append {
		return slices.DeleteFunc([]int{last}, func(slot int) bool { return slot < 0 }), nil
	}
	loser := &deliveries[last]
	months := map[totalKey]bool{x.totalKey: true}
	slots := map[int]bool{}
	for again := true; again; {
		again = false
		for slot := range deliveries {
			d := &deliveries[slot]
			if slots[slot] || c.dropped(slot) || !of(d, loser.Source, loser.Export) ||
				!slices.ContainsFunc(d.Totals, func(t ledger.ControlTotal) bool {
					return months[totalKey{t.Account, t.BillingPeriod, t.Currency}]
				}) {
				continue
			}
			slots[slot], again = true, true
			for _, t := range d.Totals {
				months[totalKey{t.Account, t.BillingPeriod, t.Currency}] = true
			}
		}
	}
	out := make([]int, 0, len(slots))
	for slot := range deliveries {
		if slots[slot] {
			out = append(out, slot)
		}
	}
	return out, nil
}
