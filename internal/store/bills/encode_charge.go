package bills

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/store/pg"
)

// chargeFields is how many columns a charge row has in COPY.
const chargeFields = 18

// chargeRefs are the dictionary numbers of a charge's words (outScopes …); 0 = none.
type chargeRefs [wordKinds]int32

// encodeCharge appends the fields of a charge row (bill.copy_table).
func encodeCharge(r *pg.Row, c *ledger.Charge, refs chargeRefs) {
	detail := refs[outDetails]
	r.ID(c.ID)
	r.Int8(c.Line)
	r.Int8(int64(c.Period.From))
	r.Int8(int64(c.Period.To))
	for _, id := range refs[:outDetails] {
		r.Number(id)
	}
	amounts := [...]*money.Amount{c.Effective, c.Billed, c.List, c.Contracted, c.UsageAmount, c.CommitmentCredit}
	odd := 0
	for i, a := range amounts {
		if a == nil {
			r.Null()
			continue
		}
		units, ok := a.Units()
		if !ok {
			odd |= 1 << i
			r.Null()
			continue
		}
		r.Int8(units)
	}
	r.Count(c.InstanceSeconds)
	if odd == 0 {
		r.Null()
	} else {
		r.Exact(amounts[:], odd)
	}
	r.Number(detail)
	encodeQuantities(r, c.Quantities)
}

// encodeQuantities appends the quantities of a line in the order of bill.copy_table's comment.
func encodeQuantities(r *pg.Row, q *ledger.Quantities) {
	if q == nil {
		r.Null()
		return
	}
	amounts := [...]*money.Amount{q.Pricing, q.Consumed, q.Commitment, q.PricingCurrencyCost}
	known := 0
	for i, a := range amounts {
		if a != nil {
			known |= 1 << i
		}
	}
	r.Exact(amounts[:], known)
}

func encodeScope(r *pg.Row, c *ledger.Charge) error {
	for _, text := range [...]string{c.SourceFile, c.BillingAccount, c.Account, string(c.BillingPeriod), c.Currency} {
		r.Text(pg.CleanText(text))
	}
	return nil
}

func encodeItem(r *pg.Row, c *ledger.Charge) error {
	k := itemOf(c)
	for i, text := range k.texts() {
		if i < 3 { // provider, kind and category are never unknown
			r.Text(pg.CleanText(*text))
		} else {
			r.Name(pg.CleanText(*text))
		}
	}
	r.Bool(c.InstanceHours)
	r.Bool(c.BillsGPU)
	r.Bool(c.Marketplace)
	r.Bool(c.Allocated)
	return nil
}

func encodeResource(r *pg.Row, c *ledger.Charge) error {
	r.Name(pg.CleanText(c.ResourceID))
	r.Name(pg.CleanText(c.InstanceID))
	r.Name(pg.CleanText(c.InstanceAlias))
	return nil
}

func encodeAggregate(r *pg.Row, slot int, c *ledger.Charge, scope int32) {
	r.Begin(6)
	r.Int4(slot)
	r.ID(c.ID)
	r.Int4(int(scope))
	r.Int8(c.Aggregate.Lines)
	end := r.Array(2*len(c.Aggregate.Ranges), pg.OidInt8, false)
	for _, lines := range c.Aggregate.Ranges {
		r.Int8(lines.First)
		r.Int8(lines.Last)
	}
	end()
	r.Bytes(c.Aggregate.Digest[:])
}

func encodeSplit(r *pg.Row, slot int, c *ledger.Charge, scope int32) {
	r.Begin(11)
	r.Int4(slot)
	r.ID(c.ID)
	r.Int4(int(scope))
	for _, text := range [...]string{
		c.Split.Parent, c.Split.Cluster, c.Split.Namespace, c.Split.Pod, c.Split.PodUID, c.Split.Resource,
	} {
		r.Text(pg.CleanText(text))
	}
	r.Measure(c.Split.Used)
	r.Measure(c.Split.Unused)
}
