package store

import (
	"encoding/binary"

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

// number is an int4 whose zero is NULL.
func (r *row) number(v int32) {
	if v == 0 {
		r.null()
		return
	}
	r.int4(int(v))
}

// count is an int8 that may be unknown.
func (r *row) count(v *int64) {
	if v == nil {
		r.null()
		return
	}
	r.int8(*v)
}

// array opens a one-dimensional array of n elements of the type oid; the
// caller appends the elements and calls the result.
func (r *row) array(n int, oid uint32, nulls bool) (end func()) {
	start := len(r.buf)
	r.size(0)
	dimensions, hasNull := uint32(1), uint32(0)
	if n == 0 {
		dimensions = 0
	}
	if nulls {
		hasNull = 1
	}
	r.buf = binary.BigEndian.AppendUint32(r.buf, dimensions)
	r.buf = binary.BigEndian.AppendUint32(r.buf, hasNull)
	r.buf = binary.BigEndian.AppendUint32(r.buf, oid)
	if n > 0 {
		r.buf = binary.BigEndian.AppendUint32(r.buf, uint32(n))
		r.buf = binary.BigEndian.AppendUint32(r.buf, 1) // lower bound
	}
	return func() { binary.BigEndian.PutUint32(r.buf[start:], uint32(len(r.buf)-start-4)) }
}

// Object ids of array elements.
const (
	oidInt8    = 20
	oidNumeric = 1700
)

// exact is the array of the amounts whose bit is set in odd.
func (r *row) exact(amounts []*money.Amount, odd int) {
	end := r.array(len(amounts), oidNumeric, true)
	for i, a := range amounts {
		if odd&(1<<i) == 0 {
			r.null()
			continue
		}
		r.amount(*a)
	}
	end()
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
