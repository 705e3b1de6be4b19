package bills

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/klauspost/compress/gzip"

	"gpuledger/internal/fleetsim/world"
)

const (
	exportName = "acme-cur2-hourly"
	exportARN  = "arn:aws:bcm-data-exports:us-east-1:" + world.Payer +
		":export/acme-cur2-hourly-7be0a4f2-61c9-4b4c-8a07-6c4fd6c2b8a1"
	bucket = "s3://acme-billing/cur2/"
)

// instant is a timestamp cell.
type instant int64

// curColumn is one column of CUR 2.0. get returns nil for NULL, else string,
// float64, instant or map[string]string.
type curColumn struct {
	name, typ string
	get       func(l *billLine) any
}

func text(name string, get func(*billLine) string) curColumn {
	return curColumn{name, "string", func(l *billLine) any {
		if s := get(l); s != "" {
			return s
		}
		return nil
	}}
}

func number(name string, get func(*billLine) *float64) curColumn {
	return curColumn{name, "double", func(l *billLine) any {
		if v := get(l); v != nil {
			return *v
		}
		return nil
	}}
}

func null(typ string, names ...string) []curColumn {
	var out []curColumn
	for _, n := range names {
		out = append(out, curColumn{n, typ, func(*billLine) any { return nil }})
	}
	return out
}

func whenPlan(v string) func(*billLine) string {
	return func(l *billLine) string {
		if l.plan {
			return v
		}
		return ""
	}
}

var curColumns = makeColumns()

func makeColumns() []curColumn {
	always := func(v string) func(*billLine) string { return func(*billLine) string { return v } }
	when := func(name string, get func(*billLine) int64) curColumn {
		return curColumn{name, "timestamp", func(l *billLine) any { return instant(get(l)) }}
	}
	month := func(l *billLine, add int) int64 {
		t, err := time.Parse("2006-01", l.period)
		if err != nil {
			return 0
		}
		return t.AddDate(0, add, 0).Unix()
	}
	invoice := func(l *billLine) string { return "21470" + strings.ReplaceAll(l.period, "-", "") }
	rate := func(l *billLine) string { return l.rate }
	cost := func(l *billLine) *float64 { return &l.cost }
	c := []curColumn{
		when("bill_billing_period_end_date", func(l *billLine) int64 { return month(l, 1) }),
		when("bill_billing_period_start_date", func(l *billLine) int64 { return month(l, 0) }),
		text("bill_bill_type", always("Anniversary")), text("bill_billing_entity", always("AWS")),
		text("bill_invoice_id", invoice), text("bill_invoicing_entity", always("Amazon Web Services, Inc.")),
		text("bill_payer_account_id", always(world.Payer)), text("bill_payer_account_name", always(payerName)),
		{"cost_category", "map", func(*billLine) any { return map[string]string{} }},
		{"discount", "map", func(*billLine) any { return map[string]string{} }},
		text("identity_line_item_id", (*billLine).id), text("identity_time_interval", (*billLine).interval),
		text("line_item_availability_zone", func(l *billLine) string { return l.zone }),
		number("line_item_blended_cost", cost), text("line_item_blended_rate", rate),
		text("line_item_currency_code", always("USD")), text("line_item_legal_entity", always("Amazon Web Services, Inc.")),
		text("line_item_line_item_description", func(l *billLine) string { return l.description }),
		text("line_item_line_item_type", func(l *billLine) string { return l.kind }),
		text("line_item_operation", func(l *billLine) string { return l.operation }),
		text("line_item_product_code", func(l *billLine) string { return l.product }),
		text("line_item_resource_id", func(l *billLine) string { return l.resource }),
		text("line_item_tax_type", func(l *billLine) string { return l.taxType }),
		number("line_item_unblended_cost", cost), text("line_item_unblended_rate", rate),
		text("line_item_usage_account_id", always(world.Payer)), text("line_item_usage_account_name", always(payerName)),
		number("line_item_usage_amount", func(l *billLine) *float64 {
			if l.usage == nil {
				return new(0.0)
			}
			return l.usage
		}),
		when("line_item_usage_end_date", func(l *billLine) int64 { return l.to }),
		when("line_item_usage_start_date", func(l *billLine) int64 { return l.from }),
		text("line_item_usage_type", func(l *billLine) string { return l.usageType }),
		text("pricing_currency", always("USD")),
		number("pricing_public_on_demand_cost", func(l *billLine) *float64 { return l.listCost }),
		text("pricing_public_on_demand_rate", func(l *billLine) string { return l.list }),
		text("pricing_term", func(l *billLine) string { return l.term }),
		text("pricing_unit", func(l *billLine) string { return l.unit }),
		{"product", "map", func(l *billLine) any { return l.attributes }},
		text("product_instance_family", func(l *billLine) string {
			if t := world.TypeOf(l.instanceType); t != nil {
				return t.Family
			}
			return ""
		}),
		text("product_instance_type", func(l *billLine) string { return l.instanceType }),
		text("product_product_family", func(l *billLine) string { return l.family }),
		text("product_region_code", func(l *billLine) string {
			if l.kind == "Tax" || l.kind == "SavingsPlanRecurringFee" {
				return ""
			}
			return world.Region
		}),
		text("product_servicecode", func(l *billLine) string { return l.product }),
		{"resource_tags", "map", func(l *billLine) any {
			if l.tags == nil {
				return map[string]string{}
			}
			return l.tags
		}},
		text("savings_plan_offering_type", whenPlan("ComputeSavingsPlans")),
		text("savings_plan_payment_option", whenPlan("No Upfront")),
		text("savings_plan_purchase_term", whenPlan("1yr")), text("savings_plan_savings_plan_a_r_n", whenPlan(planARN)),
		number("savings_plan_savings_plan_effective_cost", func(l *billLine) *float64 { return l.effective }),
		text("savings_plan_savings_plan_rate", func(l *billLine) string { return l.planRate }),
		text("savings_plan_start_time", whenPlan("2026-06-01T00:00:00.000Z")),
		text("savings_plan_end_time", whenPlan("2027-06-01T00:00:00.000Z")),
		number("savings_plan_total_commitment_to_date", func(l *billLine) *float64 { return l.committed }),
		number("savings_plan_used_commitment", func(l *billLine) *float64 { return l.used }),
	}
	c = append(c, reservationColumns()...)
	c = append(c, splitColumns()...)
	c = append(c, null("double", "discount_bundled_discount", "discount_total_discount", "line_item_normalization_factor",
		"line_item_normalized_usage_amount",
		"reservation_amortized_upfront_fee_for_billing_period",
		"savings_plan_amortized_upfront_commitment_for_billing_period",
		"savings_plan_recurring_commitment_for_billing_period")...)
	c = append(c, null("string", "pricing_lease_contract_length", "pricing_offering_class", "pricing_rate_code",
		"pricing_rate_id",
		"product_fee_code", "product_fee_description", "product_location",
		"product_operation", "product_sku", "product_usagetype",
		"reservation_availability_zone", "reservation_end_time", "reservation_number_of_reservations",
		"reservation_start_time", "reservation_subscription_id",
		"savings_plan_instance_type_family", "savings_plan_region")...)
	slices.SortFunc(c, func(a, b curColumn) int { return bytes.Compare([]byte(a.name), []byte(b.name)) })
	return c
}

// reservationColumns are the columns of reserved instances that this bill fills.
func reservationColumns() []curColumn {
	cell := func(name string, get func(*riCells) *float64) curColumn {
		return number(name, func(l *billLine) *float64 { return get(&l.ri) })
	}
	return []curColumn{
		text("reservation_reservation_a_r_n", func(l *billLine) string { return l.reservation }),
		text("pricing_purchase_option", func(l *billLine) string { return l.ri.payment }),
		cell("reservation_effective_cost", func(c *riCells) *float64 { return c.effective }),
		cell("reservation_amortized_upfront_cost_for_usage", func(c *riCells) *float64 { return c.upfront }),
		cell("reservation_recurring_fee_for_usage", func(c *riCells) *float64 { return c.recurring }),
		cell("reservation_unused_amortized_upfront_fee_for_billing_period",
			func(c *riCells) *float64 { return c.unusedUpfront }),
		cell("reservation_unused_recurring_fee", func(c *riCells) *float64 { return c.unusedRecurring }),
		cell("reservation_unused_quantity", func(c *riCells) *float64 { return c.unusedLeft }),
		cell("reservation_upfront_value", func(c *riCells) *float64 { return c.value }),
	}
}

// splitColumns are the columns of split cost allocation data.
func splitColumns() []curColumn {
	cell := func(name string, get func(*splitCells) float64) curColumn {
		return number(name, func(l *billLine) *float64 {
			if l.splitOf == nil {
				return nil
			}
			return new(get(l.splitOf))
		})
	}
	return []curColumn{
		text("split_line_item_parent_resource_id", func(l *billLine) string {
			if l.splitOf == nil {
				return ""
			}
			return l.splitOf.parent
		}),
		cell("split_line_item_reserved_usage", func(c *splitCells) float64 { return c.usage }),
		cell("split_line_item_actual_usage", func(c *splitCells) float64 { return c.usage / 2 }),
		cell("split_line_item_split_usage", func(c *splitCells) float64 { return c.usage }),
		cell("split_line_item_split_usage_ratio", func(c *splitCells) float64 { return c.ratio }),
		cell("split_line_item_split_cost", func(c *splitCells) float64 { return c.cost }),
		cell("split_line_item_unused_cost", func(c *splitCells) float64 { return c.idle }),
	}
}

// id is the same for a resource over all its intervals, as in real exports.
func (l *billLine) id() string {
	h := sha256.Sum256([]byte(l.kind + "|" + l.resource + "|" + l.usageType + "|" + l.product + "|" + l.term))
	return hex.EncodeToString(h[:26])
}

func (l *billLine) interval() string { return world.IsoSecond(l.from) + "/" + world.IsoSecond(l.to) }

// writeCUR writes all partitions with their manifests and returns the data files and manifests, relative to dir.
// execution -1 overwrites in place; later ones have separate folders, like an export that keeps its versions.
func writeCUR(w *world.World, dir string, lines []*billLine, execution int) (files []string, err error) {
	byFile := map[[2]string][]*billLine{}
	var order [][2]string
	for _, l := range lines {
		k := [2]string{l.period, l.file}
		if byFile[k] == nil {
			order = append(order, k)
		}
		byFile[k] = append(byFile[k], l)
	}
	dataFiles := map[string][]string{}
	var periods []string
	for _, k := range order {
		folder := path.Join("data", "BILLING_PERIOD="+k[0], executionFolder(w, k[0], execution))
		rel := filepath.Join("aws-cur", exportName, filepath.FromSlash(folder), k[1])
		file := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, fmt.Errorf("make folder of the bill: %w", err)
		}
		write := writeParquet
		if w.Config.CSV {
			write = writeCSV
		}
		if err := write(file, byFile[k]); err != nil {
			return nil, fmt.Errorf("write bill %s: %w", file, err)
		}
		if dataFiles[k[0]] == nil {
			periods = append(periods, k[0])
		}
		dataFiles[k[0]] = append(dataFiles[k[0]], bucket+exportName+"/"+folder+"/"+k[1])
		files = append(files, rel)
	}
	for _, p := range periods {
		rel := filepath.Join("aws-cur", exportName, "metadata", "BILLING_PERIOD="+p, executionFolder(w, p, execution),
			exportName+"-Manifest.json")
		if err := writeCURManifest(w, filepath.Join(dir, rel), p, execution, dataFiles[p]); err != nil {
			return nil, err
		}
		files = append(files, rel)
	}
	return files, nil
}

// executionID names one refresh of a partition.
func executionID(w *world.World, period string, execution int) string {
	keys := []uint64{30, uint64(w.BillTo), uint64(len(period)), uint64(period[6])}
	if execution > 0 {
		keys = append(keys, uint64(execution))
	}
	return world.NewRNG(w.Config.Seed, keys...).UUID()
}

// executionFolder is empty if the export overwrites.
func executionFolder(w *world.World, period string, execution int) string {
	if execution < 0 {
		return ""
	}
	at := time.Unix(w.BillTo-int64(1-execution)*12*3600+4*3600, 0).UTC()
	return at.Format("2006-01-02T15:04:05.000Z") + "-" + executionID(w, period, execution)
}

func writeCURManifest(w *world.World, path, period string, execution int, dataFiles []string) error {
	type column struct {
		Name string `json:"name"`
		Type string `json:"type"`
	}
	var cols []column
	for _, c := range curColumns {
		cols = append(cols, column{c.name, c.typ})
	}
	body, err := json.MarshalIndent(map[string]any{"executionId": executionID(w, period, execution),
		"exportArn": exportARN, "columns": cols, "dataFiles": dataFiles}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder of the manifest: %w", err)
	}
	if err := os.WriteFile(path, append(body, '\n'), 0o644); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	return nil
}

func writeCSV(path string, lines []*billLine) error {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	cw := csv.NewWriter(zw)
	record := make([]string, len(curColumns))
	for i, c := range curColumns {
		record[i] = c.name
	}
	if err := cw.Write(record); err != nil {
		return err
	}
	for _, l := range lines {
		for i, c := range curColumns {
			switch v := c.get(l).(type) {
			case nil:
				record[i] = ""
			case string:
				record[i] = v
			case float64:
				record[i] = strconv.FormatFloat(v, 'f', -1, 64)
			case instant:
				record[i] = time.Unix(int64(v), 0).UTC().Format("2006-01-02T15:04:05.000Z")
			case map[string]string:
				b, err := json.Marshal(v)
				if err != nil {
					return err
				}
				record[i] = string(b)
			}
		}
		if err := cw.Write(record); err != nil {
			return err
		}
	}
	cw.Flush()
	if err := cw.Error(); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, buf.Bytes(), 0o644)
}

func writeParquet(path string, lines []*billLine) (err error) {
	var fields []arrow.Field
	for _, c := range curColumns {
		var t arrow.DataType = arrow.BinaryTypes.String
		switch c.typ {
		case "double":
			t = arrow.PrimitiveTypes.Float64
		case "timestamp":
			t = &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}
		case "map":
			t = arrow.MapOf(arrow.BinaryTypes.String, arrow.BinaryTypes.String)
		}
		fields = append(fields, arrow.Field{Name: c.name, Type: t, Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { // pw closes the file when all went well
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	pw, err := pqarrow.NewFileWriter(schema, f,
		parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy)), pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	const rowGroup = 16_384
	rb := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer rb.Release()
	for at := 0; at < len(lines); at += rowGroup {
		for _, l := range lines[at:min(at+rowGroup, len(lines))] {
			for i := range curColumns {
				appendCell(rb.Field(i), curColumns[i].get(l))
			}
		}
		rec := rb.NewRecordBatch()
		err := pw.Write(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return pw.Close() // closes the file too
}

func appendCell(b array.Builder, cell any) {
	switch v := cell.(type) {
	case string:
		b.(*array.StringBuilder).Append(v)
	case float64:
		b.(*array.Float64Builder).Append(v)
	case instant:
		b.(*array.TimestampBuilder).Append(arrow.Timestamp(int64(v) * 1000))
	case map[string]string:
		m := b.(*array.MapBuilder)
		m.Append(true)
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			m.KeyBuilder().(*array.StringBuilder).Append(k)
			m.ItemBuilder().(*array.StringBuilder).Append(v[k])
		}
	default:
		b.AppendNull()
	}
}
