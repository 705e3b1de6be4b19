package costs

import (
	"gpuledger/internal/ledger"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// className is what the left side of the flow calls a row: its price class,
// and for money without a machine what it buys instead.
func className(r costRow) string {
	if r.Pricing != "" {
		return page.PriceClassName(r.Pricing)
	}
	switch r.Cause {
	case ledger.CommitmentUnused, ledger.CommitmentFee:
		return "Commitments"
	case ledger.Metered:
		return "Metered AI"
	case ledger.Shared:
		return "Shared services"
	}
	return "Class unknown"
}

// classNames is the order of classes.
var classNames = []string{
	"On-demand", "Savings plan", "Reserved", "Spot", "Owned",
	"Commitments", "Metered AI", "Shared services", "Class unknown",
}

// byProvider reports whether the overview groups by provider instead of price
// class.
func byProvider(s page.Scope) bool { return s.By == "provider" }

// group is what the overview groups a row by, as it is printed.
func group(p *page.Context, r costRow) string {
	if byProvider(p.Scope) {
		return page.ProviderName(r.Provider)
	}
	return className(r)
}

// grouping names what the overview groups by, with the link to the other.
func grouping(p *page.Context) (name, key string, other views.Link) {
	if byProvider(p.Scope) {
		return "Provider", "provider", views.Link{Text: "By price class", Href: p.Scope.With("by", "")}
	}
	return "Price class", "pricing", views.Link{Text: "By provider", Href: p.Scope.With("by", "provider")}
}

// providers are the providers of a cube, the largest first.
func providers(c *cube) []string {
	return largestOf(by(c, func(r costRow) string { return r.Provider }))
}
