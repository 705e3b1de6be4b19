package store

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

// copyHeader opens every binary COPY stream: signature, flags, no extension.
const copyHeader = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// row encodes one tuple of binary COPY after another into a buffer, straight
// from the ledger's types. Fields must be appended in the order of the COPY's
// columns, and as many as there are.
type row struct{ buf []byte }

// begin opens a tuple of n fields.
func (r *row) begin(n int) { r.buf = binary.BigEndian.AppendUint16(r.buf, uint16(n)) }

func (r *row) null() { r.buf = append(r.buf, 0xff, 0xff, 0xff, 0xff) }

func (r *row) size(n int) { r.buf = binary.BigEndian.AppendUint32(r.buf, uint32(n)) }

func (r *row) text(s string) {
	r.size(len(s))
	r.buf = append(r.buf, s...)
}

// name is text whose empty value is NULL.
func (r *row) name(s string) {
	if s == "" {
		r.null()
		return
	}
	r.text(s)
}

func (r *row) bytes(b []byte) {
	r.size(len(b))
	r.buf = append(r.buf, b...)
}

// packed is bytes that are NULL where there are none.
func (r *row) packed(b []byte) {
	if len(b) == 0 {
		r.null()
		return
	}
	r.bytes(b)
}

func (r *row) int4(v int) {
	r.size(4)
	r.buf = binary.BigEndian.AppendUint32(r.buf, uint32(int32(v)))
}

func (r *row) int8(v int64) {
	r.size(8)
	r.buf = binary.BigEndian.AppendUint64(r.buf, uint64(v))
}

func (r *row) bool(v bool) {
	r.size(1)
	if v {
		r.buf = append(r.buf, 1)
	} else {
		r.buf = append(r.buf, 0)
	}
}

func (r *row) id(v ledger.ID) {
	r.size(len(v))
	r.buf = append(r.buf, v[:]...)
}

// integers is a bigint[]; none are NULL.
func (r *row) integers(list []int64) {
	if len(list) == 0 {
		r.null()
		return
	}
	r.size(20 + 12*len(list))
	for _, v := range [...]uint32{1, 0, pgtype.Int8OID, uint32(len(list)), 1} { // dimensions, no NULLs, type, length, first index
		r.buf = binary.BigEndian.AppendUint32(r.buf, v)
	}
	for _, v := range list {
		r.int8(v)
	}
}

// ref is an id whose zero value is NULL.
func (r *row) ref(v ledger.ID) {
	if v.IsZero() {
		r.null()
		return
	}
	r.id(v)
}

func (r *row) at(s period.Second) {
	r.size(8)
	r.buf = appendSecond(r.buf, s)
}

// known is an instant whose zero value is NULL.
func (r *row) known(s period.Second) {
	if s == 0 {
		r.null()
		return
	}
	r.at(s)
}

func (r *row) amount(a money.Amount) {
	start := len(r.buf)
	r.size(0)
	r.buf = appendAmount(r.buf, a)
	binary.BigEndian.PutUint32(r.buf[start:], uint32(len(r.buf)-start-4))
}

// measure is an amount that may be unknown.
func (r *row) measure(a *money.Amount) {
	if a == nil {
		r.null()
		return
	}
	r.amount(*a)
}

func (r *row) integer(v *big.Int) {
	if v.IsInt64() {
		const perUnit = money.UnitsPerOne
		if n := v.Int64(); n < 1<<63/perUnit && n > -(1<<63)/perUnit {
			r.amount(money.FromUnits(n * perUnit))
			return
		}
	}
	start := len(r.buf)
	r.size(0)
	r.buf = appendBig(r.buf, new(big.Int).Set(v), 0)
	binary.BigEndian.PutUint32(r.buf[start:], uint32(len(r.buf)-start-4))
}

// costs are the four measures in the order of ledger.Metrics.
func (r *row) costs(c *ledger.Costs) {
	r.measure(c.Effective)
	r.measure(c.Billed)
	r.measure(c.List)
	r.measure(c.Contracted)
}

// object is a map as jsonb, keys sorted; nil is {}.
func (r *row) object(v any) error {
	b, err := marshalObject(v)
	if err != nil {
		return err
	}
	r.size(len(b) + 1)
	r.buf = append(r.buf, 1) // version of binary jsonb
	r.buf = append(r.buf, b...)
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

// copyFlush is how many bytes a row source gathers before they are sent.
const copyFlush = 1 << 18

// rowReader turns a row source into a COPY stream without a goroutine: next
// encodes rows until it returns false.
type rowReader struct {
	row
	next func(*row) (bool, error)
	off  int
	done bool
	err  error // of next; what the server answers then says less
}

func (r *rowReader) Read(p []byte) (int, error) {
	for r.off == len(r.buf) {
		if r.done {
			return 0, io.EOF
		}
		r.buf, r.off = r.buf[:0], 0
		for len(r.buf) < copyFlush && !r.done {
			more, err := r.next(&r.row)
			if err != nil {
				r.err = err
				return 0, err
			}
			if !more {
				r.done = true
				r.buf = append(r.buf, 0xff, 0xff) // end of data
			}
		}
	}
	n := copy(p, r.buf[r.off:])
	r.off += n
	return n, nil
}

// copyRows sends what next encodes by COPY statement sql and returns the
// number of rows.
func copyRows(ctx context.Context, tx pgx.Tx, sql string, next func(*row) (bool, error)) (int64, error) {
	r := &rowReader{next: next}
	r.buf = append(make([]byte, 0, copyFlush+copyFlush/4), copyHeader...)
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, r, sql)
	if r.err != nil {
		return 0, r.err
	}
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), nil
}

// copySlice is copyRows over a slice.
func copySlice[T any](ctx context.Context, tx pgx.Tx, sql string, rows []T, encode func(*row, *T) error) (int64, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	i := 0
	return copyRows(ctx, tx, sql, func(r *row) (bool, error) {
		if i == len(rows) {
			return false, nil
		}
		err := encode(r, &rows[i])
		i++
		return true, err
	})
}

// number is an int4 whose zero is NULL.
func (r *row) number(v int32) {
	if v == 0 {
		r.null()
		return
	}
	r.int4(int(v))
}

// count is an int8 that may be unknown.
func (r *row) count(v *int64) {
	if v == nil {
		r.null()
		return
	}
	r.int8(*v)
}

// array opens a one-dimensional array of n elements of the type oid; the
// caller appends the elements and calls the result.
func (r *row) array(n int, oid uint32, nulls bool) (end func()) {
	start := len(r.buf)
	r.size(0)
	dimensions, hasNull := uint32(1), uint32(0)
	if n == 0 {
		dimensions = 0
	}
	if nulls {
		hasNull = 1
	}
	r.buf = binary.BigEndian.AppendUint32(r.buf, dimensions)
	r.buf = binary.BigEndian.AppendUint32(r.buf, hasNull)
	r.buf = binary.BigEndian.AppendUint32(r.buf, oid)
	if n > 0 {
		r.buf = binary.BigEndian.AppendUint32(r.buf, uint32(n))
		r.buf = binary.BigEndian.AppendUint32(r.buf, 1) // lower bound
	}
	return func() { binary.BigEndian.PutUint32(r.buf[start:], uint32(len(r.buf)-start-4)) }
}

// exact is the array of the amounts whose bit is set in odd.
func (r *row) exact(amounts []*money.Amount, odd int) {
	end := r.array(len(amounts), oidNumeric, true)
	for i, a := range amounts {
		if odd&(1<<i) == 0 {
			r.null()
			continue
		}
		r.amount(*a)
	}
	end()
}

// Object ids of array elements.
const (
	oidInt8    = 20
	oidNumeric = 1700
)

// slice is a slice id; the whole device is NULL.
func (r *row) slice(id int32) {
	if id < 0 {
		r.null()
		return
	}
	r.int4(int(id))
}
