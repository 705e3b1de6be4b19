package books

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/dashboard/page"
)

func bookOf(role, source, delivery, account, month, currency, total, difference string) Book {
	r := Book{
		Source: source, Provider: "aws", Payer: "payer", Account: account, BillingPeriod: month,
		Currency: currency, Metric: "billed_cost", Role: role, Delivery: delivery, Charges: 10, State: ledger.Open,
	}
	sum := money.MustParse(total)
	r.Total = &sum
	if role == string(ledger.Book) {
		off := money.MustParse(difference)
		posted := sum.Sub(off)
		r.Posted, r.Difference = &posted, &off
	}
	return r
}

func TestBillsHideNoDifference(t *testing.T) {
	list := bills([]Book{
		bookOf("book", "aws-cur", "d1", "a", "2026-11", "USD", "100", "5"),
		bookOf("book", "aws-cur", "d1", "b", "2026-11", "USD", "100", "-5"),
		bookOf("book", "aws-cur", "d2", "a", "2026-12", "USD", "70", "0"),
	}, nil, false)
	if len(list) != 2 || list[0].Month != "2026-11" || list[0].Off != 2 {
		t.Fatalf("the bill that is off is not first: %+v", list)
	}
	l := list[0].Lines[0]
	if !l.Difference.IsZero() || l.Off != 2 {
		t.Errorf("two differences that cancel: %s, off in %d", l.Difference, l.Off)
	}
	p := &page.Context{}
	if c := differenceCell(p, "USD", list[0], l); c.Tag == nil || c.Tag.Tone != "warn" || c.Sub != "in 2 totals" ||
		c.Href == "" {
		t.Errorf("the page shows them as %+v", c)
	}
	if c := differenceCell(p, "USD", list[1], list[1].Lines[0]); c.Tag != nil || c.Figure.Text != "0.00" {
		t.Errorf("zero is shown as %+v", c)
	}
}

func TestEvidenceIsComparedPerAccount(t *testing.T) {
	rows := []Book{
		bookOf("book", "gcp-billing", "day1", "a", "2026-11", "USD", "60", "0"),
		bookOf("book", "gcp-billing", "day2", "a", "2026-11", "USD", "40", "0"),
		bookOf("book", "gcp-billing", "day1", "b", "2026-11", "USD", "7", "0"),
		// Evidence in two deliveries: of account a, and of an account without a book.
		bookOf("evidence", "focus", "f1", "a", "2026-11", "USD", "70", ""),
		bookOf("evidence", "focus", "f2", "a", "2026-11", "USD", "30.5", ""),
		bookOf("evidence", "focus", "f1", "c", "2026-11", "USD", "9", ""),
		// The same account in another currency is another bill.
		bookOf("evidence", "focus", "f1", "a", "2026-11", "EUR", "9", ""),
	}
	list := bills(rows, map[string]string{"f1": "x", "f2": "x"}, false)
	if len(list) != 2 {
		t.Fatalf("%d bills", len(list))
	}
	for _, b := range list {
		for _, l := range b.Lines {
			switch {
			case l.Role == "book" && (l.Total.String() != "107" || l.Charges != 30):
				t.Errorf("the book is %s over %d lines", l.Total, l.Charges)
			case l.Role == "evidence" && b.Currency == "USD" && (l.Gap == nil || l.Gap.String() != "0.5" || l.NoBook != 1):
				t.Errorf("the gap is %v, %d accounts without a book", l.Gap, l.NoBook)
			case l.Role == "evidence" && b.Currency == "EUR" && (l.Gap != nil || l.NoBook != 1):
				t.Errorf("evidence without a book has a gap of %v", l.Gap)
			}
		}
	}
	if per := bills(rows, nil, true); len(per) != 4 {
		t.Errorf("%d bills by account", len(per))
	}
}

func TestRangesOfAggregates(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "7": "7", "15-17 19": "15–17, 19", "1 3 5 7": "1, 3, 5, 7", "1 3 5 7 9-12 20": "1, 3, 5, 7 and 2 more",
	} {
		if got := ranges(in, 4); got != want {
			t.Errorf("%q prints %q, want %q", in, got, want)
		}
	}
}
