package store

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// chargeFields is how many columns a charge row has in COPY.
const chargeFields = 16

// chargeRefs are the numbers of a charge's words by dictionary (outScopes …);
// 0 = none.
type chargeRefs [wordKinds]int32

// encodeCharge appends the fields of a charge row (bill.copy_table).
func encodeCharge(r *row, c *ledger.Charge, refs chargeRefs) {
	r.id(c.ID)
	r.int8(c.Line)
	r.int8(int64(c.Period.From))
	r.int8(int64(c.Period.To))
	for _, id := range refs {
		r.number(id)
	}
	amounts := [...]*money.Amount{c.Effective, c.Billed, c.List, c.Contracted, c.UsageAmount, c.CommitmentCredit}
	odd := 0
	for i, a := range amounts {
		if a == nil {
			r.null()
			continue
		}
		units, ok := a.Units()
		if !ok {
			odd |= 1 << i
			r.null()
			continue
		}
		r.int8(units)
	}
	r.count(c.InstanceSeconds)
	if odd == 0 {
		r.null()
		return
	}
	r.exact(amounts[:], odd)
}

func encodeScope(r *row, c *ledger.Charge) error {
	for _, text := range [...]string{c.SourceFile, c.BillingAccount, c.Account, string(c.BillingPeriod), c.Currency} {
		r.text(cleanText(text))
	}
	return nil
}

func encodeItem(r *row, c *ledger.Charge) error {
	k := itemOf(c)
	for i, text := range k.texts() {
		if i < 3 { // provider, kind and category are never unknown
			r.text(cleanText(*text))
		} else {
			r.name(cleanText(*text))
		}
	}
	r.bool(c.InstanceHours)
	r.bool(c.BillsGPU)
	return nil
}

func encodeResource(r *row, c *ledger.Charge) error {
	r.name(cleanText(c.ResourceID))
	r.name(cleanText(c.InstanceID))
	return nil
}

func encodeAggregate(r *row, slot int, c *ledger.Charge, scope int32) {
	r.begin(6)
	r.int4(slot)
	r.id(c.ID)
	r.int4(int(scope))
	r.int8(c.Aggregate.Lines)
	end := r.array(2*len(c.Aggregate.Ranges), oidInt8, false)
	for _, lines := range c.Aggregate.Ranges {
		r.int8(lines.First)
		r.int8(lines.Last)
	}
	end()
	r.bytes(c.Aggregate.Digest[:])
}

func encodeSplit(r *row, slot int, c *ledger.Charge, scope int32) {
	r.begin(11)
	r.int4(slot)
	r.id(c.ID)
	r.int4(int(scope))
	for _, text := range [...]string{c.Split.Parent, c.Split.Cluster, c.Split.Namespace, c.Split.Pod, c.Split.PodUID, c.Split.Resource} {
		r.text(cleanText(text))
	}
	r.measure(c.Split.Used)
	r.measure(c.Split.Unused)
}
