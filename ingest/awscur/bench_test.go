package awscur

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"gpuledger/ingest/bill"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// month invents the lines of a CUR 2.0 month: two maps, a line id per line, as
// many tag sets and words as a fleet of some thousand resources has, costs of
// which most repeat, and columns that hold nothing, as in every real export.
type month struct{ r *rand.Rand }

func newMonth() *month { return &month{rand.New(rand.NewPCG(2026, 10))} }

// benchColumns are 66 columns; kind is t(ext), n(umber), d(ate), m(ap) or
// e(mpty).
var benchColumns = func() []struct {
	name string
	kind byte
} {
	type column = struct {
		name string
		kind byte
	}
	out := []column{
		{"identity_line_item_id", 't'}, {"identity_time_interval", 't'},
		{"bill_payer_account_id", 't'}, {"bill_payer_account_name", 't'},
		{"bill_bill_type", 't'}, {"bill_billing_entity", 't'}, {"bill_invoice_id", 'e'}, {"bill_invoicing_entity", 't'},
		{"bill_billing_period_start_date", 'd'}, {"bill_billing_period_end_date", 'd'},
		{"line_item_usage_account_id", 't'}, {"line_item_usage_account_name", 't'},
		{"line_item_line_item_type", 't'}, {"line_item_usage_start_date", 'd'},
		{"line_item_usage_end_date", 'd'}, {"line_item_product_code", 't'},
		{"line_item_usage_type", 't'}, {"line_item_operation", 't'},
		{"line_item_availability_zone", 't'}, {"line_item_resource_id", 't'},
		{"line_item_usage_amount", 'n'}, {"line_item_normalization_factor", 'n'},
		{"line_item_normalized_usage_amount", 'n'}, {"line_item_currency_code", 't'},
		{"line_item_unblended_rate", 't'}, {"line_item_unblended_cost", 'n'},
		{"line_item_blended_rate", 't'}, {"line_item_blended_cost", 'n'},
		{"line_item_line_item_description", 't'}, {"line_item_legal_entity", 't'},
		{"line_item_tax_type", 'e'}, {"pricing_currency", 't'},
		{"pricing_lease_contract_length", 'e'}, {"pricing_offering_class", 'e'},
		{"pricing_public_on_demand_cost", 'n'}, {"pricing_public_on_demand_rate", 't'},
		{"pricing_purchase_option", 'e'}, {"pricing_rate_code", 't'},
		{"pricing_rate_id", 't'}, {"pricing_term", 't'}, {"pricing_unit", 't'},
		{"product", 'm'}, {"product_comment", 'e'}, {"product_fee_code", 'e'},
		{"product_from_location", 'e'}, {"product_instance_family", 't'},
		{"product_instance_type", 't'}, {"product_location", 't'}, {"product_operation", 't'},
		{"product_product_family", 't'}, {"product_region_code", 't'},
		{"product_servicecode", 't'}, {"product_sku", 't'}, {"product_usagetype", 't'},
		{"reservation_reservation_a_r_n", 'e'}, {"reservation_effective_cost", 'e'},
		{"reservation_unused_recurring_fee", 'e'},
		{"reservation_unused_amortized_upfront_fee_for_billing_period", 'e'}, {"reservation_subscription_id", 't'},
		{"savings_plan_savings_plan_a_r_n", 'e'}, {"savings_plan_savings_plan_effective_cost", 'e'},
		{"savings_plan_total_commitment_to_date", 'e'},
		{"savings_plan_used_commitment", 'e'}, {"discount", 'm'}, {"resource_tags", 'm'}, {"cost_category", 'm'},
	}
	return out
}()

// benchLine is one line: the texts, numbers and maps of its columns.
type benchLine struct {
	resource, sku, rate, usageType, account int
	hour                                    time.Time
	cost, amount                            float64
	tags                                    int
}

var benchStart = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)

func (m *month) line() benchLine {
	l := benchLine{resource: m.r.IntN(20_000), hour: benchStart.Add(time.Duration(m.r.IntN(720)) * time.Hour), amount: 1}
	l.sku = l.resource % 900
	l.rate, l.usageType, l.account, l.tags = l.sku%400, l.sku%350, l.resource%120, l.resource%6945
	l.cost = float64(l.sku*37%9000) / 10_000
	if m.r.IntN(3) == 0 { // metered by the byte or second
		l.amount = float64(m.r.Int64N(1e12)) / 1e10
		l.cost = float64(m.r.Int64N(1e11)) / 1e10
	}
	return l
}

func (m *month) text(l *benchLine, name string) string {
	switch name {
	case "identity_line_item_id":
		return fmt.Sprintf("%013x%013x%013x%013x", m.r.Uint64()>>12, m.r.Uint64()>>12, m.r.Uint64()>>12, m.r.Uint64()>>12)
	case "identity_time_interval":
		return l.hour.Format(time.RFC3339) + "/" + l.hour.Add(time.Hour).Format(time.RFC3339)
	case "bill_payer_account_id":
		return "111122223333"
	case "bill_bill_type":
		return "Anniversary"
	case "line_item_usage_account_id":
		return strconv.Itoa(100_000_000_000 + l.account)
	case "line_item_line_item_type":
		return "Usage"
	case "line_item_usage_type":
		if l.usageType < 20 {
			return "USE1-BoxUsage:p5.48xlarge"
		}
		return "USE1-DataTransfer-Kind" + strconv.Itoa(l.usageType)
	case "line_item_resource_id":
		return fmt.Sprintf("i-%017x", l.resource*7919)
	case "line_item_currency_code", "pricing_currency":
		return "USD"
	case "line_item_line_item_description":
		return fmt.Sprintf("$%d.%02d per unit of thing number %d in US East (N. Virginia)", l.rate/100, l.rate%100, l.sku)
	case "pricing_unit":
		return "Hrs"
	case "product_instance_type":
		if l.usageType < 20 {
			return "p5.48xlarge"
		}
		return ""
	case "line_item_availability_zone":
		return "us-east-1" + string(rune('a'+l.resource%6))
	case "line_item_unblended_rate", "line_item_blended_rate", "pricing_public_on_demand_rate":
		return fmt.Sprintf("%d.%04d", l.rate/100, l.rate)
	case "pricing_rate_code", "pricing_rate_id", "product_sku":
		return fmt.Sprintf("SKU%012X", l.sku*104729)
	}
	return name + " " + strconv.Itoa(l.sku%30)
}

func (m *month) number(l *benchLine, name string) float64 {
	switch name {
	case "line_item_unblended_cost", "line_item_blended_cost", "pricing_public_on_demand_cost":
		return l.cost
	case "line_item_usage_amount":
		return l.amount
	}
	return 0
}

func (m *month) date(l *benchLine, name string) time.Time {
	switch name {
	case "bill_billing_period_start_date":
		return benchStart
	case "bill_billing_period_end_date":
		return benchStart.AddDate(0, 1, 0)
	case "line_item_usage_end_date":
		return l.hour.Add(time.Hour)
	}
	return l.hour
}

func (m *month) pairs(l *benchLine, name string) [][2]string {
	switch name {
	case "product":
		return [][2]string{
			{"product_name", "Amazon Elastic Compute Cloud"}, {"region", "us-east-1"}, {"sku", fmt.Sprint("S", l.sku)},
			{"usagetype", fmt.Sprint("U", l.usageType)}, {"group", fmt.Sprint("g", l.sku%7)},
		}
	case "resource_tags":
		return [][2]string{
			{"user_team", fmt.Sprint("team-", l.tags%40)}, {"user_project", fmt.Sprint("project-", l.tags%900)},
			{"user_env", []string{"prod", "dev", "test"}[l.tags%3]}, {"user_owner", fmt.Sprint("owner-", l.tags)},
		}
	case "cost_category":
		return [][2]string{{"unit", fmt.Sprint("unit ", l.account%9)}}
	}
	return nil
}

// writeParquetMonth writes lines as Data Exports does: snappy, dictionaries, a
// few row groups.
func writeParquetMonth(tb testing.TB, path string, lines int) {
	tb.Helper()
	var fields []arrow.Field
	for _, c := range benchColumns {
		var dt arrow.DataType = arrow.BinaryTypes.String
		switch c.kind {
		case 'n':
			dt = arrow.PrimitiveTypes.Float64
		case 'd':
			dt = &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}
		case 'm':
			dt = arrow.MapOf(arrow.BinaryTypes.String, arrow.BinaryTypes.String)
		}
		fields = append(fields, arrow.Field{Name: c.name, Type: dt, Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	out, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(schema, out,
		parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithMaxRowGroupLength(250_000)),
		pqarrow.DefaultWriterProps())
	if err != nil {
		tb.Fatal(err)
	}
	m := newMonth()
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range lines {
		l := m.line()
		for f, c := range benchColumns {
			switch fb := b.Field(f).(type) {
			case *array.StringBuilder:
				if t := m.text(&l, c.name); c.kind != 'e' && t != "" {
					fb.Append(t)
				} else {
					fb.AppendNull()
				}
			case *array.Float64Builder:
				fb.Append(m.number(&l, c.name))
			case *array.TimestampBuilder:
				fb.Append(arrow.Timestamp(m.date(&l, c.name).UnixMilli()))
			case *array.MapBuilder:
				fb.Append(true)
				for _, p := range m.pairs(&l, c.name) {
					fb.KeyBuilder().(*array.StringBuilder).Append(p[0])
					fb.ItemBuilder().(*array.StringBuilder).Append(p[1])
				}
			}
		}
		if i%50_000 == 49_999 || i == lines-1 {
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

// writeCSVMonth writes the same lines as gzip CSV.
func writeCSVMonth(tb testing.TB, path string, lines int) {
	tb.Helper()
	out, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	z := gzip.NewWriter(out)
	w := csv.NewWriter(z)
	record := make([]string, len(benchColumns))
	for f, c := range benchColumns {
		record[f] = c.name
	}
	m := newMonth()
	for i := 0; ; i++ {
		if err := w.Write(record); err != nil {
			tb.Fatal(err)
		}
		if i == lines {
			break
		}
		l := m.line()
		for f, c := range benchColumns {
			switch c.kind {
			case 'n':
				record[f] = strconv.FormatFloat(m.number(&l, c.name), 'f', -1, 64)
			case 'd':
				record[f] = m.date(&l, c.name).Format(time.RFC3339)
			case 'm':
				text := "{"
				for k, p := range m.pairs(&l, c.name) {
					if k > 0 {
						text += ","
					}
					text += strconv.Quote(p[0]) + ":" + strconv.Quote(p[1])
				}
				record[f] = text + "}"
			case 'e':
				record[f] = ""
			default:
				record[f] = m.text(&l, c.name)
			}
		}
	}
	w.Flush()
	for _, err := range []error{w.Error(), z.Close(), out.Close()} {
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchPasses measures the passes over a file, each and together: lines per
// second of the wall clock, processor time and memory taken per line.
func benchPasses(b *testing.B, f blob.File, lines int) {
	survey := func(b *testing.B) *bill.Survey {
		sv, err := bill.SurveyFile(b.Context(), Format, f, bill.SurveyOptions{})
		if err != nil || sv.Rows != int64(lines) || sv.Tally.RejectedRows() > 0 {
			b.Fatal(err, sv)
		}
		return sv
	}
	read := func(b *testing.B, sv *bill.Survey) {
		plan := bill.NewPlan(Format, []*bill.Survey{sv}, nil, bill.PlanOptions{})
		n := 0
		if _, err := plan.Read(b.Context(), 0,
			func(_ int, cs []ledger.Charge) error { n += len(cs); return nil }); err != nil || n != lines {
			b.Fatal(err, n)
		}
	}
	for name, pass := range map[string]func(b *testing.B){
		"survey": func(b *testing.B) {
			for b.Loop() {
				survey(b)
			}
		},
		"read": func(b *testing.B) {
			sv := survey(b)
			for b.Loop() {
				read(b, sv)
			}
		},
		"both": func(b *testing.B) {
			for b.Loop() {
				read(b, survey(b))
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			cpu := processorTime()
			pass(b)
			all := float64(lines) * float64(b.N)
			runtime.ReadMemStats(&after)
			b.ReportMetric(all/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64((processorTime()-cpu).Nanoseconds())/1000/all, "cpu-µs/row")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/all, "B/row")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// benchFile makes a file once per process, or reads it from BENCH_DIR.
func benchFile(b *testing.B, name string, lines int, write func(testing.TB, string, int)) blob.File {
	b.Helper()
	dir := os.Getenv("BENCH_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("%d-%s", lines, name))
	if _, err := os.Stat(path); err != nil {
		write(b, path, lines)
	}
	return blob.File{Name: name, Path: path}
}

func BenchmarkParseParquetMonth(b *testing.B) {
	const lines = 500_000
	benchPasses(b, benchFile(b, "month.parquet", lines, writeParquetMonth), lines)
}

func BenchmarkParseCSVMonth(b *testing.B) {
	const lines = 100_000
	benchPasses(b, benchFile(b, "month.csv.gz", lines, writeCSVMonth), lines)
}
