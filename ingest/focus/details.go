package focus

import (
	"encoding/json"
	"slices"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics/focus"
)

// kept are the columns of CostAndUsage that a charge has as separate fields, and those that the ledger decides when
// it writes FOCUS: how it splits a charge, and the lines of invoices.
var kept = []string{"AllocatedMethodDetails", "AllocatedMethodId", "AllocatedResourceId", "AllocatedResourceName",
	"AllocatedTags", "AvailabilityZone", "BilledCost", "BillingAccountId", "BillingCurrency", "BillingPeriodEnd",
	"BillingPeriodStart", "ChargeCategory", "ChargeClass", "ChargeDescription", "ChargePeriodEnd", "ChargePeriodStart",
	"CommitmentDiscountId", "CommitmentDiscountQuantity", "ConsumedQuantity", "ContractedCost", "EffectiveCost",
	"InvoiceDetailId", "ListCost", "PricingCurrencyEffectiveCost", "PricingQuantity", "RegionId", "ResourceId",
	"ServiceName", "Tags"}

// detail is a column of the file that becomes a detail of the charge.
type detail struct {
	focus.Column
	pos int
}

// quantityColumns are the positions of the columns of ledger.Quantities, -1 = absent.
type quantityColumns struct{ pricing, consumed, commitment, pricingCurrency int }

// bindDetails finds the columns that become details and quantities.
func (b *binding) bindDetails(header []string) {
	at := func(name string) int {
		return slices.IndexFunc(header, func(h string) bool { return table.Squash(h) == table.Squash(name) })
	}
	for _, c := range focus.CostAndUsage.Columns {
		if pos := at(c.Name); pos >= 0 && !slices.Contains(kept, c.Name) {
			b.detailed = append(b.detailed, detail{c, pos})
		}
	}
	b.quantities = quantityColumns{at("PricingQuantity"), at("ConsumedQuantity"), at("CommitmentDiscountQuantity"),
		at("PricingCurrencyEffectiveCost")}
}

// describe sets the columns of the row that the charge has no field for. note names one that is no number, which is
// left out.
func (b *binding) describe(r table.Row, c *ledger.Charge) (note string) {
	for _, d := range b.detailed {
		text := r.Raw(d.pos)
		switch {
		case text == "":
			continue
		case d.Type == focus.Price:
			price, ok, err := r.Number(d.pos)
			if err != nil || !ok {
				note = bill.First(note, d.Name+" is not a number")
				continue
			}
			text = price.String()
		case d.Type == focus.JSON:
			text = b.object(r, d.pos, text)
		}
		b.said.Add(d.Name, text)
	}
	if b.text(r, colAllocatedTags) != "" && b.has(colTags) { // the charge's tags are both
		b.said.Add("Tags", b.object(r, b.at[colTags], b.text(r, colTags)))
	}
	c.Details = b.said.Map()
	q := ledger.Quantities{}
	for _, at := range []struct {
		pos int
		to  **money.Amount
	}{{b.quantities.pricing, &q.Pricing}, {b.quantities.consumed, &q.Consumed}, {b.quantities.commitment, &q.Commitment},
		{b.quantities.pricingCurrency, &q.PricingCurrencyCost}} {
		if at.pos < 0 {
			continue
		}
		v, ok, err := r.Number(at.pos)
		if err != nil {
			note = bill.First(note, "a quantity is not a number")
		} else if ok {
			*at.to = b.mem.Keep(v)
		}
	}
	c.Quantities = &q
	return note
}

// object is the text of a JSON object in a cell: as it is in text files; of a map of Parquet its entries.
func (b *binding) object(r table.Row, pos int, text string) string {
	if strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
		return text
	}
	pairs, err := r.Pairs(pos)
	if err != nil || len(pairs) == 0 {
		return ""
	}
	object := make(map[string]string, len(pairs))
	for _, p := range pairs {
		object[p.Key] = p.Value
	}
	out, err := json.Marshal(object)
	if err != nil {
		return ""
	}
	return string(out)
}
