package table

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/hamba/avro/v2"
)

// avroData reads the rows of a block.
type avroData struct {
	data  []byte
	rec   *textRecord
	items int // values of the column in hand
}

var errAvroEnd = errors.New("a value ends in the middle of the block")

func (d *avroData) long() (int64, error) {
	v, n := binary.Varint(d.data)
	if n <= 0 {
		return 0, fmt.Errorf("%w: %w", errAvro, errAvroEnd)
	}
	d.data = d.data[n:]
	return v, nil
}

func (d *avroData) take(n int64) ([]byte, error) {
	if n < 0 || n > int64(len(d.data)) {
		return nil, fmt.Errorf("%w: %w", errAvro, errAvroEnd)
	}
	p := d.data[:n]
	d.data = d.data[n:]
	return p, nil
}

// bytes reads a length and so many bytes.
func (d *avroData) bytes() ([]byte, error) {
	n, err := d.long()
	if err != nil {
		return nil, err
	}
	return d.take(n)
}

func (d *avroData) branch(n *avroNode) (*avroNode, error) {
	i, err := d.long()
	if err != nil {
		return nil, err
	}
	if i < 0 || i >= int64(len(n.types)) {
		return nil, fmt.Errorf("%w: branch %d of %d", errAvro, i, len(n.types))
	}
	return n.types[i], nil
}

// record reads a record into cells.
func (d *avroData) record(n *avroNode) error {
	for i := range n.fields {
		f := n.fields[i].node
		if !f.column {
			if f.kind == avro.Union {
				t, err := d.branch(f)
				if err != nil {
					return err
				}
				if f = t; f.kind == avro.Null {
					continue
				}
			}
			if err := d.record(f); err != nil {
				return err
			}
			continue
		}
		d.items = 0
		v, err := d.value(f, f.read)
		if err != nil {
			return err
		}
		if !f.read || v.none() {
			continue
		}
		text := v.text
		if v.kind == jsonArray || v.kind == jsonObject {
			text = string(v.append(nil))
		}
		d.rec.cells[f.pos] = text
	}
	return nil
}

// value reads any value; its text only where it is wanted.
func (d *avroData) value(n *avroNode, want bool) (v jsonValue, err error) {
	if d.items++; d.items > maxItems {
		return v, fmt.Errorf("%w: %w", errAvro, errItems)
	}
	switch n.kind {
	case avro.Null:
		return v, nil
	case avro.Union:
		t, err := d.branch(n)
		if err != nil {
			return v, err
		}
		return d.value(t, want)
	case avro.Record:
		v.kind = jsonObject
		for _, f := range n.fields {
			m, err := d.value(f.node, want)
			if err != nil {
				return v, err
			}
			if want {
				v.members = append(v.members, jsonMember{f.name, m})
			}
		}
		return v, nil
	case avro.Array, avro.Map:
		return d.elements(n, want)
	}
	return d.scalar(n, want)
}

// elements reads the blocks of an array or map.
func (d *avroData) elements(n *avroNode, want bool) (v jsonValue, err error) {
	v.kind = jsonArray
	if n.kind == avro.Map {
		v.kind = jsonObject
	}
	for {
		count, err := d.long()
		if err != nil || count == 0 {
			return v, err
		}
		if count < 0 { // its size in bytes follows
			count = -count
			if _, err := d.long(); err != nil {
				return v, err
			}
		}
		for ; count > 0; count-- {
			before := len(d.data)
			var name []byte
			if n.kind == avro.Map {
				if name, err = d.bytes(); err != nil {
					return v, err
				}
			}
			item, err := d.value(n.items, want)
			if err != nil {
				return v, err
			}
			if len(d.data) == before {
				return v, fmt.Errorf("%w: an element of no bytes", errAvro)
			}
			switch {
			case !want:
			case n.kind == avro.Map:
				v.members = append(v.members, jsonMember{string(name), item})
			default:
				v.items = append(v.items, item)
			}
		}
	}
}

func (d *avroData) scalar(n *avroNode, want bool) (v jsonValue, err error) {
	v.kind = jsonNumber
	switch n.kind {
	case avro.Boolean:
		p, err := d.take(1)
		if err != nil {
			return v, err
		}
		return jsonValue{kind: jsonWord, text: strconv.FormatBool(p[0] != 0)}, nil
	case avro.Int, avro.Long:
		x, err := d.long()
		if err == nil && want {
			v = avroTime(n.logical, x)
		}
		return v, err
	case avro.Float:
		p, err := d.take(4)
		if err == nil && want {
			v = floatValue(float64(math.Float32frombits(binary.LittleEndian.Uint32(p))), 32)
		}
		return v, err
	case avro.Double:
		p, err := d.take(8)
		if err == nil && want {
			v = floatValue(math.Float64frombits(binary.LittleEndian.Uint64(p)), 64)
		}
		return v, err
	case avro.Enum:
		i, err := d.long()
		if err == nil && (i < 0 || i >= int64(len(n.symbols))) {
			err = fmt.Errorf("%w: symbol %d of %d", errAvro, i, len(n.symbols))
		}
		if err == nil {
			v = jsonValue{kind: jsonString, text: n.symbols[i]}
		}
		return v, err
	}
	var p []byte
	if n.kind == avro.Fixed {
		p, err = d.take(int64(n.size))
	} else {
		p, err = d.bytes()
	}
	switch {
	case err != nil || !want:
	case n.logical == avro.Decimal && n.kind != avro.String:
		if len(p) > 64 {
			return v, fmt.Errorf("%w: a decimal of %d bytes", errAvro, len(p))
		}
		v.text = decimalText(p, n.scale)
	case n.kind == avro.String:
		v = jsonValue{kind: jsonString, text: strings.ToValidUTF8(string(p), "\ufffd")}
	default:
		v = jsonValue{kind: jsonString, text: base64.StdEncoding.EncodeToString(p)}
	}
	return v, err
}

// decimalText is a two's-complement big-endian integer × 10^-scale.
func decimalText(p []byte, scale int) string {
	x := new(big.Int).SetBytes(p)
	if len(p) > 0 && p[0]&0x80 != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(p))))
	}
	digits := new(big.Int).Abs(x).String()
	if scale > 0 && scale <= 1000 {
		if len(digits) <= scale {
			digits = strings.Repeat("0", scale-len(digits)+1) + digits
		}
		digits = strings.TrimRight(digits[:len(digits)-scale]+"."+digits[len(digits)-scale:], "0")
		digits = strings.TrimSuffix(digits, ".")
	}
	if x.Sign() < 0 {
		digits = "-" + digits
	}
	return digits
}

// floatValue is a binary float as its shortest decimal text.
func floatValue(f float64, bits int) jsonValue {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return jsonValue{kind: jsonString, text: strconv.FormatFloat(f, 'g', -1, bits)}
	}
	if f == 0 {
		f = 0 // also for -0
	}
	return jsonValue{kind: jsonNumber, text: strconv.FormatFloat(f, 'f', -1, bits)}
}

// avroTime is a number with a logical type.
func avroTime(l avro.LogicalType, x int64) jsonValue {
	text := func(t time.Time, layout string) jsonValue {
		return jsonValue{kind: jsonString, text: t.UTC().Format(layout)}
	}
	const local = "2006-01-02T15:04:05.999999999"
	switch l {
	case avro.TimestampMicros:
		return text(time.UnixMicro(x), time.RFC3339Nano)
	case avro.TimestampMillis:
		return text(time.UnixMilli(x), time.RFC3339Nano)
	case avro.LocalTimestampMicros:
		return text(time.UnixMicro(x), local)
	case avro.LocalTimestampMillis:
		return text(time.UnixMilli(x), local)
	case avro.Date:
		return text(time.Unix(0, 0).UTC().AddDate(0, 0, int(max(-1<<22, min(x, 1<<22)))), time.DateOnly)
	case avro.TimeMicros:
		return text(time.UnixMicro(x), "15:04:05.999999")
	case avro.TimeMillis:
		return text(time.UnixMilli(x), "15:04:05.999")
	}
	return jsonValue{kind: jsonNumber, text: strconv.FormatInt(x, 10)}
}
