package table

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/hamba/avro/v2"
)

// avroData reads the rows of a block. The library reads numbers and bytes, and keeps the first
// error. Values are built from them here, because the library turns whole rows into maps, wraps
// nullable values in a further map, divides decimals, and trusts the claimed length of a list.
type avroData struct {
	*avro.Reader
	rec   *textRecord
	items int // values in the current column
}

func newAvroData(data []byte, rec *textRecord) *avroData {
	return &avroData{Reader: avro.NewReader(nil, 0, avroConfig).Reset(data), rec: rec}
}

func (d *avroData) row(root *avroNode) error {
	d.record(root)
	if d.Error != nil && ended(d.Error) {
		return errors.New("a value ends in the middle of the block")
	}
	return d.Error
}

// fail keeps the first error.
func (d *avroData) fail(format string, args ...any) {
	if d.Error == nil {
		d.Error = fmt.Errorf(format, args...)
	}
}

// record reads a record into cells.
func (d *avroData) record(n *avroNode) {
	for i := range n.fields {
		f := n.fields[i].node
		if !f.column {
			d.record(d.branch(f))
			continue
		}
		d.items = 0
		v := d.value(f, f.read)
		if !f.read || v.none() {
			continue
		}
		text := v.text
		if v.kind == jsonArray || v.kind == jsonObject {
			text = string(v.append(nil))
		}
		d.rec.cells[f.pos] = text
	}
}

// branch is the type of the next value; for a union, the type that the value names.
func (d *avroData) branch(n *avroNode) *avroNode {
	if n.kind != avro.Union {
		return n
	}
	i := d.ReadLong()
	if i < 0 || i >= int64(len(n.types)) {
		d.fail("branch %d of %d", i, len(n.types))
		return &avroNode{kind: avro.Null}
	}
	return n.types[i]
}

// value reads any value; its text only if it is wanted.
func (d *avroData) value(n *avroNode, want bool) (v jsonValue) {
	if d.items++; d.items > maxItems {
		d.fail("%w", errItems)
		return v
	}
	switch n.kind {
	case avro.Null:
		return v
	case avro.Union:
		return d.value(d.branch(n), want)
	case avro.Record:
		v.kind = jsonObject
		for _, f := range n.fields {
			m := d.value(f.node, want)
			if want {
				v.members = append(v.members, jsonMember{f.name, m})
			}
		}
		return v
	case avro.Array, avro.Map:
		return d.elements(n, want)
	}
	return d.scalar(n, want)
}

// elements reads the blocks of an array or map.
func (d *avroData) elements(n *avroNode, want bool) (v jsonValue) {
	v.kind = jsonArray
	if n.kind == avro.Map {
		v.kind = jsonObject
	}
	for {
		count, _ := d.ReadBlockHeader()
		if count == 0 {
			return v
		}
		for ; count > 0 && d.Error == nil; count-- {
			var name string
			if n.kind == avro.Map {
				name = d.ReadString()
			}
			item := d.value(n.items, want)
			switch {
			case !want:
			case n.kind == avro.Map:
				v.members = append(v.members, jsonMember{name, item})
			default:
				v.items = append(v.items, item)
			}
		}
	}
}

func (d *avroData) scalar(n *avroNode, want bool) (v jsonValue) {
	switch n.kind {
	case avro.Boolean:
		return jsonValue{kind: jsonWord, text: strconv.FormatBool(d.ReadBool())}
	case avro.Int, avro.Long:
		if x := d.ReadLong(); want {
			v = avroTime(n.logical, x)
		}
		return v
	case avro.Float:
		if x := d.ReadFloat(); want {
			v = floatValue(float64(x), 32)
		}
		return v
	case avro.Double:
		if x := d.ReadDouble(); want {
			v = floatValue(x, 64)
		}
		return v
	case avro.Enum:
		i := d.ReadLong()
		if i < 0 || i >= int64(len(n.symbols)) {
			d.fail("symbol %d of %d", i, len(n.symbols))
			return v
		}
		return jsonValue{kind: jsonString, text: n.symbols[i]}
	}
	if !want {
		d.skip(n)
		return v
	}
	var p []byte
	switch n.kind {
	case avro.String:
		return jsonValue{kind: jsonString, text: strings.ToValidUTF8(d.ReadString(), "\ufffd")}
	case avro.Fixed:
		p = make([]byte, n.size)
		d.Read(p)
	default:
		p = d.ReadBytes()
	}
	if n.logical != avro.Decimal {
		return jsonValue{kind: jsonString, text: base64.StdEncoding.EncodeToString(p)}
	}
	if len(p) > 64 {
		d.fail("a decimal of %d bytes", len(p))
		return v
	}
	return jsonValue{kind: jsonNumber, text: decimalText(p, n.scale)}
}

// skip skips bytes. The library's own skipping accepts a negative length.
func (d *avroData) skip(n *avroNode) {
	size := int64(n.size)
	if n.kind != avro.Fixed {
		size = d.ReadLong()
	}
	if size < 0 {
		d.fail("a value of %d bytes", size)
	}
	d.SkipNBytes(int(size))
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
		f = 0 // also turns -0 into 0
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
