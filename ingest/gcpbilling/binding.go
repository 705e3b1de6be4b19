package gcpbilling

import (
	"time"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// binding reads the rows of one file.
type binding struct {
	s       *schema
	m       mapper
	columns bill.Columns[column]
}

// surveyed are the fields that the first pass reads.
var surveyed = []column{
	colBillingAccount, colUsageStart, colCost, colCurrency, colInvoiceMonth, colProject, colCredits, colFirstCredit,
	colListCost, colDefaultCost, colExportTime, colPartition,
	colServiceID, colService, colSKU, colResource, colResourceName, colZone, colLocation, colSystemLabels,
}

func (b *binding) Survey() []int {
	var out []int
	for _, c := range surveyed {
		out = append(out, b.s.at[c]...)
	}
	return out
}

func (b *binding) Identity() []bill.IdentityColumn { return b.s.billing }

// Extra are fields outside a row's identity.
func (b *binding) Extra() []int {
	var out []int
	for _, c := range []column{colPartition, colFirstCredit} {
		out = append(out, b.s.at[c]...)
	}
	return out
}

func (b *binding) ScopeColumn() string { return colBillingAccount.Name() }

// LineKey never distinguishes rows: Google's exports have no row id, and two equal rows are two
// charges.
func (b *binding) LineKey(_ table.Row, dst []byte) ([]byte, bool) { return dst, false }

func (b *binding) Keyed() bool { return false }

func (b *binding) Carries() []ledger.Metric {
	out := []ledger.Metric{ledger.EffectiveCost, ledger.BilledCost, ledger.ContractedCost}
	if b.s.has(colListCost) {
		out = append(out, ledger.ListCost)
	}
	return out
}

func (b *binding) row(r table.Row) row {
	return row{bill.Fields[column]{Row: r, Columns: &b.columns}, b.s}
}

// Unit is the billing account, export and export day of a row.
func (b *binding) Unit(r table.Row) (bill.Unit, *table.CellError) {
	if w, ok := table.Under(r).(*wideRow); ok {
		if bad := w.broken(); bad != nil {
			return bill.Unit{}, bad
		}
	}
	in := b.row(r)
	u := bill.Unit{Scope: in.TextOf(colBillingAccount), Dataset: dataset, Variant: b.s.variant}
	day, ok, bad := in.InstantOf(colPartition)
	if ok {
		u.Dataset += byPartition
	} else if bad == nil {
		day, ok, bad = in.InstantOf(colExportTime)
	}
	switch {
	case bad != nil:
		return bill.Unit{}, bad
	case ok:
		u.Partition = b.m.days.name(day)
		return u, nil
	}
	from, ok, bad := in.InstantOf(colUsageStart)
	switch {
	case bad != nil:
		return bill.Unit{}, bad
	case !ok:
		return bill.Unit{}, &table.CellError{
			Column: colExportTime.Name(), Reason: "missing value",
			Detail: "a row needs the time of its export, or at least of its usage",
		}
	}
	u.Dataset += undated
	u.Partition = "undated " + string(period.MonthName(from))
	return u, nil
}

// dayNames caches the name of the current day: rows are ordered by export.
type dayNames struct {
	day  period.Second
	text string
}

func (d *dayNames) name(s period.Second) string {
	if day := s.Floor(period.Day); d.text == "" || day != d.day {
		d.day, d.text = day, day.Time().Format(time.DateOnly)
	}
	return d.text
}

// ExportedAt is the time of a row's export at full precision.
func (b *binding) ExportedAt(r table.Row) (int64, bool) {
	return exportTime(b.row(r).TextOf(colExportTime))
}

// DeliveredAt is the time of a row's export.
func (b *binding) DeliveredAt(r table.Row) (period.Second, bool) {
	at, ok, bad := b.row(r).InstantOf(colExportTime)
	return at, ok && bad == nil
}

// Machine is the key of the GPU machine that a row bills, recognised by its GPU rows or its
// type.
func (b *binding) Machine(r table.Row) string {
	in := b.row(r)
	kind := b.m.sku(in)
	if kind.part == notMachine || kind.fee {
		return ""
	}
	if kind.part != gpuPart && kind.part != slicePart {
		labels, bad := b.m.systemLabels(in)
		if bad != nil || !gpuMachine(labelOf(labels, labelSpec)) {
			return ""
		}
	}
	key, _ := b.m.machine(in, kind)
	return key
}

func (b *binding) Charge(r table.Row, scope string, c *ledger.Charge) (note string, bad *table.CellError) {
	return b.m.charge(b.row(r), scope, c)
}
