package gcpbilling

import (
	"errors"
	"slices"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// Source is the name of this source in the ledger.
const Source = "gcp-billing"

// The exports of a billing account. Files with the table's partition, and rows without a day of
// export, are separate exports: otherwise the same rows would count twice, under two days.
const (
	dataset     = "usage cost"
	byPartition = " by partition"
	undated     = " undated"
)

// The tables of the export; both hold the same money.
const (
	detailed = "detailed"
	standard = "standard"
)

// rankNative is the rank among the exports of one account: FOCUS is 1.
const rankNative = 3

// Format reads Cloud Billing exports.
var Format bill.Format = format{}

// format has the child tables of a list of files, after Prepare.
type format struct{ children *children }

func (format) Source() string         { return Source }
func (format) Options() table.Options { return table.Options{} }

func (format) Looks(names []string) bool { return looksLikeExport(names) }

// IsManifest is always false: a query or an extract writes the files, and neither writes a
// manifest.
func (format) IsManifest([]byte) bool { return false }

func (format) ParseManifest(name string, _ []byte) (*bill.Manifest, error) {
	return nil, &ledger.FileError{
		Rejection: ledger.Rejection{File: name, Reason: "broken manifest", Detail: "exports of Google have no manifest"},
	}
}

func (format) Describe(u bill.Unit) bill.Description {
	return bill.Description{Export: "gcp " + u.Scope + " " + u.Dataset, Kind: ledger.Append, Rank: rankNative}
}

// CurrencyColumn implements bill.Denominated.
func (format) CurrencyColumn(names []string) (name string, at int) {
	return colCurrency.Name(), slices.IndexFunc(names, func(n string) bool {
		c, known := columnByName[table.Squash(n)]
		return known && c == colCurrency
	})
}

func (f format) Bind(file blob.File, names []string) (bill.Binding, *ledger.Rejection) {
	s, refused := newSchema(file.Name, names)
	if refused != nil {
		return nil, refused
	}
	return &binding{s: s, columns: bill.Columns[column]{At: s.at[:]}}, nil
}

// Open opens a file with the columns inside other columns, and those of its child tables.
func (f format) Open(file blob.File) (t table.Table, err error) {
	t, err = table.Open(file, f.Options())
	if err != nil {
		return nil, err
	}
	extra, err := f.virtual(file, t.HeaderLine(), t.Names())
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if len(extra) == 0 {
		return t, nil
	}
	return newWide(t, extra), nil
}
