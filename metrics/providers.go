package metrics

import "strings"

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
