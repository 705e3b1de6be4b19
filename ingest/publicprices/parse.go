package publicprices

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"gpuledger/ingest/records"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
)

// UnknownMachine is the reason for ignoring a row.
const UnknownMachine = "machine type that the catalogue does not know"

// Detect reports whether a text begins with the header of such a list.
func Detect(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return len(missing(strings.Split(strings.TrimSpace(string(line)), ","))) == 0
}

// missing lists the columns that a header lacks.
func missing(names []string) (lacks []string) {
	for _, column := range catalog.PriceColumns {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), column) }) {
			lacks = append(lacks, column)
		}
	}
	return lacks
}

// Parse reads one file. A *ledger.FileError refuses it.
func Parse(ctx context.Context, in io.Reader, file string) (prices []catalog.Price, read ledger.Reading, err error) {
	rd := records.Reader{
		Lists: []string{"prices"},
		Header: func(names []string) error {
			if lacks := missing(names); len(lacks) > 0 {
				return &ledger.FileError{Rejection: ledger.Rejection{File: file, Reason: "missing column",
					Detail: strings.Join(lacks, ", ") + ": a list of public prices has " + strings.Join(catalog.PriceColumns, ", ")}}
			}
			return nil
		},
		Reject: func(r ledger.Rejection) {
			read.Rows++
			read.Reject(r)
		},
	}
	err = rd.Each(ctx, in, file, func(r *records.Record) error {
		read.Rows++
		fields := make([]string, len(catalog.PriceColumns))
		for i, column := range catalog.PriceColumns {
			fields[i] = strings.TrimSpace(r.Text(column))
		}
		p, err := catalog.ReadPrice(fields)
		switch {
		case err != nil:
			read.Reject(ledger.Rejection{File: file, Line: r.Line, Reason: "not a price", Detail: err.Error()})
		case !catalog.Embedded().Sells(p.Provider, p.InstanceType):
			read.Ignore(UnknownMachine, 1)
		default:
			read.Accepted++
			prices = append(prices, p)
		}
		return nil
	})
	return prices, read, err
}
