package page

import (
	"gpuledger/metrics"
	"gpuledger/web/views"
)

// ProviderName is a provider's usual name; an unknown provider keeps its own word.
func ProviderName(provider string) string { return metrics.ProviderName(provider) }

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
