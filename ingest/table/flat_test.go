package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"gpuledger/internal/blob"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// mixedRecord makes rows of every kind of column that is read without Arrow:
// constant, null throughout, of few and of many values, with gaps.
func mixedRecord(r *rand.Rand, rows int) arrow.RecordBatch {
	text, double := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64
	fields := []arrow.Field{
		{Name: "constant", Type: text, Nullable: true},
		{Name: "few", Type: text, Nullable: true}, {Name: "many", Type: text, Nullable: true},
		{Name: "gaps", Type: text, Nullable: true}, {Name: "empty", Type: text, Nullable: true}, {Name: "needed", Type: text},
		{Name: "cost", Type: double, Nullable: true},
		{Name: "rate", Type: double, Nullable: true}, {Name: "odd", Type: double, Nullable: true},
		{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}, Nullable: true},
		{Name: "micro", Type: &arrow.TimestampType{Unit: arrow.Microsecond}, Nullable: true},
		{Name: "count", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "small", Type: arrow.PrimitiveTypes.Int32},
		{Name: "tags", Type: arrow.MapOf(text, text), Nullable: true},
		{Name: "rare", Type: arrow.MapOf(text, text), Nullable: true},
		{Name: "sums", Type: arrow.MapOf(text, double), Nullable: true},
		{Name: "counts", Type: arrow.MapOf(text, arrow.PrimitiveTypes.Int64), Nullable: true},
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	odd := []float64{math.NaN(), math.Inf(1), 0, math.Copysign(0, -1), 1.0 / 3, 1e-15, 1e20, -0.1}
	for i := range rows {
		for f, field := range fields {
			fb := b.Field(f)
			if field.Nullable && field.Name != "constant" && r.IntN(5) == 0 || field.Name == "empty" {
				fb.AppendNull()
				continue
			}
			switch fb := fb.(type) {
			case *array.StringBuilder:
				switch field.Name {
				case "constant":
					fb.Append("always")
				case "many", "needed":
					fb.Append(fmt.Sprintf("row %d %x", i, r.Uint64()))
				default:
					fb.Append([]string{"a", "b", "NULL", "", "null", "é"}[r.IntN(6)])
				}
			case *array.Float64Builder:
				switch field.Name {
				case "odd":
					fb.Append(odd[r.IntN(len(odd))])
				case "rate":
					fb.Append(float64(r.IntN(7)) / 100)
				default:
					fb.Append(r.Float64())
				}
			case *array.TimestampBuilder:
				fb.Append(arrow.Timestamp(1_790_000_000_000 + int64(r.IntN(1000))))
			case *array.Int64Builder:
				fb.Append(r.Int64())
			case *array.Int32Builder:
				fb.Append(int32(r.IntN(3)))
			case *array.MapBuilder:
				fb.Append(true)
				for range r.IntN(4) {
					fb.KeyBuilder().(*array.StringBuilder).Append(fmt.Sprintf("k%d", r.IntN(9)))
					if r.IntN(8) == 0 {
						fb.ItemBuilder().AppendNull()
						continue
					}
					switch items := fb.ItemBuilder().(type) {
					case *array.Float64Builder:
						items.Append(odd[r.IntN(len(odd))] + float64(r.IntN(2)))
					case *array.Int64Builder:
						items.Append(int64(r.IntN(1e6)))
					case *array.StringBuilder:
						items.Append(fmt.Sprint(r.IntN(map[string]int{"rare": 1e6, "tags": 3}[field.Name])))
					}
				}
			}
		}
	}
	return b.NewRecordBatch()
}

func writeParquet(tb testing.TB, path string, rec arrow.RecordBatch, o ...parquet.WriterProperty) blob.File {
	tb.Helper()
	out, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(rec.Schema(), out, parquet.NewWriterProperties(o...), pqarrow.DefaultWriterProps())
	if err != nil {
		tb.Fatal(err)
	}
	if err := w.Write(rec); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return blob.File{Name: filepath.Base(path), Path: path}
}

func openPq(tb testing.TB, f blob.File) *parquetTable {
	tb.Helper()
	t, err := openParquet(f)
	if err != nil {
		tb.Fatal(err)
	}
	return t.(*parquetTable)
}

// mapsFrom is the position of the first map of mixedRecord.
const mapsFrom = 13

// seenCell holds all readable forms of a cell.
type seenCell struct {
	line          int64
	raw, pairs    string
	number        money.Amount
	at            period.Second
	okN, okT      bool
	badN, badT    bool
	badP, precise bool
}

// cellsOf writes down all cells.
func cellsOf(tb testing.TB, each func(func(Row) error) error, columns int) []seenCell {
	tb.Helper()
	var out []seenCell
	err := each(func(r Row) error {
		for pos := range columns {
			pairs, errP := r.Pairs(pos)
			c := seenCell{line: r.Line(), badP: errP != nil}
			if len(pairs) > 0 {
				c.pairs = fmt.Sprint(pairs)
			}
			if pos < mapsFrom { // a map has no separate text
				n, okN, errN := r.Number(pos)
				at, okT, errT := r.Instant(pos)
				c.raw, c.at, c.okN, c.okT, c.badN, c.badT = r.Raw(pos), at, okN, okT, errN != nil, errT != nil
				if units, short := n.Units(); short {
					c.number, c.precise = money.FromUnits(units), true
				} else {
					c.raw += " = " + n.String()
				}
			}
			out = append(out, c)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// Both ways to read Parquet give the same cells.
func TestParquetColumnByColumnIsAsThroughArrow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rec := mixedRecord(r, batchRows+200)
	dir := t.TempDir()
	for name, o := range map[string][]parquet.WriterProperty{
		"snappy":      {parquet.WithCompression(compress.Codecs.Snappy)},
		"small pages": {parquet.WithDataPageSize(700), parquet.WithDictionaryPageSizeLimit(2000)},
		"second format": {
			parquet.WithDataPageVersion(parquet.DataPageV2),
			parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageSize(3000),
		},
		"row groups": {parquet.WithMaxRowGroupLength(777), parquet.WithCompression(compress.Codecs.Gzip)},
		"plain":      {parquet.WithDictionaryDefault(false)},
	} {
		t.Run(name, func(t *testing.T) {
			p := openPq(t, writeParquet(t, filepath.Join(dir, name+".parquet"), rec, o...))
			defer p.Close()
			if p.flat == nil {
				t.Fatal("not read column by column")
			}
			want := cellsOf(t, func(visit func(Row) error) error { return p.eachArrow(t.Context(), visit) }, len(p.names))
			for mode, wants := range map[string][]Want{"plain": nil, "prepared": preparedWants(len(p.names))} {
				if wants != nil {
					p.Prepare(wants)
				}
				got := cellsOf(t, func(visit func(Row) error) error { return p.Each(t.Context(), visit) }, len(p.names))
				if len(got) != len(want) {
					t.Fatalf("%d cells, want %d", len(got), len(want))
				}
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("%s: cell of %s\n%+v, want\n%+v", mode, p.names[i%len(p.names)], got[i], want[i])
					}
				}
			}
		})
	}
}

func preparedWants(columns int) []Want {
	var out []Want
	for pos := range columns {
		out = append(out, Want{Pos: pos, Form: Form(pos % 4), Raw: pos%3 == 0})
	}
	return out
}
