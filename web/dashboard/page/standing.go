package page

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/web/views"
)

// Standing says whether a figure of money can still change, and of a provisional one how far estimates in its currency
// were off so far.
func Standing(s ledger.State, currency string, estimates metrics.Estimates) views.Tag {
	tag := StateTag(s)
	if s == ledger.Provisional {
		tag.Text += Off(currency, estimates)
		tag.Title += ". " + estimates.Sentence()
	}
	return tag
}

// Off is how far estimates in a currency were off, as a suffix of "provisional"; empty if no bill came yet.
func Off(currency string, estimates metrics.Estimates) string {
	if off := estimates.Off(currency); off != "" {
		return " ± " + off
	}
	return ""
}

// Standing is Standing with the estimates that the ledger has; without them if they cannot be read.
func (d *Site) Standing(ctx context.Context, s ledger.State, currency string) views.Tag {
	return Standing(s, currency, EstimatesFor(ctx, d.Reader, s == ledger.Provisional))
}

// EstimatesFor reads how good estimates were, if a page shows provisional cost. The page is complete without.
func EstimatesFor(ctx context.Context, reader Reader, provisional bool) metrics.Estimates {
	if !provisional {
		return nil
	}
	estimates, err := metrics.ReadEstimates(ctx, reader)
	if err != nil {
		return nil
	}
	return estimates
}
