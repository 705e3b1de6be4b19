package export

import (
	"bufio"
	"fmt"
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"gpuledger/internal/money"
	"gpuledger/metrics"
)

const (
	batchRows = 8 << 10  // rows per Arrow batch
	groupRows = 32 << 10 // rows per Parquet row group, all held in memory

	precision  = 38
	exactScale = 28 // bills carry up to 26 decimals
)

func decimalScale(k metrics.Kind) int32 {
	if k == metrics.Ratio {
		return metrics.RatioDigits
	}
	return exactScale
}

// schema is the Arrow schema of a report; units and formulas are in the field metadata.
func schema(cols []metrics.Column) *arrow.Schema {
	fields := make([]arrow.Field, len(cols))
	for i, c := range cols {
		var t arrow.DataType = arrow.BinaryTypes.String
		switch {
		case c.Kind.Decimal():
			t = &arrow.Decimal128Type{Precision: precision, Scale: decimalScale(c.Kind)}
		case c.Kind.Integer():
			t = arrow.PrimitiveTypes.Int64
		case c.Kind == metrics.Time:
			t = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
		case c.Kind == metrics.Bool:
			t = arrow.FixedWidthTypes.Boolean
		}
		meta := arrow.NewMetadata([]string{"unit", "description", "formula"}, []string{c.Unit, c.Doc, c.Formula.String()})
		fields[i] = arrow.Field{Name: c.Name, Type: t, Nullable: true, Metadata: meta}
	}
	return arrow.NewSchema(fields, nil)
}

// batches passes the rows to write in record batches.
func batches(rows metrics.Rows, s *arrow.Schema, write func(arrow.RecordBatch) error) error {
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	cols := rows.Columns()
	flush := func() error {
		rec := b.NewRecordBatch()
		defer rec.Release()
		return write(rec)
	}
	n, total := 0, 0
	for rows.Next() {
		total++
		for i, v := range rows.Values() {
			if err := appendCell(b.Field(i), v, cols[i].Kind); err != nil {
				return fmt.Errorf("row %d, column %s: %w", total, cols[i].Name, err)
			}
		}
		if n++; n == batchRows {
			if err := flush(); err != nil {
				return err
			}
			n = 0
		}
	}
	if err := rows.Err(); err != nil || n == 0 {
		return err
	}
	return flush()
}

func appendCell(b array.Builder, v metrics.Value, k metrics.Kind) error {
	if !v.Valid {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.Decimal128Builder:
		n, err := Decimal(v.Text, decimalScale(k))
		if err != nil {
			return err
		}
		b.Append(n)
	case *array.Int64Builder:
		b.Append(v.Int)
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.Time.UnixMicro()))
	case *array.BooleanBuilder:
		b.Append(v.Bool)
	case *array.StringBuilder:
		b.Append(v.Text)
	default:
		return fmt.Errorf("values of kind %s cannot be written", k)
	}
	return nil
}

// Decimal turns a decimal text into DECIMAL(38,scale). It refuses values that
// do not fit exactly.
func Decimal(text string, scale int32) (decimal128.Num, error) {
	a, err := money.Parse(text)
	if err != nil {
		return decimal128.Num{}, err
	}
	coef, have := a.Scaled()
	if more := int(scale) - have; more >= 0 {
		coef.Mul(coef, pow10(more))
	} else if _, rest := coef.QuoRem(coef, pow10(-more), new(big.Int)); rest.Sign() != 0 {
		return decimal128.Num{},
			fmt.Errorf("%s has more than %d decimals and does not fit DECIMAL(%d,%d); use csv or json", text, scale, precision,
				scale)
	}
	if coef.CmpAbs(pow10(precision)) >= 0 {
		return decimal128.Num{},
			fmt.Errorf("%s has more than %d digits before the point and does not fit DECIMAL(%d,%d); use csv or json",
				text, precision-scale, precision, scale)
	}
	return decimal128.FromBigInt(coef), nil
}

var powers = func() (p [precision + 1]*big.Int) {
	for i := range p {
		p[i] = new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(i)), nil)
	}
	return p
}()

// pow10 returns 10^n, which the caller must not change.
func pow10(n int) *big.Int {
	if n < len(powers) {
		return powers[n]
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

func writeParquet(w *bufio.Writer, rows metrics.Rows) (err error) {
	s := schema(rows.Columns())
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithMaxRowGroupLength(groupRows),
		parquet.WithCreatedBy("gpuledger"))
	out, err := pqarrow.NewFileWriter(s, unclosed{w}, props, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		return err
	}
	if err := batches(rows, s, out.WriteBuffered); err != nil {
		return err // without a footer the file is recognisably incomplete
	}
	return out.Close()
}

func writeArrow(w *bufio.Writer, rows metrics.Rows) error {
	s := schema(rows.Columns())
	out := ipc.NewWriter(w, ipc.WithSchema(s))
	if err := batches(rows, s, out.Write); err != nil {
		return err
	}
	return out.Close()
}

// unclosed hides the Close method of its writer: the file belongs to the caller.
type unclosed struct{ w *bufio.Writer }

func (u unclosed) Write(p []byte) (int, error) { return u.w.Write(p) }
