package bill

import (
	"maps"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

func TestUnitPricesAreThoseOfTheLine(t *testing.T) {
	for _, c := range []struct {
		price, quantity, cost string
		stays                 bool
	}{
		{"55.04", "0.5", "27.52", true}, {"55.04", "0.5", "27.53", false}, {"0", "3", "0", true}, {"1", "0", "0", true},
		{"0.0416666667", "24", "1", true}, {"0.333333333", "3", "0.9999995", true}, {"0.333333333", "3", "0.9999984", false},
		{"-1", "1", "-1", false}, {"2", "-3", "-6", true}, {"2", "-3", "6", false}, {"1e-7", "1e9", "100", true},
		{"123456789.123456789123456789", "1000", "123456789123.456789123456789", true},
		{"9000000", "9000000", "81000000000000", true}, {"9000000", "9000000", "81000000000001", false},
		{"text", "1", "1", false}, {"", "1", "1", false}, {"1", "", "1", false}, {"1", "1", "", false},
	} {
		charge := ledger.Charge{Category: ledger.CategoryUsage}
		amount := func(text string) *money.Amount {
			if text == "" {
				return nil
			}
			a := money.MustParse(text)
			return &a
		}
		charge.List, charge.Contracted = amount(c.cost), amount(c.cost)
		var d RowDetails
		d.AddPriced(&charge, amount(c.quantity), &Priced{List: c.price, Contracted: c.price})
		got := d.Map()
		if (got["ListUnitPrice"] != "") != c.stays || got["ContractedUnitPrice"] != got["ListUnitPrice"] {
			t.Errorf("%s × %s = %s: %v", c.price, c.quantity, c.cost, got)
		}
	}
}

func TestSKUsLeaveAsStated(t *testing.T) {
	all := Priced{SKU: "sku", Meter: "meter", SKUPrice: "price", Details: `{"GpuCount":8}`}
	for name, c := range map[string]struct {
		of       Priced
		category ledger.ChargeCategory
		want     map[string]string
	}{
		"all": {all, ledger.CategoryUsage, map[string]string{"SkuId": "sku", "SkuMeter": "meter", "SkuPriceId": "price",
			"SkuPriceDetails": `{"GpuCount":8}`}},
		"a tax": {all, ledger.CategoryTax, nil},
		"no id": {Priced{Meter: "meter", Details: "{}"}, ledger.CategoryUsage, nil},
	} {
		var d RowDetails
		d.AddPriced(&ledger.Charge{Category: c.category}, nil, &c.of)
		if got := d.Map(); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := PriceDetails(map[string]string{"InstanceType": "p5", "OperatingSystem": ""},
		map[string]string{"GpuCount": "8", "CoreCount": "many"}); got != `{"GpuCount":8,"InstanceType":"p5"}` {
		t.Errorf("%s", got)
	}
	if got := PriceDetails(nil, map[string]string{"GpuCount": ""}); got != "" {
		t.Errorf("%s", got)
	}
}
