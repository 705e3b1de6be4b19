package awscur

import (
	"fmt"
	"gpuledger/ingest/bill"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// wideColumns is a CUR 2.0 header of 60 columns as a real export has it: the
// columns that the mapping reads, and as many that it does not.
func wideColumns() []arrow.Field {
	text, double := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64
	stamp := &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}
	tags := arrow.MapOf(text, text)
	var out []arrow.Field
	for c := range columnCount {
		name := c.Name()
		if c == colLoadID || c == colTags || c >= colNetReservationEffective && c <= colNetReservationUnusedRecurring ||
			c == colNetUnblended || c == colNetPlanEffective {
			continue
		}
		var dt arrow.DataType = text
		switch formByName[canonicalName(name)] {
		case bill.Number:
			dt = double
		case bill.Time:
			dt = stamp
		case bill.Pairs:
			dt = tags
		}
		out = append(out, arrow.Field{Name: name, Type: dt, Nullable: true})
	}
	for i := range 20 {
		out = append(out, arrow.Field{Name: fmt.Sprintf("product_attribute_%02d", i), Type: text, Nullable: true})
	}
	return out
}

// writeWide writes a Parquet file of n instance-hour lines.
func writeWide(tb testing.TB, path string, n int) {
	tb.Helper()
	schema := arrow.NewSchema(wideColumns(), nil)
	out, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(schema, out,
		parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy)), pqarrow.DefaultWriterProps())
	if err != nil {
		tb.Fatal(err)
	}
	start := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range n {
		hour := start.Add(time.Duration(i%720) * time.Hour)
		for f, field := range schema.Fields() {
			switch fb := b.Field(f).(type) {
			case *array.StringBuilder:
				fb.Append(wideText(field.Name, i, hour))
			case *array.Float64Builder:
				switch field.Name {
				case "line_item_unblended_cost", "pricing_public_on_demand_cost":
					fb.Append(float64(i%5000) * 0.0123)
				case "line_item_usage_amount":
					fb.Append(1)
				default:
					fb.Append(0)
				}
			case *array.TimestampBuilder:
				at := hour
				switch field.Name {
				case "bill_billing_period_start_date":
					at = start
				case "line_item_usage_end_date":
					at = hour.Add(time.Hour)
				}
				fb.Append(arrow.Timestamp(at.UnixMilli()))
			case *array.MapBuilder:
				fb.Append(true)
				for k := range 3 {
					fb.KeyBuilder().(*array.StringBuilder).Append(fmt.Sprintf("user_key%d", k))
					fb.ItemBuilder().(*array.StringBuilder).Append(fmt.Sprintf("value %d", (i/720)%50))
				}
			}
		}
		if i%50_000 == 49_999 || i == n-1 {
			rec := b.NewRecordBatch()
			if err := w.WriteBuffered(rec); err != nil {
				tb.Fatal(err)
			}
			rec.Release()
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

func wideText(name string, i int, hour time.Time) string {
	switch name {
	case "identity_line_item_id":
		return fmt.Sprintf("%052d", i)
	case "identity_time_interval":
		return hour.Format(time.RFC3339) + "/" + hour.Add(time.Hour).Format(time.RFC3339)
	case "bill_payer_account_id":
		return "111122223333"
	case "line_item_line_item_type":
		return "Usage"
	case "line_item_usage_type":
		return "BoxUsage:p5.48xlarge"
	case "line_item_currency_code":
		return "USD"
	case "pricing_unit":
		return "Hrs"
	case "line_item_resource_id":
		return fmt.Sprintf("i-%017x", i/720)
	}
	return fmt.Sprintf("%s %d", name, i%7)
}

func TestParquetWithMaps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.parquet")
	writeWide(t, path, 9000)
	r, err := readAll(t, list(t, path), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Check(t)
	if r.Tally.RejectedRows() > 0 {
		t.Fatalf("%+v", r.Tally.First[0])
	}
	c := r.Charges[0][8000]
	if r.Tally.RejectedRows() != 0 || c.Tags["user_key1"] != "value 11" || c.InstanceType != "product_instance_type 6" ||
		!c.InstanceHours {
		t.Errorf("%+v %+v", r.Tally, c)
	}
}
