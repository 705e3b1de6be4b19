package focus

import "testing"

// On a cloud's bill, a product of neither the cloud nor the invoice issuer belongs to its
// marketplace; a neocloud's own bill has none.
func TestMarketplace(t *testing.T) {
	for name, c := range map[string]struct {
		row  cells
		want bool
	}{
		"a neocloud's own": {nil, false},
		"the cloud's own": {
			cells{
				"ProviderName": "AWS", "PublisherName": "Amazon Web Services, Inc.",
				"InvoiceIssuerName": "Amazon Web Services, Inc.",
			}, false,
		},
		"a vendor's": {
			cells{"ProviderName": "AWS", "PublisherName": "Vendor Inc.", "InvoiceIssuerName": "Amazon Web Services, Inc."}, true,
		},
		"a vendor's on Azure": {
			cells{"ProviderName": "Microsoft", "PublisherName": "Vendor Inc.", "InvoiceIssuerName": "Microsoft"}, true,
		},
		"who runs it in China": {
			cells{"ProviderName": "AWS", "PublisherName": "Sinnet", "InvoiceIssuerName": "Sinnet"}, false,
		},
		"nobody says who made it": {
			cells{"ProviderName": "Google Cloud", "PublisherName": "", "InvoiceIssuerName": ""}, false,
		},
	} {
		if got := one(t, c.row).Marketplace; got != c.want {
			t.Errorf("%s: marketplace %v, want %v", name, got, c.want)
		}
	}
}
