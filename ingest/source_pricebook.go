package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gpuledger/ingest/pricebook"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// bookFile is a price book and the size of its file.
type bookFile struct {
	*pricebook.Book
	bytes int64
}

// priceBook imports rates and the lines of owned hardware; several books of
// one request are checked together by the store.
func (r *run) priceBook(ctx context.Context) error {
	r.phase("read")
	var books []bookFile
	for _, f := range r.files {
		err := r.open(f.File, func(in *blob.Reader) error {
			book, tally, err := pricebook.Parse(in, f.Name)
			r.tally.Merge(&tally)
			if err != nil {
				return err
			}
			r.rec.RowsRead += book.Entries
			books = append(books, bookFile{book, f.Size})
			return nil
		})
		if err != nil {
			if err = r.refuse(f.Name, err); err != nil {
				return err
			}
		}
		r.fileDone(f.File)
	}
	if r.tally.RejectedRows() > 0 {
		return errRejected
	}
	slots, err := r.bookSlots(books)
	if err != nil {
		return r.rejected(r.rec.URI, err)
	}
	var rates []ledger.Rate
	for _, b := range books {
		rates = append(rates, b.Rates...)
	}
	r.rec.State = ImportUnchanged
	// Rates come first: an entry that contradicts a stored one refuses the
	// whole import, and a rate that is published twice changes nothing.
	if len(rates) > 0 || len(slots) == 0 {
		r.phase("publish")
		if err := r.im.Store.PublishRates(ctx, r.rec.ID, rates); err != nil {
			return fmt.Errorf("publish rates: %w", err)
		}
		r.rec.Accepted, r.rec.State = int64(len(rates)), ImportPublished
	}
	if len(slots) == 0 {
		return nil
	}
	stage, err := r.im.Store.StageCharges(ctx, r.rec.ID)
	if err != nil {
		return fmt.Errorf("stage charges: %w", err)
	}
	if err := r.stageOwned(ctx, stage, slots); err != nil {
		return errors.Join(err, stage.Discard(context.WithoutCancel(ctx)))
	}
	return nil
}

// bookSlot is a month of a book and the size of its file.
type bookSlot struct {
	*pricebook.Slot
	deliveredAt *period.Second
	bytes       int64
}

// bookSlots lists the months of all books, older books of one name first.
func (r *run) bookSlots(books []bookFile) ([]bookSlot, error) {
	at := func(b bookFile) *period.Second {
		if r.req.DeliveredAt != nil {
			return r.req.DeliveredAt
		}
		return b.IssuedAt
	}
	known := func(s *period.Second) period.Second {
		if s == nil {
			return 0
		}
		return *s
	}
	slices.SortStableFunc(books, func(a, b bookFile) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(known(at(a)), known(at(b))), cmp.Compare(a.File, b.File))
	})
	var out []bookSlot
	last := -1 // the book before with owned hardware
	for i, b := range books {
		if len(b.Owned) == 0 {
			continue
		}
		if last >= 0 && books[last].Name == b.Name && books[last].SHA256 != b.SHA256 && known(at(books[last])) == known(at(b)) {
			return nil, &ledger.FileError{Rejection: ledger.Rejection{File: b.File, Column: "name", Reason: "no order", Detail: fmt.Sprintf(
				"%s is a book named %q as well, and nothing says which is newer; give each issued_at, or one of them another name", books[last].File, b.Name)}}
		}
		last = i
		for _, s := range b.Slots() {
			out = append(out, bookSlot{s, at(b), b.bytes})
		}
	}
	return out, nil
}

// stageOwned stages, checks and publishes the lines of owned hardware.
func (r *run) stageOwned(ctx context.Context, stage ChargeStage, slots []bookSlot) error {
	r.phase("read")
	energy := func(cluster, node string, within period.Interval) (map[period.Second]ledger.MeasuredEnergy, error) {
		return r.im.Store.NodeEnergy(ctx, cluster, node, within)
	}
	deliveries := make([]ledger.Delivery, len(slots))
	for i, s := range slots {
		err := s.Write(energy, func(charges []ledger.Charge) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := stage.Write(ctx, i, charges); err != nil {
				return fmt.Errorf("stage charges: %w", err)
			}
			r.rowsDone(int64(len(charges)))
			return nil
		})
		if err != nil {
			return err
		}
		r.tally.Note("node-hour whose energy was not measured throughout: fallback_kw", s.Unmeasured)
		if deliveries[i], err = s.Finish(s.deliveredAt, s.bytes); err != nil {
			return err
		}
	}
	r.phase("publish")
	published, err := stage.Publish(ctx, deliveries)
	if err != nil {
		return fmt.Errorf("publish the lines of owned hardware: %w", err)
	}
	r.sum.Deliveries = published
	for i := range deliveries {
		d := &deliveries[i]
		r.rec.Accepted += d.Rows
		for _, t := range d.Totals {
			r.sum.ControlTotals = append(r.sum.ControlTotals, ControlTotal{DeliveryID: d.ID, Account: t.Account, BillingPeriod: t.BillingPeriod,
				Currency: t.Currency, Metric: t.Metric, SourceTotal: t.SourceTotal, Charges: t.Charges})
		}
	}
	if state := stateOf(published); r.rec.State != ImportPublished {
		r.rec.State = state
	}
	return nil
}
