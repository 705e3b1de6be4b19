package pg

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// CopyHeader begins every binary COPY stream: signature, flags, no extension.
const CopyHeader = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// Row encodes tuples of binary COPY into a buffer, directly from the ledger's types. Append exactly the fields of the
// COPY's columns, in that order.
type Row struct {
	Buf   []byte
	named *[]string // where Write collects the columns
}

// Col names the column of the next field.
func (r *Row) Col(name string) *Row {
	if r.named != nil {
		*r.named = append(*r.named, name)
	}
	return r
}

// Begin begins a tuple of n fields.
func (r *Row) Begin(n int) { r.Buf = binary.BigEndian.AppendUint16(r.Buf, uint16(n)) }

// Null adds NULL.
func (r *Row) Null() { r.Buf = append(r.Buf, 0xff, 0xff, 0xff, 0xff) }

func (r *Row) size(n int) { r.Buf = binary.BigEndian.AppendUint32(r.Buf, uint32(n)) }

// Text adds a text.
func (r *Row) Text(s string) {
	r.size(len(s))
	r.Buf = append(r.Buf, s...)
}

// Clean adds CleanText(s).
func (r *Row) Clean(s string) { r.Text(CleanText(s)) }

// Name adds text; empty is NULL.
func (r *Row) Name(s string) {
	if s == "" {
		r.Null()
		return
	}
	r.Text(s)
}

// Bytes adds bytes unchanged.
func (r *Row) Bytes(b []byte) {
	r.size(len(b))
	r.Buf = append(r.Buf, b...)
}

// Packed adds bytes; empty is NULL.
func (r *Row) Packed(b []byte) {
	if len(b) == 0 {
		r.Null()
		return
	}
	r.Bytes(b)
}

// Int4 adds an integer.
func (r *Row) Int4(v int) {
	r.size(4)
	r.Buf = binary.BigEndian.AppendUint32(r.Buf, uint32(int32(v)))
}

// Int8 adds a bigint.
func (r *Row) Int8(v int64) {
	r.size(8)
	r.Buf = binary.BigEndian.AppendUint64(r.Buf, uint64(v))
}

// Bool adds a boolean.
func (r *Row) Bool(v bool) {
	r.size(1)
	if v {
		r.Buf = append(r.Buf, 1)
	} else {
		r.Buf = append(r.Buf, 0)
	}
}

// ID adds a uuid.
func (r *Row) ID(v ledger.ID) {
	r.size(len(v))
	r.Buf = append(r.Buf, v[:]...)
}

// Integers adds a bigint[]; an empty list is NULL.
func (r *Row) Integers(list []int64) {
	if len(list) == 0 {
		r.Null()
		return
	}
	r.size(20 + 12*len(list))
	// Dimensions, no NULLs, type, length, first index.
	for _, v := range [...]uint32{1, 0, pgtype.Int8OID, uint32(len(list)), 1} {
		r.Buf = binary.BigEndian.AppendUint32(r.Buf, v)
	}
	for _, v := range list {
		r.Int8(v)
	}
}

// Ref adds an id; zero is NULL.
func (r *Row) Ref(v ledger.ID) {
	if v.IsZero() {
		r.Null()
		return
	}
	r.ID(v)
}

// At adds an instant.
func (r *Row) At(s period.Second) {
	r.size(8)
	r.Buf = appendSecond(r.Buf, s)
}

// Known adds an instant; zero is NULL.
func (r *Row) Known(s period.Second) {
	if s == 0 {
		r.Null()
		return
	}
	r.At(s)
}

// Ranges adds intervals as a tstzmultirange.
func (r *Row) Ranges(list []period.Interval) {
	const oneRange, lowerIncluded = 1 + 2*(4+8), 0x02
	r.size(4 + len(list)*(4+oneRange))
	r.size(len(list))
	for _, i := range list {
		r.size(oneRange)
		r.Buf = append(r.Buf, lowerIncluded)
		r.At(i.From)
		r.At(i.To)
	}
}

// Amount adds a numeric, exactly.
func (r *Row) Amount(a money.Amount) {
	start := len(r.Buf)
	r.size(0)
	r.Buf = appendAmount(r.Buf, a)
	binary.BigEndian.PutUint32(r.Buf[start:], uint32(len(r.Buf)-start-4))
}

// Measure adds an amount; nil is NULL.
func (r *Row) Measure(a *money.Amount) {
	if a == nil {
		r.Null()
		return
	}
	r.Amount(*a)
}

// Integer adds a numeric without decimals.
func (r *Row) Integer(v *big.Int) {
	if v.IsInt64() {
		const perUnit = money.UnitsPerOne
		if n := v.Int64(); n < 1<<63/perUnit && n > -(1<<63)/perUnit {
			r.Amount(money.FromUnits(n * perUnit))
			return
		}
	}
	start := len(r.Buf)
	r.size(0)
	r.Buf = appendBig(r.Buf, new(big.Int).Set(v), 0)
	binary.BigEndian.PutUint32(r.Buf[start:], uint32(len(r.Buf)-start-4))
}

// Costs adds the four measures in the order of ledger.Metrics.
func (r *Row) Costs(c *ledger.Costs) {
	r.Col("effective_cost").Measure(c.Effective)
	r.Col("billed_cost").Measure(c.Billed)
	r.Col("list_cost").Measure(c.List)
	r.Col("contracted_cost").Measure(c.Contracted)
}

// Object adds a map as jsonb with sorted keys; nil is {}.
func (r *Row) Object(v any) error {
	b, err := marshalObject(v)
	if err != nil {
		return err
	}
	r.size(len(b) + 1)
	r.Buf = append(r.Buf, 1) // version of binary jsonb
	r.Buf = append(r.Buf, b...)
	return nil
}

func marshalObject(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode labels: %w", err)
	}
	if string(b) == "null" {
		b = []byte("{}")
	}
	return b, nil
}

// CopyFlush is how many bytes a row source collects before they are sent.
const CopyFlush = 1 << 18

// rowReader turns a row source into a COPY stream without a goroutine: next encodes rows until it returns false.
type rowReader struct {
	Row
	next func(*Row) (bool, error)
	off  int
	done bool
	err  error // of next; the server's error would hide it
}

func (r *rowReader) Read(p []byte) (int, error) {
	for r.off == len(r.Buf) {
		if r.done {
			return 0, io.EOF
		}
		r.Buf, r.off = r.Buf[:0], 0
		for len(r.Buf) < CopyFlush && !r.done {
			more, err := r.next(&r.Row)
			if err != nil {
				r.err = err
				return 0, err
			}
			if !more {
				r.done = true
				r.Buf = append(r.Buf, 0xff, 0xff) // end of data
			}
		}
	}
	n := copy(p, r.Buf[r.off:])
	r.off += n
	return n, nil
}

// CopyRows sends the rows that next encodes with the COPY statement sql and returns their number.
func CopyRows(ctx context.Context, tx pgx.Tx, sql string, next func(*Row) (bool, error)) (int64, error) {
	r := &rowReader{next: next}
	r.Buf = append(make([]byte, 0, CopyFlush+CopyFlush/4), CopyHeader...)
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, r, sql)
	if r.err != nil {
		return 0, r.err
	}
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), nil
}

// CopySlice is CopyRows over a slice.
func CopySlice[T any](
	ctx context.Context, tx pgx.Tx, sql string, rows []T, encode func(*Row, *T) error,
) (int64, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	i := 0
	return CopyRows(ctx, tx, sql, func(r *Row) (bool, error) {
		if i == len(rows) {
			return false, nil
		}
		err := encode(r, &rows[i])
		i++
		return true, err
	})
}

// Number adds an int4; zero is NULL.
func (r *Row) Number(v int32) {
	if v == 0 {
		r.Null()
		return
	}
	r.Int4(int(v))
}

// Count adds an int8; nil is NULL.
func (r *Row) Count(v *int64) {
	if v == nil {
		r.Null()
		return
	}
	r.Int8(*v)
}

// Array begins a one-dimensional array of n elements of type oid. The caller appends the elements and calls end.
func (r *Row) Array(n int, oid uint32, nulls bool) (end func()) {
	start := len(r.Buf)
	r.size(0)
	dimensions, hasNull := uint32(1), uint32(0)
	if n == 0 {
		dimensions = 0
	}
	if nulls {
		hasNull = 1
	}
	r.Buf = binary.BigEndian.AppendUint32(r.Buf, dimensions)
	r.Buf = binary.BigEndian.AppendUint32(r.Buf, hasNull)
	r.Buf = binary.BigEndian.AppendUint32(r.Buf, oid)
	if n > 0 {
		r.Buf = binary.BigEndian.AppendUint32(r.Buf, uint32(n))
		r.Buf = binary.BigEndian.AppendUint32(r.Buf, 1) // lower bound
	}
	return func() { binary.BigEndian.PutUint32(r.Buf[start:], uint32(len(r.Buf)-start-4)) }
}

// Exact adds the array of the amounts whose bit is set in odd.
func (r *Row) Exact(amounts []*money.Amount, odd int) {
	end := r.Array(len(amounts), oidNumeric, true)
	for i, a := range amounts {
		if odd&(1<<i) == 0 {
			r.Null()
			continue
		}
		r.Amount(*a)
	}
	end()
}

// Type OIDs of array elements.
const (
	OidInt8    = 20
	oidNumeric = 1700
)

// Slice adds a slice id; the whole device is NULL.
func (r *Row) Slice(id int32) {
	if id < 0 {
		r.Null()
		return
	}
	r.Int4(int(id))
}
