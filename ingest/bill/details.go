package bill

import (
	"maps"
	"reflect"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// RowDetails collect the columns of a row that leave as columns of FOCUS. The zero value is ready.
type RowDetails struct {
	row  []table.Pair
	sets TagSets
}

// Add adds a column that has a text.
func (d *RowDetails) Add(name, text string) {
	if text != "" {
		d.row = append(d.row, table.Pair{Key: name, Value: text})
	}
}

// Map is the shared map of the added columns. The next Add begins the next row.
func (d *RowDetails) Map() map[string]string {
	out := d.sets.Map(d.row)
	d.row = d.row[:0]
	return out
}

// Details derives the columns of FOCUS for bills in other formats. The zero value is ready.
type Details struct {
	known map[detailKey]map[string]string
	said  map[uintptr]map[string]string // referenced, so that no other map gets its address
}

// detailKey is what the details of a line depend on.
type detailKey struct {
	provider              string
	kind                  ledger.LineKind
	category              ledger.ChargeCategory
	service, code, typ    string
	class                 ledger.PriceClass
	commitment            string
	perUse, hours, resold bool
	said                  uintptr
}

const maxDetails = 1 << 14

// Complete derives the details of a line of a bill in the provider's own format, next to those that the parser set.
func (d *Details) Complete(c *ledger.Charge) {
	key := detailKey{provider: c.Provider, kind: c.Kind, category: c.Category, service: c.ServiceName, code: c.ServiceCode,
		typ: c.LineItemType, class: c.PriceClass, commitment: c.CommitmentID, perUse: perUse(c), hours: c.InstanceHours,
		resold: c.Marketplace, said: reflect.ValueOf(c.Details).Pointer()}
	if known, ok := d.known[key]; ok {
		c.Details = known
		return
	}
	if d.known == nil || len(d.known) >= maxDetails {
		d.known, d.said = map[detailKey]map[string]string{}, map[uintptr]map[string]string{}
	}
	all := detailsOf(c)
	maps.Copy(all, c.Details)
	d.known[key], d.said[key.said] = all, c.Details
	c.Details = all
}

// makers are the names of providers in FOCUS.
var makers = map[string]string{"aws": "AWS", "gcp": "Google Cloud", "azure": "Microsoft", "owned": "Own hardware"}

// subAccounts are what providers call a sub-account.
var subAccounts = map[string]string{"aws": "AWS Account", "gcp": "Project", "azure": "Subscription"}

// detailsOf derives names and categories of FOCUS from a line.
func detailsOf(c *ledger.Charge) map[string]string {
	maker := First(makers[c.Provider], c.Provider)
	category, sub := serviceCategory(c)
	out := map[string]string{"ServiceProviderName": maker, "HostProviderName": maker, "InvoiceIssuerName": maker,
		"BillingAccountType": "Billing Account", "SubAccountType": First(subAccounts[c.Provider], "Account"),
		"ServiceCategory": category, "ServiceSubcategory": sub, "ChargeFrequency": frequency(c)}
	if c.Marketplace {
		delete(out, "HostProviderName") // the provider only sells it
	}
	if pricing := pricingCategory(c); pricing != "" {
		out["PricingCategory"] = pricing
	}
	if c.CommitmentID != "" {
		out["CommitmentDiscountCategory"], out["CommitmentDiscountType"] = commitmentKind(c)
		if c.Category == ledger.CategoryUsage {
			out["CommitmentDiscountStatus"] = "Used"
			if c.Kind == ledger.LineCommitmentFee {
				out["CommitmentDiscountStatus"] = "Unused"
			}
		}
	}
	return out
}

// frequency is FOCUS ChargeFrequency.
func frequency(c *ledger.Charge) string {
	switch {
	case c.Category == ledger.CategoryUsage:
		return "Usage-Based"
	case c.Kind == ledger.LineCommitmentFee && c.LineItemType != "Fee" && !strings.Contains(c.LineItemType, "Upfront"):
		return "Recurring"
	}
	return "One-Time"
}

// pricingCategory is FOCUS PricingCategory; empty: the line has no price.
func pricingCategory(c *ledger.Charge) string {
	switch {
	case c.Category != ledger.CategoryUsage && c.Category != ledger.CategoryPurchase:
		return ""
	case c.Category == ledger.CategoryPurchase:
		return "Standard"
	case c.PriceClass == ledger.Spot:
		return "Dynamic"
	case c.CommitmentID != "", c.PriceClass == ledger.SavingsPlan, c.PriceClass == ledger.Reserved:
		return "Committed"
	}
	return "Standard"
}

// commitmentKind is FOCUS CommitmentDiscountCategory, and what the provider calls the commitment.
func commitmentKind(c *ledger.Charge) (category, kind string) {
	plan := c.PriceClass == ledger.SavingsPlan || strings.Contains(strings.ToLower(c.CommitmentID), "savingsplan")
	switch {
	case plan:
		return "Spend", "Savings Plan"
	case c.Provider == "gcp":
		return "Usage", "Committed Use Discount"
	case c.Provider == "aws":
		return "Usage", "Reserved Instance"
	}
	return "Usage", "Reservation"
}

// sharedDetails are the details that many lines can share: names and categories, no prices, SKUs and resources.
var sharedDetails = []string{"BillingAccountName", "BillingAccountType", "ChargeFrequency", "HostProviderName",
	"InvoiceId", "InvoiceIssuerName", "PricingCategory", "PricingCurrency", "ProviderName", "PublisherName", "RegionName",
	"ServiceCategory", "ServiceProviderName", "ServiceSubcategory", "SubAccountId", "SubAccountName", "SubAccountType"}

// commonDetails are the details that an aggregate keeps of its lines.
func commonDetails(details map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range sharedDetails {
		if text, ok := details[name]; ok {
			out[name] = text
		}
	}
	return out
}
