package awscur

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// parquetRecord is a row of the batch in hand.
type parquetRecord struct {
	cells  []cell // by file position; those not read are nil columns
	i      int    // row in the batch
	row    int64  // row in the file, from 1
	maps   mapCache
	floats floatCache
}

// cell is one column of a batch behind its concrete type; exactly one of the
// typed fields is set.
type cell struct {
	col     arrow.Array
	str     *array.String
	dict    *array.Dictionary
	words   *array.String // values of dict
	f64     *array.Float64
	stamp   *array.Timestamp
	unit    arrow.TimeUnit
	entries *array.Map
	floats  *floatCache
}

func newCell(col arrow.Array, floats *floatCache) cell {
	c := cell{col: col, floats: floats}
	switch a := col.(type) {
	case *array.String:
		c.str = a
	case *array.Dictionary:
		if words, ok := a.Dictionary().(*array.String); ok {
			c.dict, c.words = a, words
		}
	case *array.Float64:
		c.f64 = a
	case *array.Timestamp:
		c.stamp, c.unit = a, a.DataType().(*arrow.TimestampType).Unit
	case *array.Map:
		c.entries = a
	}
	return c
}

func (c *cell) text(i int) string {
	switch {
	case c.col == nil || c.col.IsNull(i):
		return ""
	case c.str != nil:
		return c.str.Value(i)
	case c.dict != nil:
		return c.words.Value(c.dict.GetValueIndex(i))
	case c.f64 != nil:
		return c.floats.get(c.f64.Value(i)).text
	case c.stamp != nil:
		return c.stamp.Value(i).ToTime(c.unit).UTC().Format(time.RFC3339Nano)
	default:
		return c.col.ValueStr(i)
	}
}

func (r *parquetRecord) line() int64 { return r.row }

func (r *parquetRecord) raw(pos int) string {
	if t := r.cells[pos].text(r.i); !isNull(t) {
		return t
	}
	return ""
}

func (r *parquetRecord) number(pos int) (money.Amount, bool, error) {
	c := &r.cells[pos]
	if c.f64 != nil {
		if c.f64.IsNull(r.i) {
			return money.Amount{}, false, nil
		}
		f := r.floats.get(c.f64.Value(r.i))
		return f.amount, f.err == nil, f.err
	}
	t := c.text(r.i)
	if isNull(t) {
		return money.Amount{}, false, nil
	}
	a, err := money.Parse(t)
	return a, err == nil, err
}

func (r *parquetRecord) instant(pos int) (period.Second, bool, error) {
	c := &r.cells[pos]
	if c.stamp != nil {
		if c.stamp.IsNull(r.i) {
			return 0, false, nil
		}
		return seconds(int64(c.stamp.Value(r.i)), c.unit), true, nil
	}
	t := c.text(r.i)
	if isNull(t) {
		return 0, false, nil
	}
	at, err := parseInstant(t)
	if err != nil {
		return 0, false, fmt.Errorf("%q: %w", clip(t), err)
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

func (r *parquetRecord) pairs(pos int) ([]pair, error) {
	c := &r.cells[pos]
	if c.entries == nil {
		return r.maps.parse(c.text(r.i))
	}
	if c.entries.IsNull(r.i) {
		return nil, nil
	}
	from, to := c.entries.ValueOffsets(r.i)
	if from == to {
		return nil, nil
	}
	keys, values := newCell(c.entries.Keys(), c.floats), newCell(c.entries.Items(), c.floats)
	out := make([]pair, 0, to-from)
	for j := int(from); j < int(to); j++ {
		if values.col.IsNull(j) {
			continue
		}
		out = append(out, pair{keys.text(j), values.text(j)})
	}
	sortPairs(out)
	return out, nil
}

// floatCache remembers what the doubles seen lately mean: prices and amounts
// repeat, and finding their shortest decimal text is what costs.
type floatCache [256]decimalFloat

type decimalFloat struct {
	bits   uint64
	known  bool
	text   string
	amount money.Amount
	err    error
}

func (c *floatCache) get(f float64) *decimalFloat {
	bits := math.Float64bits(f)
	slot := &c[(bits*0x9e3779b97f4a7c15)>>56]
	if slot.known && slot.bits == bits {
		return slot
	}
	*slot = decimalFloat{bits: bits, known: true}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		slot.text = strconv.FormatFloat(f, 'g', -1, 64)
		slot.err = errors.New(slot.text + " is not an amount")
		return slot
	}
	if f == 0 {
		slot.text = "0" // also for -0
		return slot
	}
	slot.text = strconv.FormatFloat(f, 'f', -1, 64)
	slot.amount, slot.err = money.FromFloat(f)
	return slot
}
