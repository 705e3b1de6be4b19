package awscur

import (
	"context"
	"encoding/binary"
	"strings"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// record is one row of a file, valid until the next one is read.
type record interface {
	// line is the 1-based line of a CSV file or row of a Parquet file.
	line() int64
	// raw is the text of the cell at a file position, "" when it is null.
	// Numbers of Parquet are their shortest decimal text.
	raw(pos int) string
	// number is the decimal at a file position; ok is false when it is null.
	number(pos int) (a money.Amount, ok bool, err error)
	// instant is the time at a file position; ok is false when it is null.
	instant(pos int) (s period.Second, ok bool, err error)
	// pairs is the map at a file position, sorted, nil when empty.
	pairs(pos int) ([]pair, error)
}

// source reads the rows of one file.
type source interface {
	schema() *schema
	// each calls visit for every row, until it fails.
	each(ctx context.Context, visit func(record) error) error
	// rejected tells of rows that could not be taken apart.
	rejected() *ledger.Tally
	// sum returns the digest and count of the stored bytes, after each.
	sum() ([32]byte, int64, error)
	close() error
}

// open opens a file as what its first bytes say it is. wanted limits the
// columns that will be read; nil = all.
func open(f blob.File, wanted []column) (source, error) {
	head, err := f.Head(4)
	if err != nil {
		return nil, err
	}
	if string(head) == parquetMagic {
		return openParquet(f, wanted)
	}
	if strings.HasSuffix(strings.ToLower(f.Name), ".parquet") {
		return nil, broken(f.Name, "the file does not begin with "+parquetMagic)
	}
	return openCSV(f)
}

// row reads known columns of a record by name.
type row struct {
	record
	s   *schema
	mem *amounts // where amounts of the mapping live
}

// amounts hands out places for amounts in blocks: charges hold five of them
// each, and they live and die together.
type amounts struct{ free []money.Amount }

func (m *amounts) keep(a money.Amount) *money.Amount {
	if len(m.free) == 0 {
		m.free = make([]money.Amount, 512)
	}
	p := &m.free[0]
	m.free = m.free[1:]
	*p = a
	return p
}

// text is the first spelling of c that has a value.
func (r row) text(c column) string {
	for _, pos := range r.s.at[c] {
		if t := r.raw(pos); !isNull(t) {
			return t
		}
	}
	return ""
}

// amount is the decimal of c, nil when the column is absent or null.
func (r row) amount(c column) (*money.Amount, *cellError) {
	for _, pos := range r.s.at[c] {
		a, ok, err := r.number(pos)
		if err != nil {
			return nil, &cellError{c.name(), "not a number", err.Error()}
		}
		if ok {
			return r.mem.keep(a), nil
		}
	}
	return nil, nil
}

// instantOf is the time of c; ok is false when the column is absent or null.
func (r row) instantOf(c column) (s period.Second, ok bool, bad *cellError) {
	for _, pos := range r.s.at[c] {
		s, ok, err := r.instant(pos)
		if err != nil {
			return 0, false, &cellError{c.name(), "not a date", err.Error()}
		}
		if ok {
			return s, true, nil
		}
	}
	return 0, false, nil
}

// pairsOf is the map of c.
func (r row) pairsOf(c column) ([]pair, *cellError) {
	for _, pos := range r.s.at[c] {
		p, err := r.pairs(pos)
		if err != nil {
			return nil, &cellError{c.name(), "not a map", err.Error()}
		}
		if len(p) > 0 {
			return p, nil
		}
	}
	return nil, nil
}

// identity appends everything of the row that comes from the bill: per
// column with a value its mark, length and canonical value, in the order of
// the marks. It is the same for the same row in CSV and Parquet, under any
// order of columns, and blind to empty columns and to loaders' own. A value
// that does not have the form of its column enters verbatim and is handed to
// refuse, where that is not nil.
func (r row) identity(dst []byte, refuse func(*cellError)) []byte {
	bad := func(b *billingColumn, reason, text string) {
		if refuse != nil {
			refuse(&cellError{r.s.names[b.pos], reason, "\"" + clip(text) + "\""})
		}
	}
	var scratch [64]byte
	for i := range r.s.billing {
		b := &r.s.billing[i]
		value := scratch[:0]
		switch b.form {
		case formTime:
			at, ok, err := r.instant(b.pos)
			switch {
			case err != nil:
				bad(b, "not a date", r.raw(b.pos))
				value = append(value, r.raw(b.pos)...)
			case !ok:
				continue
			default:
				value = binary.AppendVarint(value, int64(at))
			}
		case formMap:
			p, err := r.pairs(b.pos)
			if err != nil {
				bad(b, "not a map", r.raw(b.pos))
				value = append(value, r.raw(b.pos)...)
			} else {
				value = appendPairs(value, p)
			}
			if len(value) == 0 {
				continue
			}
		default:
			t := r.raw(b.pos)
			if isNull(t) {
				continue
			}
			dst = append(dst, b.mark[:]...)
			if b.form == formNumber {
				var ok bool
				if value, ok = canonicalNumber(value, t); !ok {
					bad(b, "not a number", t)
				}
				dst = binary.AppendUvarint(dst, uint64(len(value)))
				dst = append(dst, value...)
			} else {
				dst = binary.AppendUvarint(dst, uint64(len(t)))
				dst = append(dst, t...)
			}
			continue
		}
		dst = append(dst, b.mark[:]...)
		dst = binary.AppendUvarint(dst, uint64(len(value)))
		dst = append(dst, value...)
	}
	return dst
}

// cellError is what is wrong with one value.
type cellError struct{ column, reason, detail string }

func (e *cellError) rejection(file string, line int64) ledger.Rejection {
	return ledger.Rejection{File: file, Line: line, Column: e.column, Reason: e.reason, Detail: e.detail}
}
