package table

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// csvTable reads CSV, packed or not.
type csvTable struct {
	file  blob.File
	in    *blob.Reader
	lines *csvLines
	names []string
	at    int64  // line of the names
	read  []bool // per name; nil = all
	wants []Want // of Prepare
	short int    // trailing fields that all rows may lack
	width int    // fields of every row, once one is read
	bad   ledger.Tally
}

func openCSV(f blob.File, o Options) (Table, error) {
	in, err := f.Open(blob.Limits{})
	if err != nil {
		return nil, err
	}
	t, err := newCSV(f, in, o)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	t.in = in
	return t, nil
}

// fewNames is how many fields of a line that is not a header are named in the error.
const fewNames = 8

// titleLines is the most lines that are skipped before the header.
const titleLines = 30

func newCSV(f blob.File, in io.Reader, o Options) (*csvTable, error) {
	t := &csvTable{file: f, lines: newCSVLines(newUTF8Reader(in)), short: o.ShortRows}
	for n := 0; ; n++ {
		err := t.lines.next()
		switch {
		case errors.Is(err, io.EOF) && t.names != nil:
			// No line is the header: the error about the first one names the missing columns.
			return nil, &ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Line: 1, Reason: "no header line",
				Detail: fmt.Sprintf("none of the first %d lines has the column names of this format; the first has %d fields: %s",
					n, len(t.names), Few(t.names, fewNames))}}
		case errors.Is(err, io.EOF):
			return nil, &ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Line: 1, Reason: "empty file",
				Detail: "a header line with column names is expected"}}
		case err != nil:
			return nil, csvError(f.Name, t.lines.at, err)
		}
		header := make([]string, len(t.lines.fields))
		for i := range header {
			header[i] = t.lines.string(t.lines.fields[i])
		}
		if n == 0 {
			t.names, t.at = header, t.lines.at
		}
		if o.IsHeader == nil || o.IsHeader(header) {
			t.names, t.at = header, t.lines.at
			break
		}
		if n == titleLines {
			break // the binding refuses the first line with the missing names
		}
	}
	if hasCarriageReturn(t.names) {
		return nil, &ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Line: t.lines.at, Reason: "broken csv",
			Detail: "the header has carriage returns without line feeds, so several lines would be read as one; write line " +
				"ends as LF or CRLF"}}
	}
	return t, nil
}

// csvError turns broken CSV into a refusal of the file and returns other errors (I/O, damaged
// archives) unchanged.
func csvError(file string, line int64, err error) error {
	if errors.Is(err, errTooWide) {
		return &ledger.FileError{
			Rejection: ledger.Rejection{File: file, Line: line, Reason: "too many columns", Detail: err.Error()},
		}
	}
	if errors.Is(err, errRowTooLong) || errors.Is(err, errUTF16) {
		return &ledger.FileError{
			Rejection: ledger.Rejection{File: file, Line: line, Reason: "broken csv", Detail: err.Error()},
		}
	}
	if pe, ok := errors.AsType[*csv.ParseError](err); ok {
		return &ledger.FileError{Rejection: ledger.Rejection{File: file, Line: int64(pe.Line), Reason: "broken csv",
			Detail: fmt.Sprintf("%v at character %d", pe.Err, pe.Column)}}
	}
	return err
}

func (c *csvTable) Names() []string               { return c.names }
func (c *csvTable) HeaderLine() int64             { return c.at }
func (c *csvTable) Rejected() *ledger.Tally       { return &c.bad }
func (c *csvTable) Sum() ([32]byte, int64, error) { return c.in.Sum() }
func (c *csvTable) Close() error                  { return c.in.Close() }

// Select limits reading to some columns.
func (c *csvTable) Select(positions []int) {
	c.read = make([]bool, len(c.names))
	for i := range c.read {
		c.read[i] = positions == nil
	}
	for _, pos := range positions {
		c.read[pos] = true
	}
}

// Prepare implements Preparer.
func (c *csvTable) Prepare(wants []Want) bool {
	c.Select([]int{})
	for _, w := range wants {
		c.read[w.Pos] = true
	}
	c.wants = wants
	return true
}

// Each unpacks, parses and visits in parallel.
func (c *csvTable) Each(ctx context.Context, visit func(Row) error) error {
	if c.read == nil {
		c.Select(nil)
	}
	r := &csvReader{t: c, columns: make([]*csvColumn, len(c.names))}
	for pos, w := range wanted(c.read, c.wants) {
		if w != nil {
			r.columns[pos] = newCSVColumn(w)
			r.read = append(r.read, pos)
		}
	}
	ahead := newReadAhead(c.lines.in)
	c.lines.in = ahead
	hashed := hashedColumns(c.wants)
	err := eachRow(ctx, func() *batch { return &batch{cols: make([]column, len(c.names)), hashed: hashed} }, r.fill, visit)
	ahead.stop()
	return err
}

// csvReader fills batches from lines.
type csvReader struct {
	t       *csvTable
	columns []*csvColumn // by position; nil = not read
	read    []int        // positions
	starts  []int        // of the current rows, among their fields
	lines   []int64      // of the current rows
}

func (r *csvReader) fill(b *batch) (more bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			b.rows = 0
			err = &ledger.FileError{
				Rejection: ledger.Rejection{File: r.t.file.Name, Line: r.t.lines.at, Reason: "broken csv", Detail: fmt.Sprint(v)},
			}
		}
	}()
	b.rows = 0
	most := rowsAtOnce(len(r.read))
	if b.lines == nil {
		b.lines = make([]int64, most)
		for pos := range b.cols {
			b.cols[pos].null()
		}
	}
	size := 0
	for _, pos := range r.read {
		r.columns[pos].batch()
		if size += r.columns[pos].size(); size > allBytes {
			size -= r.columns[pos].size()
			r.columns[pos].begin()
		}
		b.cols[pos].index = b.cols[pos].room(most)
	}
	for b.rows < most && err == nil {
		if err = r.rows(most - b.rows); err == nil {
			r.add(b)
		}
	}
	if b.rows > 0 {
		for _, pos := range r.read {
			col := &b.cols[pos]
			col.index = col.index[:b.rows]
			r.columns[pos].end(col)
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, csvError(r.t.file.Name, r.t.lines.at, err)
	}
	return true, nil
}

// blockRows is how many rows are split before their columns are processed one after the other,
// each while its known values are in cache.
const blockRows = 256

// rows splits the next rows, at most most of them.
func (r *csvReader) rows(most int) error {
	r.starts, r.lines = r.starts[:0], r.lines[:0]
	if err := r.t.lines.next(); err != nil {
		return err
	}
	fields := r.t.lines.fields
	for at := 0; fields != nil; fields = r.t.lines.more() {
		if r.fits(fields) {
			r.starts, r.lines = append(r.starts, at), append(r.lines, r.t.lines.at)
		}
		at += len(fields)
		if len(r.starts) == min(most, blockRows) {
			break
		}
	}
	return nil
}

// fits compares a row with the header.
func (r *csvReader) fits(fields []csvField) bool {
	t := r.t
	if t.width == 0 {
		t.width = len(t.names)
		if n := len(fields); n < t.width && n >= t.width-t.short {
			t.width = n
		}
	}
	if len(fields) == t.width {
		return true
	}
	t.bad.Reject(ledger.Rejection{File: t.file.Name, Line: t.lines.at, Reason: "wrong number of fields",
		Detail: fmt.Sprintf("the row has %d fields, the header %d", len(fields), len(t.names))})
	return false
}

// add adds the current rows to a batch.
func (r *csvReader) add(b *batch) {
	t := r.t
	for _, pos := range r.read {
		index := b.cols[pos].index[b.rows:][:len(r.starts)]
		if pos >= t.width {
			for i := range index {
				index[i] = -1
			}
			continue
		}
		c := r.columns[pos]
		for i, start := range r.starts {
			f := t.lines.fields[start+pos]
			index[i] = c.add(t.lines.text(f), f.doubled)
		}
	}
	copy(b.lines[b.rows:], r.lines)
	b.rows += len(r.starts)
}

// mapCache caches the maps of recent texts: tags and product attributes repeat on thousands of
// rows.
type mapCache struct{ known map[string][]Pair }

const mapCacheSize = 4096

func (c *mapCache) parse(text string) ([]Pair, error) {
	if IsNull(text) {
		return nil, nil
	}
	if p, ok := c.known[text]; ok {
		return p, nil
	}
	p, err := ParsePairs(text)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", Clip(text), err)
	}
	if c.known == nil || len(c.known) >= mapCacheSize {
		c.known = make(map[string][]Pair)
	}
	own := string(append([]byte(nil), text...)) // do not retain the whole row
	c.known[own] = p
	return p, nil
}

// Clip shortens a text for a message.
func Clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
