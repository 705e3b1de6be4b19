package focus

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
)

// providers are the most frequent names.
var providers = map[string]string{
	"AWS": "aws", "Amazon Web Services": "aws", "Google Cloud": "gcp", "Microsoft": "azure", "Microsoft Azure": "azure",
}

// provider is the provider's short name in other sources, else its own name in lower case with
// hyphens.
func (b *binding) provider(r table.Row) string {
	name := bill.First(b.text(r, colServiceProvider), b.text(r, colProvider), b.text(r, colHostProvider),
		b.text(r, colPublisher))
	if short, ok := providers[name]; ok {
		return short
	}
	lower := strings.ToLower(name)
	switch {
	case name == "" && b.oracle:
		return "oracle"
	case name == "":
		return noAccount
	case strings.Contains(lower, "amazon"), lower == "aws":
		return "aws"
	case strings.Contains(lower, "google"), lower == "gcp":
		return "gcp"
	case strings.Contains(lower, "azure"), lower == "microsoft":
		return "azure"
	}
	return b.words.Intern(strings.Join(words(lower), "-"))
}

func words(lower string) []string {
	return strings.FieldsFunc(lower, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
}

// marketplace reports whether a row of a cloud's bill is for another company's product: one of
// neither the cloud nor the invoice issuer (operators of a cloud's regions in China are both).
func (b *binding) marketplace(r table.Row) bool {
	issuer := b.text(r, colIssuer)
	cloud := bill.First(cloudOf(issuer), cloudOf(b.text(r, colProvider)), cloudOf(b.text(r, colServiceProvider)))
	if cloud == "" {
		return false
	}
	for _, col := range []column{colPublisher, colServiceProvider} {
		if maker := b.text(r, col); maker != "" && maker != issuer && cloudOf(maker) != cloud {
			return true
		}
	}
	return false
}

// cloudOf is the cloud to which a company of this name belongs, "" if none.
func cloudOf(company string) string {
	if short, ok := providers[company]; ok || company == "" {
		return short
	}
	for _, word := range words(strings.ToLower(company)) {
		switch word {
		case "amazon", "aws":
			return "aws"
		case "google", "gcp":
			return "gcp"
		case "microsoft", "azure":
			return "azure"
		}
	}
	return ""
}
