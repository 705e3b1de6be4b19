package table

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Table is one file as rows of named columns. One goroutine uses it.
type Table interface {
	// Names are the column names as delivered, in file order. Fields of nested
	// records have dotted names (service.id); repeated fields are one column
	// whose text is JSON.
	Names() []string
	// HeaderLine is the 1-based line of the names, in JSON that of the first row; 0 in columnar
	// files, where names are not on a line.
	HeaderLine() int64
	// Select limits Each to the columns at these positions; cells of others read as null. Without
	// it, all are read.
	Select(positions []int)
	// Each calls visit for every row, until it fails.
	Each(ctx context.Context, visit func(Row) error) error
	// Rejected counts rows that could not be parsed.
	Rejected() *ledger.Tally
	// Sum returns the digest and the number of the stored bytes, after Each.
	Sum() ([32]byte, int64, error)
	Close() error
}

// Row is one row, valid until the next one is read. Positions are those of
// Table.Names.
type Row interface {
	// Line is the 1-based line of a text file or row of a columnar file.
	Line() int64
	// Raw is the text of a cell, "" if it is null. Numbers of binary formats are their shortest
	// decimal text, times RFC 3339.
	Raw(pos int) string
	// Number is the decimal of a cell; ok is false if it is null.
	Number(pos int) (a money.Amount, ok bool, err error)
	// Instant is the time of a cell; ok is false if it is null.
	Instant(pos int) (s period.Second, ok bool, err error)
	// Pairs is the map of a cell, sorted, nil if it is empty.
	Pairs(pos int) ([]Pair, error)
}

// Options configure how a text file is read.
type Options struct {
	// IsHeader recognises the header line, so that title lines before it are
	// skipped; nil: the first line is the header.
	IsHeader func(fields []string) bool
	// ShortRows is how many trailing fields all rows of a CSV file may lack; they are null. The
	// first row determines the number; rows with another number are refused.
	ShortRows int
	// Maps names members of JSON rows that are maps: one column, not a record
	// with a column per key.
	Maps []string
}

// Open opens a file in the format of its first bytes.
func Open(f blob.File, o Options) (Table, error) {
	head, err := f.Head(kindBytes)
	if err != nil {
		return nil, err
	}
	switch kindOf(head) {
	case kindParquet:
		return notTooWide(f)(openParquet(f))
	case kindAvro:
		return notTooWide(f)(openAvro(f))
	case kindJSON:
		return openJSON(f, o)
	}
	if strings.HasSuffix(strings.ToLower(f.Name), ".parquet") {
		return nil, broken(f.Name, "the file does not begin with "+parquetMagic)
	}
	return openCSV(f, o)
}

// notTooWide refuses files of more than MaxColumns columns.
func notTooWide(f blob.File) func(Table, error) (Table, error) {
	return func(t Table, err error) (Table, error) {
		if err != nil || len(t.Names()) <= MaxColumns {
			return t, err
		}
		return nil, errors.Join(&ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Line: t.HeaderLine(),
			Reason: "too many columns", Detail: errTooWide.Error()}}, t.Close())
	}
}

// Few lists the first few names, and how many more there are.
func Few(names []string, few int) string {
	shown := make([]string, 0, few)
	for _, n := range names[:min(few, len(names))] {
		shown = append(shown, Clip(n))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - few; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// CellError is the fault of one value.
type CellError struct{ Column, Reason, Detail string }

// Rejection adds the value's place.
func (e *CellError) Rejection(file string, line int64) ledger.Rejection {
	return ledger.Rejection{File: file, Line: line, Column: e.Column, Reason: e.Reason, Detail: e.Detail}
}
