package table

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// csvTable reads CSV, packed or not.
type csvTable struct {
	file   blob.File
	in     *blob.Reader
	limit  *rowLimit
	csv    *csv.Reader
	names  []string
	header int64 // line of the header
	short  int   // trailing fields that all rows may lack
	width  int   // fields of every row, once one is read
	bad    ledger.Tally
}

// MaxRow is the longest row that is read, in bytes: a quote that nobody closes
// would otherwise take the rest of the file into memory.
const MaxRow = 16 << 20

var errRowTooLong = errors.New("the row is longer than 16 MiB, so a quote is probably not closed")

// rowLimit bounds how much is read for one row.
type rowLimit struct {
	in   io.Reader
	left int64
}

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errRowTooLong
	}
	n, err := l.in.Read(p)
	l.left -= int64(n)
	return n, err
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

// titleLines is how many lines before the header are skipped at most.
const titleLines = 30

func newCSV(f blob.File, in io.Reader, o Options) (*csvTable, error) {
	limit := &rowLimit{in: newUTF8Reader(in), left: MaxRow}
	r := csv.NewReader(limit)
	r.FieldsPerRecord = -1 // counted below, so that a bad row names itself and reading goes on
	t := &csvTable{file: f, limit: limit, csv: r, short: o.ShortRows, header: 1}
	for n := 0; ; n++ {
		header, err := r.Read()
		switch {
		case errors.Is(err, io.EOF) && t.names != nil:
			// No line is the header: the first one says what is missing.
			return nil, &ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Line: 1, Reason: "no header line",
				Detail: fmt.Sprintf("none of the first %d lines has the column names of this format; the first has %d fields", n, len(t.names))}}
		case errors.Is(err, io.EOF):
			return nil, &ledger.FileError{Rejection: ledger.Rejection{File: f.Name, Reason: "empty file", Detail: "a header line with column names is expected"}}
		case err != nil:
			return nil, csvError(f.Name, int64(n)+1, err)
		}
		if n == 0 {
			header[0] = strings.TrimPrefix(header[0], "\ufeff")
			t.names = slices.Clone(header)
		}
		if o.IsHeader == nil || o.IsHeader(header) {
			line, _ := r.FieldPos(0)
			t.names, t.header = slices.Clone(header), int64(line)
			break
		}
		if n == titleLines {
			break // the first line is refused by whoever knows what it lacks
		}
	}
	r.ReuseRecord = true
	return t, nil
}

// csvError turns broken CSV into a refusal of the file and leaves other errors
// (I/O, damaged archives) as they are.
func csvError(file string, line int64, err error) error {
	if errors.Is(err, errRowTooLong) || errors.Is(err, errUTF16) {
		return &ledger.FileError{Rejection: ledger.Rejection{File: file, Line: line, Reason: "broken csv", Detail: err.Error()}}
	}
	if pe, ok := errors.AsType[*csv.ParseError](err); ok {
		return &ledger.FileError{Rejection: ledger.Rejection{File: file, Line: int64(pe.Line), Reason: "broken csv",
			Detail: fmt.Sprintf("%v at character %d", pe.Err, pe.Column)}}
	}
	return err
}

func (c *csvTable) Names() []string               { return c.names }
func (c *csvTable) Rejected() *ledger.Tally       { return &c.bad }
func (c *csvTable) Sum() ([32]byte, int64, error) { return c.in.Sum() }
func (c *csvTable) Close() error                  { return c.in.Close() }

// Select does nothing: a line is read as a whole.
func (c *csvTable) Select([]int) {}

func (c *csvTable) Each(ctx context.Context, visit func(Row) error) error {
	rec := &csvRecord{at: c.header}
	for n := 0; ; n++ {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		c.limit.left = MaxRow
		fields, err := c.csv.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(c.file.Name, rec.at+1, err)
		}
		line, _ := c.csv.FieldPos(0)
		if c.width == 0 {
			c.width = len(c.names)
			if n := len(fields); n < c.width && n >= c.width-c.short {
				c.width = n
			}
		}
		if len(fields) != c.width {
			c.bad.Reject(ledger.Rejection{File: c.file.Name, Line: int64(line), Reason: "wrong number of fields",
				Detail: fmt.Sprintf("the row has %d fields, the header %d", len(fields), len(c.names))})
			continue
		}
		rec.fields, rec.at = fields, int64(line)
		if err := visit(rec); err != nil {
			return err
		}
	}
}

type csvRecord struct {
	fields []string
	at     int64
	maps   mapCache
}

// cell is the text of a field, "" when the row ends before it.
func (r *csvRecord) cell(pos int) string {
	if pos < len(r.fields) {
		return r.fields[pos]
	}
	return ""
}

func (r *csvRecord) Line() int64 { return r.at }

func (r *csvRecord) Raw(pos int) string {
	if t := r.cell(pos); !IsNull(t) {
		return t
	}
	return ""
}

func (r *csvRecord) Number(pos int) (money.Amount, bool, error) {
	t := r.cell(pos)
	if IsNull(t) {
		return money.Amount{}, false, nil
	}
	a, err := money.Parse(t)
	return a, err == nil, err
}

func (r *csvRecord) Instant(pos int) (period.Second, bool, error) {
	t := r.cell(pos)
	if IsNull(t) {
		return 0, false, nil
	}
	at, err := ParseInstant(t)
	if err != nil {
		return 0, false, fmt.Errorf("%q: %w", Clip(t), err)
	}
	return at, true, nil
}

func (r *csvRecord) Pairs(pos int) ([]Pair, error) { return r.maps.parse(r.cell(pos)) }

// mapCache keeps the maps of texts seen lately: tags and product attributes
// repeat on thousands of rows.
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
	own := string(append([]byte(nil), text...)) // do not keep the whole row alive
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
