package bill

import (
	"encoding/json"
	"math/bits"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Priced is the SKU of a row as its bill states it. Empty fields are those that the bill does not state.
type Priced struct {
	SKU, Meter, SKUPrice string
	Details              string // of the price, as JSON
	// List and Contracted are unit prices as texts, in the currency of the bill.
	List, Contracted string
}

// AddPriced adds the SKU and the unit prices of a charge (docs/figures.md, 31.11). A unit price leaves only if it is the
// price of the line: times the quantity, it is the line's cost. Taxes have neither.
func (d *RowDetails) AddPriced(c *ledger.Charge, quantity *money.Amount, p *Priced) {
	if c.Category == ledger.CategoryTax {
		return
	}
	d.addPrice("ContractedUnitPrice", p.Contracted, quantity, c.Contracted)
	d.addPrice("ListUnitPrice", p.List, quantity, c.List)
	d.Add("SkuId", p.SKU)
	if p.SKU != "" {
		d.Add("SkuMeter", p.Meter)
	}
	if p.SKUPrice != "" {
		d.Add("SkuPriceDetails", p.Details)
	}
	d.Add("SkuPriceId", p.SKUPrice)
}

func (d *RowDetails) addPrice(name, text string, quantity, cost *money.Amount) {
	if text == "" || quantity == nil || cost == nil {
		return
	}
	if price, err := money.Parse(text); err == nil && price.Sign() >= 0 && multiplies(price, *quantity, *cost) {
		d.Add(name, price.String())
	}
}

// nearCost is how far price × quantity may be from the cost, in the currency: bills round both.
var nearCost = money.MustParse("0.0000005")

// multiplies reports whether a price × quantity is a cost.
func multiplies(price, quantity, cost money.Amount) bool {
	p, small := price.Units()
	q, also := quantity.Units()
	c, too := cost.Units()
	if small && also && too && p >= 0 && q >= 0 && c >= 0 { // nearly all lines
		hi, lo := bits.Mul64(uint64(p), uint64(q))
		hiCost, loCost := bits.Mul64(uint64(c), money.UnitsPerOne)
		if hi < hiCost || hi == hiCost && lo < loCost {
			hi, lo, hiCost, loCost = hiCost, loCost, hi, lo
		}
		off, borrow := bits.Sub64(lo, loCost, 0)
		near, _ := nearCost.Units()
		return hi-hiCost-borrow == 0 && off <= uint64(near)*money.UnitsPerOne
	}
	off := price.Mul(quantity).Sub(cost)
	if off.Sign() < 0 {
		off = off.Neg()
	}
	return off.Cmp(nearCost) <= 0
}

// PriceDetails is SkuPriceDetails of FOCUS: properties as a JSON object, numbers as such. Names without a text, and
// numbers that are none, are left out; without any property it is empty.
func PriceDetails(texts, numbers map[string]string) string {
	out := map[string]any{}
	for name, text := range texts {
		if text != "" {
			out[name] = text
		}
	}
	for name, text := range numbers {
		if n, err := money.Parse(text); err == nil && n.Sign() > 0 {
			out[name] = json.Number(n.String())
		}
	}
	if len(out) == 0 {
		return ""
	}
	text, err := json.Marshal(out) // sorted by name
	if err != nil {
		return ""
	}
	return string(text)
}
