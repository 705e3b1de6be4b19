package table

import (
	"context"
	"errors"
	"io"

	"gpuledger/internal/ledger"
)

// EachLine calls visit with the rows of CSV text, including the header, for readers of small
// files that do not need columns. cells are valid until the next row; line is the row's first
// line. A *ledger.FileError refuses text that is not CSV, or a row without end.
func EachLine(ctx context.Context, in io.Reader, file string, visit func(line int64, cells []string) error) error {
	lines := newCSVLines(newUTF8Reader(in))
	var cells []string
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(file, lines.at, err)
		}
		cells = cells[:0]
		for _, f := range lines.fields {
			cells = append(cells, lines.string(f))
		}
		if n == 0 && hasCarriageReturn(cells) {
			return &ledger.FileError{Rejection: ledger.Rejection{File: file, Line: lines.at, Reason: "broken csv",
				Detail: "the header has carriage returns without line feeds; write line ends as LF or CRLF"}}
		}
		if err := visit(lines.at, cells); err != nil {
			return err
		}
	}
}
