package focus

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Source is the name of this source in the ledger.
const Source = "focus"

// dataset of all versions: an export that is upgraded in the middle of a month stays the same
// export.
const dataset = "FOCUS"

// rankFOCUS is below the native exports of a provider.
const rankFOCUS = 1

// Format reads FOCUS 1.0 to 1.4.
var Format bill.Format = format{}

type format struct{}

func (format) Source() string { return Source }

// Options accept title lines before the header.
func (format) Options() table.Options { return table.Options{IsHeader: looks} }

// Looks reports whether the column names are FOCUS's, including 0.5, which is then refused with
// an explanation.
func (format) Looks(names []string) bool { return looks(names) }

func looks(names []string) bool {
	has := map[string]bool{}
	for _, n := range names {
		has[table.Squash(strings.TrimPrefix(n, "\ufeff"))] = true
	}
	return (has["billedcost"] || has["effectivecost"]) && has["chargeperiodstart"] &&
		(has["chargecategory"] || has["chargetype"])
}

func (format) Describe(u bill.Unit) bill.Description {
	kind := ledger.Snapshot
	if incremental(u.Scope, u.Load) {
		kind = ledger.Append
	}
	return bill.Description{
		Export: "focus " + u.Scope, Kind: kind, Rank: rankFOCUS, Increment: strings.HasPrefix(u.Scope, "oracle "),
	}
}

// Inspect looks for split charges whose original charge is in the file, too.
func (f format) Inspect(ctx context.Context, file blob.File, _ *bill.Manifest, _ bill.Hints) (found any, err error) {
	t, err := table.Open(file, f.Options())
	if err != nil {
		return nil, err
	}
	names := t.Names()
	if err := t.Close(); err != nil {
		return nil, err
	}
	b, refused := bind(file, names)
	// Bind repeats the refusal. In our export, every row is a part of its charge.
	if refused != nil || !b.has(colAllocatedMethod) || b.has(colOrigin) {
		return map[uint64]bool(nil), nil
	}
	return b.splitOrigins(ctx, file)
}

// BindAs is Bind with Inspect's finding.
func (format) BindAs(file blob.File, header []string, found any) (bill.Binding, *ledger.Rejection) {
	b, refused := bind(file, header)
	if refused != nil {
		return nil, refused
	}
	b.split, _ = found.(map[uint64]bool)
	return b, nil
}

// CurrencyColumn implements bill.Denominated.
func (format) CurrencyColumn(names []string) (name string, at int) {
	return colCurrency.name(), slices.IndexFunc(names, func(n string) bool {
		c, known := columnByName[table.Squash(n)]
		return known && c == colCurrency
	})
}

// Bind resolves the header of one file.
func (format) Bind(file blob.File, header []string) (bill.Binding, *ledger.Rejection) {
	b, refused := bind(file, header)
	if refused != nil {
		return nil, refused
	}
	return b, nil
}

func bind(file blob.File, header []string) (*binding, *ledger.Rejection) {
	b := &binding{rowID: -1}
	for i := range b.at {
		b.at[i] = -1
	}
	refuse := func(column, reason, detail string) *ledger.Rejection {
		return &ledger.Rejection{File: file.Name, Column: column, Reason: reason, Detail: detail}
	}
	has := map[string]bool{}
	for pos, n := range header {
		name := table.Squash(n)
		has[name] = true
		if c, ok := columnByName[name]; ok && b.at[c] < 0 {
			b.at[c] = pos
		}
		b.oracle = b.oracle || strings.HasPrefix(strings.ToLower(n), "oci_")
		if name != "" && name[0] != '_' { // a loader's columns begin with an underscore
			b.identity = append(b.identity, bill.IdentityColumn{Pos: pos, Name: name, Form: formByName[name]})
		}
	}
	for pos, n := range header {
		name := table.Squash(n)
		if c, ok := columnByPreview[name]; ok && b.at[c] < 0 {
			b.at[c] = pos
		}
		if b.rowID < 0 && slices.Contains(rowIDs, name) && (name != chargeID || !b.has(colOrigin)) {
			b.rowID = pos
		}
	}
	if !has["chargecategory"] && has["chargetype"] {
		return nil, refuse("ChargeType", "FOCUS 0.5",
			"this is the 0.5 preview, which has no ListCost, ContractedCost and ChargeCategory; ask the provider for FOCUS "+
				"1.0 or later")
	}
	b.bindDetails(header)
	var missing []string
	for _, any := range required {
		if !slices.ContainsFunc(any, b.has) {
			missing = append(missing, any[0].name())
		}
	}
	if len(missing) > 0 {
		return nil, refuse(strings.Join(missing, ", "), bill.MissingColumn,
			fmt.Sprintf("none of the %d columns is %s; add it to the export", len(header), strings.Join(missing, " or ")))
	}
	return b, nil
}

// binding reads the rows of one file.
type binding struct {
	at       [columnCount]int // position, -1 = absent
	rowID    int              // position of the provider's row number, -1 = absent
	oracle   bool             // it has columns that only Oracle writes
	identity []bill.IdentityColumn
	split    map[uint64]bool // keys of charges with both the origin and allocated rows in the file
	words    bill.Words
	mem      bill.Amounts
	tags     bill.TagSets
	perUse   bill.PerUse
	details  map[string]details

	detailed   []detail // columns that become details of the charge
	quantities quantityColumns
	said       bill.RowDetails
}

func (b *binding) has(c column) bool { return b.at[c] >= 0 }

// text is the cell of a column, "" if it is absent or null.
func (b *binding) text(r table.Row, c column) string {
	if b.at[c] < 0 {
		return ""
	}
	return r.Raw(b.at[c])
}

// surveyed are the columns that the first pass reads.
var surveyed = []column{
	colBilled, colEffective, colList, colContracted, colCurrency, colBillingAccount, colSubAccount, colBillingStart,
	colProvider, colServiceProvider, colHostProvider, colPublisher,
	colLoadID, colResource, colSkuDetails, colSkuDetailsAzure,
	colUsageType, colDescription, colConsumed, colConsumedUnit, colPricingQuantity,
	colPricingUnit, colCategory, colResourceName, colResourceType,
	colServiceCategory, colService, colZone,
}

func (b *binding) Survey() []int {
	var out []int
	for _, c := range append(slices.Clone(surveyed), splitKey...) {
		if b.has(c) {
			out = append(out, b.at[c])
		}
	}
	if b.rowID >= 0 {
		out = append(out, b.rowID)
	}
	return out
}

func (b *binding) Identity() []bill.IdentityColumn { return b.identity }

func (b *binding) Extra() []int {
	if b.has(colLoadID) {
		return []int{b.at[colLoadID]}
	}
	return nil
}

// Subject implements bill.Subject.
func (b *binding) Subject() (what, when []int) {
	for _, c := range []column{colSubAccount, colCategory, colClass, colDescription, colCommitment, colCommitmentStatus,
		colConsumedUnit, colRegion, colZone, colResource,
		colService, colSku, colSkuPrice, colSkuDetails, colTags,
		colAllocatedMethod, colAllocatedResource, colUsageType, colOperation} {
		if b.has(c) {
			what = append(what, b.at[c])
		}
	}
	for _, c := range []column{colChargeStart, colChargeEnd} {
		if b.has(c) {
			when = append(when, b.at[c])
		}
	}
	return what, when
}

func (b *binding) ScopeColumn() string { return colBillingAccount.name() }

// Standard implements bill.Standard.
func (b *binding) Standard() {}

func (b *binding) Keyed() bool                                    { return false }
func (b *binding) LineKey(_ table.Row, dst []byte) ([]byte, bool) { return dst, false }

var measures = map[ledger.Metric]column{
	ledger.BilledCost: colBilled, ledger.EffectiveCost: colEffective,
	ledger.ListCost: colList, ledger.ContractedCost: colContracted,
}

func (b *binding) Carries() []ledger.Metric {
	var out []ledger.Metric
	for _, m := range ledger.Metrics {
		if b.has(measures[m]) {
			out = append(out, m)
		}
	}
	return out
}

// Unit is the provider, billing account and billing month of a row.
func (b *binding) Unit(r table.Row) (bill.Unit, *table.CellError) {
	month, bad := b.month(r)
	if bad != nil {
		return bill.Unit{}, bad
	}
	scope := b.provider(r) + " " + bill.First(b.text(r, colBillingAccount), noAccount)
	return bill.Unit{Scope: scope, Partition: string(month), Dataset: dataset, Load: b.text(r, colLoadID)}, nil
}

// noAccount replaces a billing account that the file does not name.
const noAccount = "unknown"

func (b *binding) month(r table.Row) (period.Month, *table.CellError) {
	at, ok, err := r.Instant(b.at[colBillingStart])
	switch {
	case err != nil:
		return "", &table.CellError{Column: colBillingStart.name(), Reason: "not a date", Detail: err.Error()}
	case !ok:
		return "", &table.CellError{
			Column: colBillingStart.name(), Reason: "missing value", Detail: "every row needs its billing period",
		}
	}
	return bill.Month(at), nil
}

// Control adds the four cost columns as written.
func (b *binding) Control(r table.Row, t *bill.Totals) *table.CellError {
	month, bad := b.month(r)
	if bad != nil {
		return bad
	}
	t.Line(bill.TotalKey{Account: b.account(r), Month: month, Currency: b.text(r, colCurrency)})
	if b.repeated(r) {
		return nil // evidence: the origin is in the file
	}
	for _, m := range ledger.Metrics {
		if text := b.text(r, measures[m]); text != "" {
			if err := t.Add(m, text); err != nil {
				return &table.CellError{
					Column: measures[m].name(), Reason: "not a number", Detail: "\"" + table.Clip(text) + "\": " + err.Error(),
				}
			}
		}
	}
	return nil
}

// account is the sub-account in the spelling of the provider's native export, else the billing
// account.
func (b *binding) account(r table.Row) string {
	id := bill.First(b.text(r, colSubAccount), b.text(r, colBillingAccount), noAccount)
	if b.provider(r) == "azure" {
		id = strings.ToLower(id[strings.LastIndexByte(id, '/')+1:])
	}
	return b.words.Intern(id)
}
