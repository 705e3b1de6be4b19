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

// bookFile is a price book with its delivery time.
type bookFile struct {
	*pricebook.Book
	at    *period.Second // nil if unknown
	bytes int64
}

// issued orders books of one name.
func (b bookFile) issued() period.Second {
	if b.at == nil {
		return 0
	}
	return *b.at
}

// priceBook imports rates and the lines of owned hardware. A faulty book does not affect the
// others; the store checks rates of several books together.
func (r *run) priceBook(ctx context.Context) error {
	r.phase("read")
	books, err := r.readBooks()
	if err != nil {
		return err
	}
	if books = r.orderBooks(books); len(books) == 0 {
		return errRejected
	}
	var rates []ledger.Rate
	owned := false
	for _, b := range books {
		rates = append(rates, b.Rates...)
		owned = owned || len(b.Slots()) > 0
	}
	r.rec.State = ImportUnchanged
	// Rates come first: an entry that contradicts a stored one refuses the whole import, and
	// publishing a rate twice changes nothing.
	if len(rates) > 0 || !owned {
		r.phase(phasePublish)
		if err := r.im.Store.PublishRates(ctx, r.rec.ID, rates); err != nil {
			return fmt.Errorf("publish rates: %w", err)
		}
		r.rec.Accepted, r.rec.State = int64(len(rates)), ImportPublished
	}
	bad, err := r.loadOwned(ctx, books)
	if err != nil {
		return err
	}
	for i, b := range books {
		if n := int64(len(b.Owned)); bad[i] {
			r.tally.Ignore(refusedBook, n)
		} else {
			r.rec.Accepted += n
		}
	}
	if len(bad) == len(books) && len(rates) == 0 {
		return errRejected
	}
	return nil
}

// refusedBook is the reason for faultless entries of a refused price book.
const refusedBook = "in a refused price book"

// readBooks parses the files; faulty ones are left out.
func (r *run) readBooks() ([]bookFile, error) {
	var books []bookFile
	for _, f := range r.files {
		err := r.open(f.File, func(in *blob.Reader) error {
			book, tally, err := pricebook.Parse(in, f.Name)
			r.tally.Merge(&tally)
			if err != nil {
				return err
			}
			r.rec.RowsRead += book.Entries
			if tally.Refusals() > 0 {
				r.tally.Ignore(refusedBook, book.Entries)
				return nil
			}
			books = append(books, bookFile{book, cmp.Or(r.req.DeliveredAt, book.IssuedAt), f.Size})
			return nil
		})
		if err != nil {
			if err = r.refuse(f.Name, err); err != nil {
				return nil, err
			}
		}
		r.fileDone(f.File)
	}
	return books, nil
}

// orderBooks sorts books, older ones of one name first, and leaves out books of one name whose
// order is unknown.
func (r *run) orderBooks(books []bookFile) []bookFile {
	slices.SortStableFunc(books, func(a, b bookFile) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.issued(), b.issued()), cmp.Compare(a.File, b.File))
	})
	clash := map[string]bool{}
	last := -1 // the previous book with owned hardware
	for i, b := range books {
		if len(b.Owned) == 0 {
			continue
		}
		if last >= 0 && books[last].Name == b.Name && books[last].SHA256 != b.SHA256 && books[last].issued() == b.issued() {
			clash[b.Name] = true
			r.tally.Refuse(ledger.Rejection{File: b.File, Column: "name", Reason: "no order", Detail: fmt.Sprintf(
				"%s is also a book named %q, and nothing shows which is newer; give both an issued_at, or rename one of them",
				books[last].File, b.Name)})
		}
		last = i
	}
	return slices.DeleteFunc(books, func(b bookFile) bool {
		if len(b.Owned) == 0 || !clash[b.Name] {
			return false
		}
		r.tally.Ignore(refusedBook, b.Entries)
		return true
	})
}

// loadOwned stages, checks and publishes the lines of owned hardware. bad are the numbers of
// refused books, whose lines are not published.
func (r *run) loadOwned(ctx context.Context, books []bookFile) (bad map[int]bool, err error) {
	var slots []*pricebook.Slot
	var of []int // book of a slot
	for i, b := range books {
		for _, s := range b.Slots() {
			slots, of = append(slots, s), append(of, i)
		}
	}
	if len(slots) == 0 {
		return nil, nil
	}
	stage, err := r.im.Store.StageCharges(ctx, r.rec.ID)
	if err != nil {
		return nil, fmt.Errorf("stage charges: %w", err)
	}
	discard := func(cause error) error { return errors.Join(cause, stage.Discard(context.WithoutCancel(ctx))) }
	r.phase("read")
	deliveries := make([]ledger.Delivery, len(slots))
	for i, s := range slots {
		if err := r.stageOwned(ctx, stage, i, s); err != nil {
			return nil, discard(err)
		}
		if deliveries[i], err = s.Finish(books[of[i]].at, books[of[i]].bytes); err != nil {
			return nil, discard(err)
		}
	}
	r.phase(phasePublish)
	before := r.rec.State
	bad = map[int]bool{}
	for {
		var without []int
		for slot, book := range of {
			if bad[book] {
				stage.Drop(slot)
				without = append(without, slot)
			}
		}
		if len(without) == len(slots) {
			return bad, discard(nil)
		}
		published, err := stage.Publish(ctx, deliveries)
		refused, others := DeliveryErrors(err)
		switch {
		case len(refused) > 0 && !others && !slices.Contains(without, refused[0].Slot):
			one := refused[0]
			r.tally.Refuse(ledger.Rejection{File: books[of[one.Slot]].File, Reason: one.Reason, Detail: one.Err.Error()})
			bad[of[one.Slot]] = true
		case err != nil:
			return nil, discard(fmt.Errorf("publish the lines of owned hardware: %w", err))
		default:
			for i, s := range slots {
				if !bad[of[i]] {
					r.tally.Note("node-hour whose energy was not measured throughout: fallback_kw", s.Unmeasured)
				}
			}
			r.record(deliveries, published, without)
			r.rec.State = worse(before, r.rec.State)
			return bad, nil
		}
	}
}

// stageOwned writes the lines of one month of a book.
func (r *run) stageOwned(ctx context.Context, stage ChargeStage, slot int, s *pricebook.Slot) error {
	energy := func(cluster, node string, within period.Interval) (map[period.Second]ledger.MeasuredEnergy, error) {
		return r.im.Store.NodeEnergy(ctx, cluster, node, within)
	}
	return s.Write(energy, func(charges []ledger.Charge) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := stage.Write(ctx, slot, charges); err != nil {
			return fmt.Errorf("stage charges: %w", err)
		}
		r.rowsDone(int64(len(charges)))
		return nil
	})
}
