package dashboard

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// providerNames are the providers whose own word is not their name.
var providerNames = map[string]string{
	"aws": "AWS", "amazon web services": "AWS", "gcp": "Google Cloud", "gce": "Google Cloud", "google cloud": "Google Cloud",
	"azure": "Azure", "microsoft": "Azure", "owned": "Owned hardware", "oci": "Oracle Cloud",
}

// providerName is a provider as people call it; others go by their own word.
func providerName(provider string) string {
	if name, ok := providerNames[strings.ToLower(provider)]; ok {
		return name
	}
	if provider == "" {
		return "Unknown provider"
	}
	return provider
}

// className is what the left side of the flow calls a row: its price class,
// and for money without a machine what it buys instead.
func className(r costRow) string {
	if r.Pricing != "" {
		return priceClassName(r.Pricing)
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
var classNames = []string{"On-demand", "Savings plan", "Reserved", "Spot", "Owned", "Commitments", "Metered AI", "Shared services", "Class unknown"}

// byProvider reports whether the overview groups by provider instead of price
// class.
func (s scope) byProvider() bool { return s.By == "provider" }

// group is what the overview groups a row by, as it is printed.
func (p *pageContext) group(r costRow) string {
	if p.scope.byProvider() {
		return providerName(r.Provider)
	}
	return className(r)
}

// grouping names what the overview groups by, with the link to the other.
func (p *pageContext) grouping() (name, key string, other views.Link) {
	if p.scope.byProvider() {
		return "Provider", "provider", views.Link{Text: "By price class", Href: p.scope.with("by", "")}
	}
	return "Price class", "pricing", views.Link{Text: "By provider", Href: p.scope.with("by", "provider")}
}

// providers are the providers of a cube, the largest first.
func providers(c *cube) []string {
	return largestOf(by(c, func(r costRow) string { return r.Provider }))
}

// providerItems are the choices of the filter menu.
func (p *pageContext) providerItems(list []string) []views.MenuItem {
	if len(list) < 2 && p.scope.Provider == "" {
		return nil
	}
	items := []views.MenuItem{{Text: "Provider"}}
	seen := map[string]bool{}
	for _, provider := range list {
		if provider == "" || seen[provider] {
			continue
		}
		seen[provider] = true
		items = append(items, views.MenuItem{Text: providerName(provider), Href: p.scope.with("provider", provider), Current: provider == p.scope.Provider})
	}
	return items
}

// elsewhere says what was spent in the currencies that the page does not show.
func elsewhere(shown string, currencies []string, spent map[string]money.Amount) string {
	var said []string
	for _, code := range currencies {
		if code != shown {
			said = append(said, format.Coded(code).Money(spent[code]))
		}
	}
	switch len(said) {
	case 0:
		return ""
	case 1:
		return "Another " + said[0] + " is shown on its own: currencies are never added."
	}
	return "Another " + listed(said) + " are shown on their own: currencies are never added."
}
