package records

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// Table is a kind of file whose columns are all known. A misspelt column refuses a CSV file, and the row in JSON.
type Table struct {
	Rows     string // the rows in the plural, also the name of their list in JSON
	Columns  []string
	Required []string // columns that every CSV file has
}

// Fault is why a row is rejected.
type Fault struct {
	Column, Reason, Detail string
	Also                   []Fault // further faults of the row, listed but not counted
}

// Detect reports whether the start of a file is the header of such a table.
func (t *Table) Detect(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"), []byte("\n"))
	return t.check(strings.Split(strings.TrimRight(string(line), "\r"), ",")) == nil
}

// check finds the fault of a header.
func (t *Table) check(names []string) *Fault {
	names = slices.Clone(names)
	for i, name := range names {
		names[i] = strings.Trim(strings.TrimSpace(name), `"`)
	}
	if bad := t.unknown(names); bad != nil {
		return bad
	}
	for _, name := range t.Required {
		if !slices.ContainsFunc(names, func(have string) bool { return table.Squash(have) == name }) {
			return &Fault{Detail: fmt.Sprintf("the column %s is missing; %s have %s", name, t.Rows,
				strings.Join(t.Required, ", "))}
		}
	}
	return nil
}

func (t *Table) unknown(names []string) *Fault {
	for _, name := range names {
		if !slices.Contains(t.Columns, table.Squash(name)) {
			return &Fault{Column: Clip(Clean(name)), Reason: "unknown column", Detail: fmt.Sprintf(
				"%q is not a column of %s; they are %s", Clip(name), t.Rows, strings.Join(t.Columns, ", "))}
		}
	}
	return nil
}

// Each calls use with each row of a file and counts the outcome in read. A *ledger.FileError refuses the file.
func (t *Table) Each(
	ctx context.Context, in io.Reader, file string, read *ledger.Reading, use func(*Record) *Fault,
) error {
	rd := Reader{
		Lists: []string{t.Rows},
		Header: func(names []string) error {
			if bad := t.check(names); bad != nil {
				return &ledger.FileError{Rejection: ledger.Rejection{
					File: file, Line: 1, Reason: "unexpected columns", Detail: bad.Detail,
				}}
			}
			return nil
		},
		Reject: func(r ledger.Rejection) {
			read.Rows++
			read.Reject(r)
		},
	}
	return rd.Each(ctx, in, file, func(r *Record) error {
		read.Rows++
		bad := t.unknown(r.Names())
		if bad == nil {
			bad = use(r)
		}
		if bad != nil {
			rejection := func(f *Fault) ledger.Rejection {
				return ledger.Rejection{File: file, Line: r.Line, Column: f.Column, Reason: f.Reason, Detail: f.Detail}
			}
			read.Reject(rejection(bad))
			for i := range bad.Also {
				read.RejectAlso(rejection(&bad.Also[i]))
			}
			return nil
		}
		read.Accepted++
		return nil
	})
}
