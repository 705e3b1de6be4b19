package bills_test

import (
	"testing"

	"gpuledger/ingest"
	"gpuledger/ingest/pricebook"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/bills"
	"gpuledger/test/storetest"
)

// The text of a price book is that of its newest issue, whatever the order of imports. The same text again is no other
// version.
func TestBooksKeepTheTextOfTheirNewestIssue(t *testing.T) {
	s := storetest.New(t)
	publish := func(at period.Second, cost, text string, want ingest.DeliveryState) {
		t.Helper()
		d, charges := storetest.Bill(at, storetest.ChargeOf(storetest.At(0, 3), cost))
		d.Source, d.Export, d.Document = pricebook.Source, "hall", text
		d.ID = ledger.NewID("delivery", d.Export, string(d.Digest[:]))
		storetest.MustPublish(t, s, d, charges, want)
	}
	day := func(n int64) period.Second { return storetest.Day(1).From + period.Second(n*period.Day) }
	publish(day(2), "2", "second", ingest.DeliveryPublished)
	publish(day(1), "1", "first", ingest.DeliveryOlder)
	publish(day(3), "2", "second, with a comment", ingest.DeliveryUnchanged)
	publish(day(4), "2", "second, with a comment", ingest.DeliveryUnchanged)
	publish(day(2), "2", "second", ingest.DeliveryUnchanged)
	publish(day(5), "2", "", ingest.DeliveryUnchanged) // as before texts were kept
	books, err := bills.BooksOf(t.Context(), s.Pool)
	if err != nil || len(books) != 1 || books[0].Name != "hall" || books[0].Document != "second, with a comment" ||
		books[0].Newest == nil || *books[0].Newest != day(5) {
		t.Errorf("%v %+v", err, books)
	}
	var versions int
	if err := s.Pool.QueryRow(t.Context(), "select count(*) from price_books").Scan(&versions); err != nil || versions != 2 {
		t.Errorf("%d versions, %v", versions, err)
	}
}
