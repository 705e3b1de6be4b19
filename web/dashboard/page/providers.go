package page

import (
	"strings"

	"gpuledger/web/views"
)

// providerNames maps the words of bills to provider names.
var providerNames = map[string]string{
	"aws": "AWS", "amazon web services": "AWS", "gcp": "Google Cloud",
	"gce": "Google Cloud", "google cloud": "Google Cloud",
	"azure": "Azure", "microsoft": "Azure", "owned": "Owned hardware", "oci": "Oracle Cloud",
}

// ProviderName is a provider's usual name; an unknown provider keeps its own word.
func ProviderName(provider string) string {
	if name, ok := providerNames[strings.ToLower(provider)]; ok {
		return name
	}
	if provider == "" {
		return "Unknown provider"
	}
	return provider
}

// providerItems are the choices of the filter menu.
func (p *Context) providerItems(list []string) []views.MenuItem {
	if len(list) < 2 && p.Scope.Provider == "" {
		return nil
	}
	items := []views.MenuItem{{Text: "Provider"}}
	seen := map[string]bool{}
	for _, provider := range list {
		if provider == "" || seen[provider] {
			continue
		}
		seen[provider] = true
		items = append(items, views.MenuItem{
			Text: ProviderName(provider), Href: p.Scope.With("provider", provider), Current: provider == p.Scope.Provider,
		})
	}
	return items
}
