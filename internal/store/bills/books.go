package bills

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/ingest/pricebook"
	"gpuledger/internal/folder"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// BooksOf returns the price books whose machines are in the bills, with their newest text. A book that was imported
// before texts were kept has none.
func BooksOf(ctx context.Context, q pg.Querier) ([]folder.StoredBook, error) {
	return pg.List[folder.StoredBook](ctx, q, "bill.books", pg.Tenant)
}

// keepBooks keeps the texts of the price books that were delivered, unless a newer issue is stored.
func (c *chargeStage) keepBooks(
	ctx context.Context, tx pgx.Tx, deliveries []ledger.Delivery, out []ingest.PublishedDelivery,
) error {
	older := map[string]bool{}
	for slot := range deliveries {
		if out[slot].State == ingest.DeliveryOlder {
			older[deliveries[slot].Export] = true
		}
	}
	kept := map[[2]string]bool{} // by name and text: a book has a delivery per month
	for slot := range deliveries {
		d := &deliveries[slot]
		if k := [2]string{d.Export, d.Document}; d.Document == "" || c.dropped(slot) || older[d.Export] || kept[k] {
			continue
		} else {
			kept[k] = true
		}
		if _, err := pg.Exec(ctx, tx, "bill.keep_book", pg.Tenant, d.Export, d.Document, d.DeliveredAt, c.importID,
			pg.Now()); err != nil {
			return err
		}
	}
	return nil
}

// appliedScheme is the scheme of files that a folder applied, as the dataset imports shows them.
const appliedScheme = "apply://"

// ConfigureBooks stores the machines of price books as an import does, within the transaction that applies a folder. A
// book without issued_at is issued at the given time. Faults are books that the stored bills contradict; then the
// transaction must be rolled back. Marks of days are set, so it comes late in the transaction.
func ConfigureBooks(
	ctx context.Context, tx pgx.Tx, books []folder.Book, at time.Time, energy pricebook.Energy,
) ([]folder.Fault, error) {
	if len(books) == 0 {
		return nil, nil
	}
	rec := importOf(books, at)
	if err := startImport(ctx, tx, rec); err != nil {
		return nil, err
	}
	inner, err := tx.Begin(ctx) // a savepoint, which the stage releases
	if err != nil {
		return nil, fmt.Errorf("stage machines of price books: %w", err)
	}
	stage, err := stageOn(ctx, inner, rec.ID)
	if err != nil {
		return nil, err
	}
	deliveries, of, err := stageBooks(ctx, stage, books, period.FromTime(at), energy)
	if err != nil {
		return nil, errors.Join(err, stage.Discard(ctx))
	}
	published, err := stage.Publish(ctx, deliveries)
	if err != nil {
		faults, err := faultsOf(err, books, of)
		return faults, errors.Join(err, stage.Discard(ctx))
	}
	var faults []folder.Fault
	rec.State, rec.FinishedAt = ingest.ImportUnchanged, pg.Now()
	for slot := range published {
		switch published[slot].State {
		case ingest.DeliveryPublished:
			rec.State = ingest.ImportPublished
		case ingest.DeliveryOlder:
			faults = append(faults, books[of[slot]].Older())
		case ingest.DeliveryUnchanged:
		}
	}
	if len(faults) > 0 {
		return slices.Compact(faults), nil
	}
	return nil, finishImport(ctx, tx, rec)
}

// importOf is the record of the import that applies books.
func importOf(books []folder.Book, at time.Time) ingest.ImportRecord {
	rec := ingest.ImportRecord{Source: pricebook.Source, State: ingest.ImportRunning, StartedAt: at, Files: len(books),
		FilesDone: len(books)}
	var places []string
	for i := range books {
		places = append(places, appliedScheme+books[i].File)
		rec.Bytes += int64(len(books[i].Owned.Text))
		rec.RowsRead += int64(len(books[i].Owned.Owned))
	}
	rec.URI, rec.BytesDone, rec.Accepted = strings.Join(places, " "), rec.Bytes, rec.RowsRead
	rec.ID = ledger.NewID("import", rec.Source, rec.URI, at.UTC().Format(time.RFC3339Nano), rand.Text())
	return rec
}

// stageBooks writes the lines of all months of the books; of names the book of each delivery.
func stageBooks(
	ctx context.Context, stage *chargeStage, books []folder.Book, at period.Second, energy pricebook.Energy,
) (deliveries []ledger.Delivery, of []int, err error) {
	for i := range books {
		book := books[i].Owned
		issued := books[i].Issued(at)
		for _, s := range book.Slots() {
			slot := len(deliveries)
			err := s.Write(energy, func(charges []ledger.Charge) error { return stage.Write(ctx, slot, charges) })
			if err != nil {
				return nil, nil, fmt.Errorf("price book %s, %s: %w", books[i].Name, s.Month, err)
			}
			d, err := s.Finish(&issued, int64(len(book.Text)))
			if err != nil {
				return nil, nil, fmt.Errorf("price book %s, %s: %w", books[i].Name, s.Month, err)
			}
			deliveries, of = append(deliveries, d), append(of, i)
		}
	}
	return deliveries, of, nil
}

// faultsOf are the faults of books that an error of publishing names, or the error if it is another one.
func faultsOf(err error, books []folder.Book, of []int) (faults []folder.Fault, _ error) {
	refused, others := ingest.DeliveryErrors(err)
	if others {
		return nil, err
	}
	for _, r := range refused {
		b := &books[of[r.Slot]]
		fault := folder.Fault{Place: b.Place, What: r.Error()}
		if r.Reason == ingest.NoOrder {
			fault = b.Older()
		}
		if !slices.Contains(faults, fault) {
			faults = append(faults, fault)
		}
	}
	return faults, nil
}
