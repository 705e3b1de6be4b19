package gcpbilling

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/test/billtest"
)

func field(kind, name string) billtest.Field { return billtest.Field{Name: name, Type: kind} }

func record(name string, members ...billtest.Field) billtest.Field {
	return billtest.Field{Name: name, Type: "RECORD", Fields: members}
}

func list(name string, members ...billtest.Field) billtest.Field {
	f := record(name, members...)
	f.Mode = "REPEATED"
	return f
}

func texts(names ...string) []billtest.Field {
	var out []billtest.Field
	for _, n := range names {
		out = append(out, field("STRING", n))
	}
	return out
}

// detailedSchema is the table of the detailed export.
var detailedSchema = []billtest.Field{
	field("STRING", "billing_account_id"),
	record("service", texts("id", "description")...), record("sku", texts("id", "description")...),
	field("TIMESTAMP", "usage_start_time"), field("TIMESTAMP", "usage_end_time"),
	record("project", append(texts("id", "number", "name", "ancestry_numbers"), list("labels", texts("key", "value")...),
		list("ancestors", texts("resource_name", "display_name")...))...),
	list("labels", texts("key", "value")...), list("system_labels", texts("key", "value")...),
	record("location", texts("location", "country", "region", "zone")...),
	record("resource", texts("name", "global_name")...),
	list("tags", append(texts("key", "value", "namespace"), field("BOOLEAN", "inherited"))...),
	record("price", field("NUMERIC", "effective_price"), field("NUMERIC", "tier_start_amount"), field("STRING", "unit"),
		field("NUMERIC", "pricing_unit_quantity"),
		field("NUMERIC", "list_price"), field("NUMERIC", "effective_price_default"),
		field("NUMERIC", "list_price_consumption_model")),
	field("STRING", "transaction_type"), field("STRING", "seller_name"), field("TIMESTAMP", "export_time"),
	field("FLOAT", "cost"), field("STRING", "currency"), field("FLOAT", "currency_conversion_rate"),
	record("usage", field("FLOAT", "amount"), field("STRING", "unit"), field("FLOAT", "amount_in_pricing_units"),
		field("STRING", "pricing_unit")),
	list("credits", append(texts("name", "full_name", "id", "type"), field("FLOAT", "amount"))...),
	record("invoice", texts("month", "publisher_type")...), field("STRING", "cost_type"),
	record("adjustment_info", texts("id", "description", "mode", "type")...),
	field("FLOAT", "cost_at_list"), record("subscription", texts("instance_id")...),
	field("FLOAT", "cost_at_effective_price_default"), field("FLOAT", "cost_at_list_consumption_model"),
	record("consumption_model", texts("id", "description")...),
}

// nest makes nested rows of a flat CSV sample that has columns of JSON text.
func nest(t *testing.T, path string) billtest.Rows {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, h := range lines[0] {
		has[documented(h)] = true
	}
	var out billtest.Rows
	for _, line := range lines[1:] {
		row := map[string]any{}
		put := func(name string, v any) {
			record, member, nested := strings.Cut(name, ".")
			if !nested {
				row[name] = v
				return
			}
			if row[record] == nil {
				row[record] = map[string]any{}
			}
			row[record].(map[string]any)[member] = v
		}
		for i, h := range lines[0] {
			name := documented(h)
			if line[i] == "" || exploded(table.Squash(h), has) || wholeRecord(name, has) {
				continue
			}
			var v any = line[i]
			if _, isList := repeated[table.Squash(h)]; isList {
				d := json.NewDecoder(strings.NewReader(line[i]))
				d.UseNumber()
				if err := d.Decode(&v); err != nil {
					t.Fatal(err)
				}
			}
			put(name, v)
		}
		out = append(out, row)
	}
	return out
}

// sample reads nested rows of a JSON sample.
func sample(t *testing.T, path string) billtest.Rows {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return billtest.ParseRows(t, text)
}

// Every encoding of the same rows is the same bill: digests, ids, totals and
// charges.
func TestEveryEncodingIsTheSameBill(t *testing.T) {
	for name, read := range map[string]func(t *testing.T) (original string, schema []billtest.Field, rows billtest.Rows){
		"finops": func(t *testing.T) (string, []billtest.Field, billtest.Rows) {
			file := billtest.Samples(t, "gcp/google_finops_agent_sample_billing_data.csv")
			return file, append(slices.Clone(detailedSchema), field("STRING", "test")), nest(t, file)
		},
		"cuds": func(t *testing.T) (string, []billtest.Field, billtest.Rows) {
			file := billtest.Samples(t, "gcp/google_cuds_attribution/test_9_1/export.json")
			return file, standardSchema(t), sample(t, file)
		},
		"machine": func(t *testing.T) (string, []billtest.Field, billtest.Rows) {
			return "", detailedSchema, machineRows(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			original, schema, rows := read(t)
			var want *billtest.Result
			if original != "" { // it must read the same, too
				want = mustRead(t, original)
			}
			encodings := billtest.Encodings
			if len(rows) > 100 {
				encodings = []string{"lines.json", "deflate.avro", "nested.parquet"}
			}
			for _, encoding := range encodings {
				path := filepath.Join(t.TempDir(), encoding)
				billtest.Put(t, path, billtest.Encode(t, encoding, schema, rows))
				got := mustRead(t, path)
				if want == nil {
					want = got
				}
				same(t, encoding, want, got)
			}
		})
	}
}

func standardSchema(t *testing.T) []billtest.Field {
	t.Helper()
	text, err := os.ReadFile(billtest.Samples(t, "gcp/google_cuds_attribution/billing_export_schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []billtest.Field
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func mustRead(t *testing.T, paths ...string) *billtest.Result {
	t.Helper()
	r, err := tryRead(t, paths...)
	if err != nil {
		t.Fatal(err)
	}
	if r.Tally.RejectedRows() > 0 {
		t.Fatalf("rejected: %+v", r.Tally.First)
	}
	r.Check(t)
	return r
}

// same compares two readings, except for file names and lines.
func same(t *testing.T, what string, want, got *billtest.Result) {
	t.Helper()
	if len(want.Deliveries) != len(got.Deliveries) {
		t.Fatalf("%s: %d deliveries, want %d", what, len(got.Deliveries), len(want.Deliveries))
	}
	for slot := range want.Deliveries {
		a, b := &want.Deliveries[slot], &got.Deliveries[slot]
		if a.Digest != b.Digest || a.ID != b.ID || a.Partition != b.Partition || a.Dataset != b.Dataset {
			t.Fatalf("%s: delivery %s %s differs from %s %s", what, b.Dataset, b.Partition, a.Dataset, a.Partition)
		}
		charges := map[ledger.ID]string{}
		for i := range want.Charges[slot] {
			c := &want.Charges[slot][i]
			charges[c.ID] = shown(c)
		}
		for i := range got.Charges[slot] {
			c := &got.Charges[slot][i]
			if text := shown(c); charges[c.ID] != text {
				t.Fatalf("%s:\n%s\nwant\n%s", what, text, charges[c.ID])
			}
		}
	}
}

func shown(c *ledger.Charge) string {
	plain := *c
	plain.SourceFile, plain.Line = "", 0
	text, err := json.Marshal(plain)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func text(a *money.Amount) string {
	if a == nil {
		return "null"
	}
	return a.String()
}
