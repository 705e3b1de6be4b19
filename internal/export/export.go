package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"gpuledger/internal/nearest"
	"gpuledger/metrics"
)

// Format is a way of writing rows.
type Format string

// Formats.
const (
	Table   Format = "table" // for people; rounded
	JSON    Format = "json"
	CSV     Format = "csv"
	Parquet Format = "parquet"
	Arrow   Format = "arrow" // IPC stream
	XLSX    Format = "xlsx"  // a workbook of Excel
)

// Formats lists all formats.
var Formats = []Format{Table, JSON, CSV, Parquet, Arrow, XLSX}

// ParseFormat finds a format by name.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats, f) {
		return f, nil
	}
	known := make([]string, len(Formats))
	for i, f := range Formats {
		known[i] = string(f)
	}
	near := nearest.Name(name, known)
	return "", &metrics.OptionError{Option: "format", Value: name, Nearest: near,
		Reason: "must be table, json, csv, parquet, arrow or xlsx" + nearest.Meant(near)}
}

// ContentType is the media type of the format.
func (f Format) ContentType() string {
	switch f {
	case JSON:
		return "application/json"
	case CSV:
		return "text/csv; charset=utf-8"
	case Parquet:
		return "application/vnd.apache.parquet"
	case Arrow:
		return "application/vnd.apache.arrow.stream"
	case XLSX:
		return mediaPart + "sheet"
	}
	return "text/plain; charset=utf-8"
}

// Binary reports whether the format is unfit for a terminal.
func (f Format) Binary() bool { return f == Parquet || f == Arrow || f == XLSX }

// Options are the settings of Write.
type Options struct {
	Dataset string // name, for JSON's meta
	Screen  Screen // of a table
	// ForExcel makes CSV safe to open in a spreadsheet: no text of it is taken for a formula.
	ForExcel bool
	// Types are the types of the columns of Parquet, from Held.Types; nil: those that the rows need.
	Types []Type
	// Rows is the most rows to write, 0 for all. The source may have more: JSON's meta states whether it does.
	Rows int
	// Meta makes JSON's "meta" after the rows are written.
	Meta func(written int, more bool) any
}

// Write writes rows in the given format and returns how many. It does not close rows. After an error the output is
// incomplete.
func Write(w io.Writer, f Format, rows metrics.Rows, o Options) (int, error) {
	out := bufio.NewWriterSize(w, 64<<10)
	var n int
	var err error
	src := &counted{Rows: rows, limit: o.Rows}
	switch f {
	case Table:
		err = writeTable(out, src, o.Screen)
	case JSON:
		err = writeJSON(out, src, o)
	case CSV:
		err = writeCSV(out, src, o.ForExcel)
	case Parquet:
		if o.Types != nil {
			err = writeParquetAs(out, src, o.Types)
			break
		}
		err = writeParquet(out, src)
	case Arrow:
		err = writeArrow(out, src)
	case XLSX:
		err = writeXLSX(out, src, o.Dataset)
	default:
		err = fmt.Errorf("unknown format %q", f)
	}
	n = src.n
	if err == nil {
		err = rows.Err()
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return n, fmt.Errorf("write %s after %d rows: %w", f, n, err)
	}
	return n, nil
}

// counted stops at a limit and records whether there was more.
type counted struct {
	metrics.Rows
	limit int
	n     int
	more  bool
}

func (c *counted) Next() bool {
	if c.limit > 0 && c.n == c.limit {
		c.more = c.Rows.Next()
		c.limit = -1
		return false
	}
	if c.limit < 0 || !c.Rows.Next() {
		return false
	}
	c.n++
	return true
}
