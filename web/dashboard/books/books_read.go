package books

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Book is one total of a bill with its posted amount.
type Book struct {
	Source, Provider, Payer, Account, BillingPeriod, Currency, Metric, Role, Delivery string
	Total, Posted, Difference, Gap                                                    *money.Amount
	Charges, Unposted                                                                 int64
	State                                                                             ledger.State
}

// off reports whether the posted amount differs from the bill.
func (r Book) off() bool { return r.Difference != nil && !r.Difference.IsZero() }

// ReadBooks lists all of them.
func ReadBooks(ctx context.Context, reader page.Reader) ([]Book, error) {
	var out []Book
	err := page.Each(ctx, reader, "reconciliation", metrics.Options{}, nil, func(r page.Record) error {
		out = append(out, Book{
			Source: r.Text("source"), Provider: r.Text("provider"), Payer: r.Text("billing_account"),
			Account: r.Text("account"), BillingPeriod: r.Text("billing_period"),
			Currency: r.Text("currency"), Metric: r.Text("metric"), Role: r.Text("role"), Delivery: r.Text("delivery_id"),
			Total: r.Amount("source_total"), Posted: r.Amount("posted_total"),
			Difference: r.Amount("difference"), Gap: r.Amount("evidence_gap"),
			Charges: r.Count("charges"), Unposted: r.Count("unposted_charges"), State: ledger.State(r.Text("state")),
		})
		return nil
	})
	return out, err
}
