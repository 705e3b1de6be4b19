package focus

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Columns that a charge has no field for are kept as the bill has them: texts verbatim, prices as numbers, objects as
// JSON, and quantities separately.
func TestColumnsOfFOCUSAreKept(t *testing.T) {
	c := one(t, cells{"ServiceCategory": "Compute", "InvoiceId": "INV-7", "SkuPriceId": "p-1", "ListUnitPrice": "1.50",
		"SkuPriceDetails": `{"InstanceType":"x", "CoreCount":2}`, "PricingQuantity": "3", "PricingUnit": "Hours",
		"ConsumedQuantity": "2", "ConsumedUnit": "Hours"})
	want := map[string]string{"ServiceCategory": "Compute", "InvoiceId": "INV-7", "SkuPriceId": "p-1",
		"ListUnitPrice": "1.5", "SkuPriceDetails": `{"InstanceType":"x", "CoreCount":2}`, "PricingUnit": "Hours",
		"ConsumedUnit": "Hours"}
	for name, text := range want {
		if c.Details[name] != text {
			t.Errorf("%s: %s", name, cmp.Diff(text, c.Details[name]))
		}
	}
	q := c.Quantities
	if q == nil || q.Pricing.String() != "3" || q.Consumed.String() != "2" || q.Commitment != nil {
		t.Errorf("quantities %+v", q)
	}
}
