package export

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"gpuledger/metrics"
)

const (
	batchRows = 8 << 10  // rows per Arrow batch
	groupRows = 32 << 10 // rows per Parquet row group, all held in memory
)

// schema is the Arrow schema of an answer; units and formulas are in the field metadata. A decimal is no wider than the
// values of its column need, so that programs can multiply two of them. Where one value has so many digits before and
// another so many after the point that no DECIMAL holds both, the column is text, and its metadata says so.
func schema(cols []metrics.Column, of []digits) *arrow.Schema {
	fields := make([]arrow.Field, len(cols))
	for i, c := range cols {
		said := map[string]string{"unit": c.Unit, "description": c.Doc, "formula": c.Formula.String()}
		var t arrow.DataType = arrow.BinaryTypes.String
		switch {
		case c.Kind.Decimal() && of[i].fit():
			t = &arrow.Decimal128Type{Precision: of[i].precision(), Scale: int32(of[i].scale)}
		case c.Kind.Decimal():
			said["text"] = fmt.Sprintf("decimal numbers: %d digits before and %d after the point are more than a DECIMAL(%d) has",
				of[i].whole, of[i].scale, precision)
		case c.Kind.Integer():
			t = arrow.PrimitiveTypes.Int64
		case c.Kind == metrics.Time:
			t = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
		case c.Kind == metrics.Bool:
			t = arrow.FixedWidthTypes.Boolean
		}
		fields[i] = arrow.Field{Name: c.Name, Type: t, Nullable: true, Metadata: arrow.MetadataFrom(said)}
	}
	return arrow.NewSchema(fields, nil)
}

// batches passes the spooled rows to write in record batches.
func batches(s *spool, schema *arrow.Schema, write func(arrow.RecordBatch) error) error {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	flush := func() error {
		rec := b.NewRecordBatch()
		defer rec.Release()
		return write(rec)
	}
	n, last := 0, len(s.cols)-1
	err := s.read(func(col int, c *spooled) error {
		if err := appendCell(b.Field(col), c); err != nil {
			return fmt.Errorf("column %s: %w", s.cols[col].Name, err)
		}
		if col < last {
			return nil
		}
		if n++; n < batchRows {
			return nil
		}
		n = 0
		return flush()
	})
	if err != nil || n == 0 {
		return err
	}
	return flush()
}

func appendCell(b array.Builder, c *spooled) error {
	if c.tag == cellNull {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.Decimal128Builder:
		scale := b.Type().(*arrow.Decimal128Type).Scale
		if c.tag == cellSmall {
			b.Append(decimal128.FromI64(c.num).IncreaseScaleBy(scale - int32(c.scale)))
			return nil
		}
		n, err := decimal(c.text, int(scale))
		if err != nil {
			return err
		}
		b.Append(n)
	case *array.Int64Builder:
		b.Append(c.num)
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(c.num))
	case *array.BooleanBuilder:
		b.Append(c.tag == cellYes)
	case *array.StringBuilder:
		if c.tag == cellSmall { // of a column too wide for a DECIMAL
			b.Append(decimal128.FromI64(c.num).ToString(int32(c.scale)))
			return nil
		}
		b.Append(c.text)
	default:
		return fmt.Errorf("cells of type %s cannot be written", b.Type())
	}
	return nil
}

func writeParquet(w *bufio.Writer, rows metrics.Rows) error {
	return columnar(rows, func(s *arrow.Schema) (batchWriter, error) {
		return pqarrow.NewFileWriter(s, unclosed{w}, parquetProperties(), pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	})
}

// writeParquetAs writes rows with given types, in one pass.
func writeParquetAs(w *bufio.Writer, rows metrics.Rows, types []Type) error {
	cols := rows.Columns()
	of := make([]digits, len(cols))
	for i, t := range types {
		switch {
		case !cols[i].Kind.Decimal():
		case t.Type == typeDecimal:
			of[i] = digits{*t.Precision - *t.Scale, *t.Scale}
		default:
			of[i] = digits{whole: precision + 1} // text
		}
	}
	s := schema(cols, of)
	out, err := pqarrow.NewFileWriter(s, unclosed{w}, parquetProperties(), pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		return err
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	flush := func() error {
		rec := b.NewRecordBatch()
		defer rec.Release()
		return out.WriteBuffered(rec)
	}
	n := 0
	for rows.Next() {
		for i, v := range rows.Values() {
			var c spooled
			c.set(cols[i].Kind, v)
			if err := appendCell(b.Field(i), &c); err != nil {
				return fmt.Errorf("column %s: %w", cols[i].Name, err)
			}
		}
		if n++; n%batchRows == 0 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if n%batchRows != 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	return out.Close()
}

// set holds a value.
func (c *spooled) set(k metrics.Kind, v metrics.Value) {
	switch {
	case !v.Valid:
		c.tag = cellNull
	case k.Decimal():
		if coef, d, ok := coefficient(v.Text); ok {
			c.tag, c.num, c.scale = cellSmall, coef, byte(d.scale)
			return
		}
		c.tag, c.text = cellText, v.Text
	case k.Integer():
		c.tag, c.num = cellInt, v.Int
	case k == metrics.Time:
		c.tag, c.num = cellInt, v.Time.UnixMicro()
	case k == metrics.Bool && v.Bool:
		c.tag = cellYes
	case k == metrics.Bool:
		c.tag = cellNo
	default:
		c.tag, c.text = cellText, v.Text
	}
}

func parquetProperties() *parquet.WriterProperties {
	return parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithMaxRowGroupLength(groupRows),
		parquet.WithCreatedBy("gpuledger"))
}

func writeArrow(w *bufio.Writer, rows metrics.Rows) error {
	return columnar(rows, func(s *arrow.Schema) (batchWriter, error) {
		return arrowFile{ipc.NewWriter(w, ipc.WithSchema(s))}, nil
	})
}

type batchWriter interface {
	WriteBuffered(arrow.RecordBatch) error
	Close() error
}

type arrowFile struct{ *ipc.Writer }

func (f arrowFile) WriteBuffered(rec arrow.RecordBatch) error { return f.Write(rec) }

// columnar writes rows in two passes: the first measures the digits of each column, the second writes.
func columnar(rows metrics.Rows, open func(*arrow.Schema) (batchWriter, error)) (err error) {
	held, err := newSpool(rows, spoolMemory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.close()) }()
	s := schema(held.cols, multipliable(held.digits))
	out, err := open(s)
	if err != nil {
		return err
	}
	if err := batches(held, s, out.WriteBuffered); err != nil {
		return err // without a footer the file is recognisably incomplete
	}
	return out.Close()
}

// unclosed hides the Close method of its writer: the file belongs to the caller.
type unclosed struct{ w *bufio.Writer }

func (u unclosed) Write(p []byte) (int, error) { return u.w.Write(p) }
