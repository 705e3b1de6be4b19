package awscur

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// csvSource reads CSV, packed or not.
type csvSource struct {
	file  blob.File
	in    *blob.Reader
	limit *rowLimit
	csv   *csv.Reader
	s     *schema
	bad   ledger.Tally
}

// maxRow is the longest row that is read, in bytes: a quote that nobody closes
// would otherwise take the rest of the file into memory.
const maxRow = 16 << 20

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

func openCSV(f blob.File) (source, error) {
	in, err := f.Open(blob.Limits{})
	if err != nil {
		return nil, err
	}
	src, err := newCSV(f, in)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	src.in = in
	return src, nil
}

func newCSV(f blob.File, in io.Reader) (*csvSource, error) {
	limit := &rowLimit{in: in, left: maxRow}
	r := csv.NewReader(limit)
	header, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, &FileError{Rejection: ledger.Rejection{File: f.Name, Reason: "empty file", Detail: "a header line with column names is expected"}}
	case err != nil:
		return nil, csvError(f.Name, 1, err)
	}
	s, refused := newSchema(f.Name, header)
	if refused != nil {
		return nil, &FileError{Rejection: *refused}
	}
	r.ReuseRecord = true
	r.FieldsPerRecord = -1 // counted below, so that a bad row names itself and reading goes on
	return &csvSource{file: f, limit: limit, csv: r, s: s}, nil
}

// csvError turns broken CSV into a refusal of the file and leaves other errors
// (I/O, damaged archives) as they are.
func csvError(file string, line int64, err error) error {
	if errors.Is(err, errRowTooLong) {
		return &FileError{Rejection: ledger.Rejection{File: file, Line: line, Reason: "broken csv", Detail: err.Error()}}
	}
	if pe, ok := errors.AsType[*csv.ParseError](err); ok {
		return &FileError{Rejection: ledger.Rejection{File: file, Line: int64(pe.Line), Reason: "broken csv",
			Detail: fmt.Sprintf("%v at character %d", pe.Err, pe.Column)}}
	}
	return err
}

func (c *csvSource) schema() *schema               { return c.s }
func (c *csvSource) rejected() *ledger.Tally       { return &c.bad }
func (c *csvSource) sum() ([32]byte, int64, error) { return c.in.Sum() }
func (c *csvSource) close() error                  { return c.in.Close() }

func (c *csvSource) each(ctx context.Context, visit func(record) error) error {
	rec := &csvRecord{at: 1}
	for n := 0; ; n++ {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		c.limit.left = maxRow
		fields, err := c.csv.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(c.file.Name, rec.at+1, err)
		}
		line, _ := c.csv.FieldPos(0)
		if len(fields) != len(c.s.names) {
			c.bad.Reject(ledger.Rejection{File: c.file.Name, Line: int64(line), Reason: "wrong number of fields",
				Detail: fmt.Sprintf("the row has %d fields, the header %d", len(fields), len(c.s.names))})
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

func (r *csvRecord) line() int64 { return r.at }

func (r *csvRecord) raw(pos int) string {
	if t := r.fields[pos]; !isNull(t) {
		return t
	}
	return ""
}

func (r *csvRecord) number(pos int) (money.Amount, bool, error) {
	t := r.fields[pos]
	if isNull(t) {
		return money.Amount{}, false, nil
	}
	a, err := money.Parse(t)
	return a, err == nil, err
}

func (r *csvRecord) instant(pos int) (period.Second, bool, error) {
	t := r.fields[pos]
	if isNull(t) {
		return 0, false, nil
	}
	at, err := parseInstant(t)
	if err != nil {
		return 0, false, fmt.Errorf("%q: %w", clip(t), err)
	}
	return at, true, nil
}

func (r *csvRecord) pairs(pos int) ([]pair, error) { return r.maps.parse(r.fields[pos]) }

// mapCache keeps the maps of texts seen lately: tags and product attributes
// repeat on thousands of rows.
type mapCache struct{ known map[string][]pair }

const mapCacheSize = 4096

func (c *mapCache) parse(text string) ([]pair, error) {
	if isNull(text) {
		return nil, nil
	}
	if p, ok := c.known[text]; ok {
		return p, nil
	}
	p, err := parsePairs(text)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", clip(text), err)
	}
	if c.known == nil || len(c.known) >= mapCacheSize {
		c.known = make(map[string][]pair)
	}
	own := string(append([]byte(nil), text...)) // do not keep the whole row alive
	c.known[own] = p
	return p, nil
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// FileError refuses a whole file.
type FileError = ledger.FileError
