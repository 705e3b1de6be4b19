package costs

import (
	"gpuledger/internal/ledger"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// className is a row's name on the left side of the flow: its price class, or for cost
// without a machine what the money buys instead.
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

// group is the printed name of a row's group on the overview.
func group(p *page.Context, r costRow) string {
	if byProvider(p.Scope) {
		return page.ProviderName(r.Provider)
	}
	return className(r)
}

// grouping names the overview's grouping and links to the other one.
func grouping(p *page.Context) (name, key string, other views.Link) {
	if byProvider(p.Scope) {
		return "Provider", "provider", views.Link{Text: "By price class", Href: p.Scope.With("by", "")}
	}
	return "Price class", "pricing", views.Link{Text: "By provider", Href: p.Scope.With("by", "provider")}
}

// providers lists the providers of a cube, largest first.
func providers(c *cube) []string {
	return largestOf(by(c, func(r costRow) string { return r.Provider }))
}
