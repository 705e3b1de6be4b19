package export

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"golang.org/x/sync/errgroup"

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

// batches passes the spooled rows to write in record batches of a schema, while it builds the next one. Columns of type
// dictionary get the numbers of their words.
func batches(s *spool, schema *arrow.Schema, write func(arrow.RecordBatch) error) error {
	columns := make([]column, len(s.cols))
	for i := range columns {
		columns[i] = newColumn(schema.Field(i).Type, s.words[i].list)
		defer columns[i].release()
	}
	ready := make(chan arrow.RecordBatch, 1)
	var group errgroup.Group
	group.Go(func() (err error) {
		for rec := range ready {
			if err == nil {
				err = write(rec)
			}
			rec.Release()
		}
		return err
	})
	n := 0
	flush := func() {
		arrays := make([]arrow.Array, len(columns))
		for i := range columns {
			arrays[i] = columns[i].array()
			defer arrays[i].Release()
		}
		ready <- array.NewRecordBatch(schema, arrays, int64(n))
		n = 0
	}
	last := len(s.cols) - 1
	err := s.read(func(col int, c *spooled) error {
		if err := appendCell(columns[col].Builder, c); err != nil {
			return fmt.Errorf("column %s: %w", s.cols[col].Name, err)
		}
		if col == last {
			if n++; n == batchRows {
				flush()
			}
		}
		return nil
	})
	if err == nil && n > 0 {
		flush()
	}
	close(ready)
	return errors.Join(err, group.Wait())
}

// column builds the arrays of a column; of a dictionary, its numbers.
type column struct {
	array.Builder
	of   *arrow.DictionaryType
	dict arrow.Array
}

func newColumn(t arrow.DataType, words []string) column {
	of, ok := t.(*arrow.DictionaryType)
	if !ok {
		return column{Builder: array.NewBuilder(memory.DefaultAllocator, t)}
	}
	list := array.NewStringBuilder(memory.DefaultAllocator)
	defer list.Release()
	list.AppendValues(words, nil)
	return column{array.NewInt32Builder(memory.DefaultAllocator), of, list.NewArray()}
}

func (c *column) array() arrow.Array {
	a := c.NewArray()
	if c.of == nil {
		return a
	}
	defer a.Release()
	return array.NewDictionaryArray(c.of, a, c.dict)
}

func (c *column) release() {
	c.Release()
	if c.dict != nil {
		c.dict.Release()
	}
}

// worded is a schema whose columns of few words are dictionaries of them: only the writer sees it, since Parquet has no
// type of dictionaries.
func worded(s *arrow.Schema, words []words) *arrow.Schema {
	fields := s.Fields()
	for i := range fields {
		if words[i].all() {
			fields[i].Type = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
		}
	}
	return arrow.NewSchema(fields, nil)
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
			b.Append(scaled(c.num, int(scale)-int(c.scale)))
			return nil
		}
		n, err := decimal(c.text, int(scale))
		if err != nil {
			return err
		}
		b.Append(n)
	case *array.Int64Builder:
		b.Append(c.num)
	case *array.Int32Builder: // of words
		b.Append(int32(c.num))
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
	return columnar(rows, func(s *arrow.Schema, held *spool) (batchWriter, *arrow.Schema, error) {
		var by []parquet.WriterProperty
		for i, c := range held.cols {
			switch {
			case held.words[i].all(): // nearly every row group has all words, so their bounds tell a reader nothing
				by = append(by, parquet.WithStatsFor(c.Name, false))
			case c.Kind == metrics.ID, held.varied[i].mostly(): // a dictionary would have nearly every value
				by = append(by, parquet.WithDictionaryFor(c.Name, false))
			}
		}
		as := worded(s, held.words)
		out, err := pqarrow.NewFileWriter(as, unclosed{w}, parquetProperties(by...), pqarrow.NewArrowWriterProperties())
		if err != nil {
			return nil, nil, err
		}
		text := base64.StdEncoding.EncodeToString(flight.SerializeSchema(s, memory.DefaultAllocator))
		return out, as, out.AppendKeyValueMetadata("ARROW:schema", text)
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
	out, err := pqarrow.NewFileWriter(s, unclosed{w}, parquetProperties(),
		pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
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

// parquetProperties are those of all files, and those of columns.
func parquetProperties(by ...parquet.WriterProperty) *parquet.WriterProperties {
	return parquet.NewWriterProperties(append(by, parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithCompressionLevel(1), parquet.WithMaxRowGroupLength(groupRows), parquet.WithStoreDecimalAsInteger(true),
		parquet.WithCreatedBy("gpuledger"))...)
}

func writeArrow(w *bufio.Writer, rows metrics.Rows) error {
	return columnar(rows, func(s *arrow.Schema, _ *spool) (batchWriter, *arrow.Schema, error) {
		return arrowFile{ipc.NewWriter(w, ipc.WithSchema(s))}, s, nil
	})
}

type batchWriter interface {
	WriteBuffered(arrow.RecordBatch) error
	Close() error
}

type arrowFile struct{ *ipc.Writer }

func (f arrowFile) WriteBuffered(rec arrow.RecordBatch) error { return f.Write(rec) }

// columnar writes rows in two passes: the first measures the digits of each column, the second writes.
// open begins a file of a schema, and returns the schema of the batches that it takes.
func columnar(
	rows metrics.Rows, open func(*arrow.Schema, *spool) (batchWriter, *arrow.Schema, error),
) (err error) {
	held, err := newSpool(rows, spoolMemory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.close()) }()
	out, as, err := open(schema(held.cols, multipliable(held.digits)), held)
	if err != nil {
		return err
	}
	if err := batches(held, as, out.WriteBuffered); err != nil {
		return err // without a footer the file is recognisably incomplete
	}
	return out.Close()
}

// unclosed hides the Close method of its writer: the file belongs to the caller.
type unclosed struct{ w *bufio.Writer }

func (u unclosed) Write(p []byte) (int, error) { return u.w.Write(p) }
