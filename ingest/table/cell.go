package table

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// parquetRecord is a row of the current batch.
type parquetRecord struct {
	cells  []cell // by file position; unread ones are nil columns
	memo   []rowPairs
	i      int   // row in the batch
	row    int64 // row in the file, from 1
	maps   mapCache
	floats floatCache
}

// cell is one column of a batch with its concrete type; exactly one of the typed fields is set.
type cell struct {
	col     arrow.Array
	str     *array.String
	index   []int32       // per row, into words
	words   *array.String // values of a dictionary
	f64     *array.Float64
	stamp   *array.Timestamp
	unit    arrow.TimeUnit
	entries *array.Map
	keys    *cell
	values  *cell
	floats  *floatCache
	nulls   bool // any row is null
}

func newCell(col arrow.Array, floats *floatCache) cell {
	c := cell{col: col, floats: floats, nulls: col.NullN() > 0}
	switch a := col.(type) {
	case *array.String:
		c.str = a
	case *array.Dictionary:
		words, ok := a.Dictionary().(*array.String)
		if index, is32 := a.Indices().(*array.Int32); ok && is32 {
			c.index, c.words = index.Int32Values(), words
		}
	case *array.Float64:
		c.f64 = a
	case *array.Timestamp:
		c.stamp, c.unit = a, a.DataType().(*arrow.TimestampType).Unit
	case *array.Map:
		keys, values := newCell(a.Keys(), floats), newCell(a.Items(), floats)
		c.entries, c.keys, c.values = a, &keys, &values
	}
	return c
}

func (c *cell) text(i int) string {
	switch {
	case c.col == nil || c.nulls && c.col.IsNull(i):
		return ""
	case c.index != nil:
		return c.words.Value(int(c.index[i]))
	case c.str != nil:
		return c.str.Value(i)
	case c.f64 != nil:
		return c.floats.text(c.f64.Value(i))
	case c.stamp != nil:
		return c.stamp.Value(i).ToTime(c.unit).UTC().Format(time.RFC3339Nano)
	default:
		return c.col.ValueStr(i)
	}
}

func (r *parquetRecord) Line() int64 { return r.row }

func (r *parquetRecord) Raw(pos int) string {
	if t := r.cells[pos].text(r.i); !IsNull(t) {
		return t
	}
	return ""
}

func (r *parquetRecord) Number(pos int) (money.Amount, bool, error) {
	c := &r.cells[pos]
	if c.f64 != nil {
		if c.nulls && c.f64.IsNull(r.i) {
			return money.Amount{}, false, nil
		}
		a, err := amountOfDouble(c.f64.Value(r.i))
		return a, err == nil, err
	}
	t := c.text(r.i)
	if IsNull(t) {
		return money.Amount{}, false, nil
	}
	a, err := money.Parse(t)
	return a, err == nil, err
}

func (r *parquetRecord) Instant(pos int) (period.Second, bool, error) {
	c := &r.cells[pos]
	if c.stamp != nil {
		if c.nulls && c.stamp.IsNull(r.i) {
			return 0, false, nil
		}
		return seconds(int64(c.stamp.Value(r.i)), c.unit), true, nil
	}
	return instantOfText(c.text(r.i))
}

func instantOfText(t string) (period.Second, bool, error) {
	if IsNull(t) {
		return 0, false, nil
	}
	at, err := ParseInstant(t)
	if err != nil {
		return 0, false, fmt.Errorf("%q: %w", Clip(t), err)
	}
	return at, true, nil
}

func seconds(v int64, unit arrow.TimeUnit) period.Second {
	switch unit {
	case arrow.Second:
		return period.Second(v)
	case arrow.Millisecond:
		return period.FromMillis(v)
	case arrow.Microsecond:
		return period.FromTime(time.UnixMicro(v))
	default:
		return period.FromTime(time.Unix(0, v))
	}
}

// rowPairs is the map of one column in one row: both identity and mapping read it.
type rowPairs struct {
	row   int64
	pairs []Pair
}

func (r *parquetRecord) Pairs(pos int) ([]Pair, error) {
	c := &r.cells[pos]
	if c.entries == nil {
		return r.maps.parse(c.text(r.i))
	}
	memo := &r.memo[pos]
	if memo.row == r.row {
		return memo.pairs, nil
	}
	memo.row, memo.pairs = r.row, memo.pairs[:0]
	if c.nulls && c.entries.IsNull(r.i) {
		return nil, nil
	}
	from, to := c.entries.ValueOffsets(r.i)
	for j := int(from); j < int(to); j++ {
		if !c.values.nulls || !c.values.col.IsNull(j) {
			memo.pairs = append(memo.pairs, Pair{c.keys.text(j), c.values.text(j)})
		}
	}
	sortPairs(memo.pairs)
	return memo.pairs, nil
}

// floatCache caches the decimals of recent doubles: prices and amounts repeat, and finding
// their shortest decimal text is expensive.
type floatCache [256]decimalFloat

type decimalFloat struct {
	bits  uint64
	known bool
	text  string
}

func (c *floatCache) text(f float64) string {
	bits := math.Float64bits(f)
	slot := &c[(bits*0x9e3779b97f4a7c15)>>56]
	if !slot.known || slot.bits != bits {
		*slot = decimalFloat{bits: bits, known: true, text: rawDouble(f)}
	}
	return slot.text
}

// amountOfDouble is the decimal of a double.
func amountOfDouble(f float64) (money.Amount, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return money.Amount{}, errors.New(rawDouble(f) + " is not an amount")
	}
	return money.FromFloat(f)
}
