package focus

import (
	"slices"
	"strings"

	"gpuledger/ingest/table"
)

// snapshots are the providers whose FOCUS exports contain the whole month each time. The files
// of all others add to each other: a file is a day, or holds new rows.
var snapshots = []string{"aws", "gcp", "azure", noAccount}

// incremental reports whether a scope's bills are increments. A loader's tables are not: their
// load ids order them.
func incremental(scope, load string) bool {
	provider, _, _ := strings.Cut(scope, " ")
	return load == "" && provider != "" && !slices.Contains(snapshots, provider)
}

// MayAppend implements bill.Mixed.
func (format) MayAppend() bool { return true }

// chargeID names a row, but in our export the charge that its rows are parts of.
var chargeID = table.Squash("x_ChargeId")

// rowIDs are the columns of providers' row numbers, by squashed name.
var rowIDs = []string{
	table.Squash("oci_ReferenceNumber"), table.Squash("lineItem/referenceNo"),
	table.Squash("x_LineItemId"), table.Squash("x_RecordId"),
	chargeID, table.Squash("ChargeId"), table.Squash("LineItemId"), table.Squash("RecordId"),
}

// RowID implements bill.Numbered.
func (b *binding) RowID(r table.Row) string {
	if b.rowID < 0 {
		return ""
	}
	return r.Raw(b.rowID)
}

// ExportedAt implements bill.Exported: the start of the charge period, in seconds, identifies
// rows of increments.
func (b *binding) ExportedAt(r table.Row) (at int64, ok bool) {
	if b.at[colChargeStart] < 0 {
		return 0, false
	}
	start, ok, err := r.Instant(b.at[colChargeStart])
	return int64(start), ok && err == nil
}
