package awscur

import (
	"slices"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Source is the name of this source in the ledger.
const Source = "aws-cur"

const provider = "aws"

// Datasets: the report, and net if the export has no gross costs: gross costs with discount
// rows, or net costs without them, never both.
const (
	datasetCUR2   = "CUR 2.0"
	datasetLegacy = "CUR"
	netSuffix     = " net"
)

// Ranks among the exports of one account.
const (
	rankNative = 3
	rankLegacy = 2
)

// Format reads Cost and Usage Reports.
var Format bill.Format = format{}

type format struct{}

func (format) Source() string { return Source }

// Options allow headers with one more name than their rows have fields: such reports exist.
func (format) Options() table.Options { return table.Options{ShortRows: 1} }

func (format) Looks(names []string) bool { return looksLikeCUR(names) }

func (format) Describe(u bill.Unit) bill.Description {
	rank := rankNative
	if strings.TrimSuffix(u.Dataset, netSuffix) == datasetLegacy {
		rank = rankLegacy
	}
	return bill.Description{Export: "aws " + u.Scope + " " + u.Dataset, Kind: ledger.Snapshot, Rank: rank}
}

// CurrencyColumn implements bill.Denominated.
func (format) CurrencyColumn(names []string) (name string, at int) {
	return colCurrency.Name(), slices.IndexFunc(names, func(n string) bool {
		c, known := columnByName[table.Squash(canonicalName(n))]
		return known && c == colCurrency
	})
}

func (format) Bind(file blob.File, names []string) (bill.Binding, *ledger.Rejection) {
	s, refused := newSchema(file.Name, names)
	if refused != nil {
		return nil, refused
	}
	return &binding{s: s, columns: bill.Columns[column]{At: s.at[:]}, m: mapper{s: s, lines: newLines(s)}}, nil
}

// binding reads the rows of one file.
type binding struct {
	s       *schema
	m       mapper
	columns bill.Columns[column]
	// formulas are used by the first pass only.
	formulas formulas
	at       period.Second // the start of the last billing period, and its name
	month    period.Month
}

// surveyed are the columns that the first pass reads.
var surveyed = []column{
	colPayer, colPeriodStart, colAccount, colLineType, colCurrency,
	colUnblended, colNetUnblended, colListCost, colReservationARN,
	colReservationEffective, colReservationUnusedUpfront, colReservationUnusedRecurring,
	colNetReservationEffective, colNetReservationUnusedUpfront, colNetReservationUnusedRecurring,
	colPlanEffective, colPlanTotal, colPlanUsed, colNetPlanEffective, colLoadID,
	colSplitParent, colLineID, colInterval, colUsageType, colResource, colInstanceType,
}

func (b *binding) Survey() []int {
	var out []int
	for _, c := range surveyed {
		out = append(out, b.s.at[c]...)
	}
	return out
}

func (b *binding) Identity() []bill.IdentityColumn { return b.s.billing }
func (b *binding) Extra() []int                    { return b.s.at[colLoadID] }
func (b *binding) ScopeColumn() string             { return colPayer.Name() }
func (b *binding) Keyed() bool                     { return b.s.has(colLineID) && b.s.has(colInterval) }

func (b *binding) Carries() []ledger.Metric {
	out := []ledger.Metric{ledger.EffectiveCost, ledger.BilledCost, ledger.ContractedCost}
	if b.s.has(colListCost) {
		out = append(out, ledger.ListCost)
	}
	return out
}

// row is a record with known columns.
type row struct {
	bill.Fields[column]
	s *schema
}

func (b *binding) row(r table.Row) row {
	return row{bill.Fields[column]{Row: r, Columns: &b.columns}, b.s}
}

// Unit is the payer, billing month and load of a row.
func (b *binding) Unit(r table.Row) (bill.Unit, *table.CellError) {
	in := b.row(r)
	month, bad := b.billingMonth(in)
	if bad != nil {
		return bill.Unit{}, bad
	}
	return bill.Unit{
		Scope: in.TextOf(colPayer), Partition: string(month), Dataset: b.s.dataset(), Load: in.TextOf(colLoadID),
	}, nil
}

// dataset is the file's dataset.
func (s *schema) dataset() string {
	name := datasetCUR2
	if s.legacy {
		name = datasetLegacy
	}
	if s.net {
		name += netSuffix
	}
	return name
}

// Subject implements bill.Subject.
func (b *binding) Subject() (what, when []int) {
	for _, c := range []column{colAccount, colLineType, colProductCode, colUsageType, colOperation, colZone, colResource,
		colDescription, colResourceTags, colTags,
		colReservationARN, colPlanARN, colSplitParent} {
		what = append(what, b.s.at[c]...)
	}
	return what, slices.Concat(first(b.s.at[colUsageStart]), first(b.s.at[colUsageEnd]))
}

// first is the spelling that is read if there are several.
func first(positions []int) []int { return positions[:min(1, len(positions))] }

func (b *binding) LineKey(r table.Row, dst []byte) ([]byte, bool) {
	in := b.row(r)
	id := in.TextOf(colLineID)
	if id == "" || !b.Keyed() {
		return dst, false
	}
	dst = append(append(dst, id...), 0)
	return append(dst, in.TextOf(colInterval)...), true
}

// Machine is the key of the GPU instance that a row of instance hours bills.
func (b *binding) Machine(r table.Row) string {
	in := b.row(r)
	key := ledger.AWSInstanceKey(in.TextOf(colResource))
	if key == "" {
		return ""
	}
	usage := in.TextOf(colUsageType)
	kind := readUsageType(usage)
	if !kind.instanceHours && usage != "" {
		return ""
	}
	name := bill.First(in.TextOf(colInstanceType), kind.instanceType)
	if t, known := catalog.LookupAt(provider, name); known && t.Slots() == 0 || !known && name != "" &&
		!catalog.AcceleratedLooking(name) {
		return ""
	}
	return key
}

func (b *binding) Charge(r table.Row, scope string, c *ledger.Charge) (note string, bad *table.CellError) {
	in := b.row(r)
	month, bad := b.billingMonth(in)
	if bad != nil {
		return "", bad
	}
	unknownType, bad := b.m.charge(in, scope, month, c)
	if unknownType {
		note = "unknown line-item type " + bill.First(c.LineItemType, "(none)")
	}
	return note, bad
}

// billingMonth is the row's billing period.
func (b *binding) billingMonth(r row) (period.Month, *table.CellError) {
	at, ok, bad := r.InstantOf(colPeriodStart)
	switch {
	case bad != nil:
		return "", bad
	case !ok:
		return "", &table.CellError{
			Column: colPeriodStart.Name(), Reason: "missing value", Detail: "every row needs its billing period",
		}
	}
	if at != b.at || b.month == "" {
		b.at, b.month = at, bill.Month(at)
	}
	return b.month, nil
}
