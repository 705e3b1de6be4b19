package billtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/hamba/avro/v2"
	"github.com/hamba/avro/v2/ocf"
)

// Field is a field of a table schema, in BigQuery's JSON form.
type Field struct {
	Name   string  `json:"name"`
	Type   string  `json:"type"` // STRING, FLOAT, NUMERIC, INTEGER, BOOLEAN, TIMESTAMP, RECORD
	Mode   string  `json:"mode"` // REPEATED, or anything else for NULLABLE
	Fields []Field `json:"fields"`
}

// Rows are rows as JSON decodes them with numbers kept as text.
type Rows []map[string]any

// ParseRows reads JSON objects that follow each other.
func ParseRows(t testing.TB, text []byte) Rows {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var out Rows
	for d.More() {
		var row map[string]any
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

// Put writes a file below a folder of the test.
func Put(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Encodings are the file formats that Encode writes.
var Encodings = []string{
	"lines.json", "pretty.json", "list.json", "null.avro",
	"deflate.avro", "snappy.avro", "zstandard.avro", "nested.parquet",
}

// Encode writes rows in one of Encodings.
func Encode(t testing.TB, encoding string, schema []Field, rows Rows) []byte {
	t.Helper()
	switch layout, kind, _ := strings.Cut(encoding, "."); kind {
	case "json":
		return jsonText(t, layout, rows)
	case "avro":
		return avroBytes(t, layout, schema, rows)
	default:
		return parquetBytes(t, schema, rows)
	}
}

func jsonText(t testing.TB, layout string, rows Rows) []byte {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	var err error
	switch layout {
	case "list":
		err = e.Encode(rows)
	case "pretty":
		e.SetIndent("", "   ")
		fallthrough
	default:
		for _, row := range rows {
			if err == nil {
				err = e.Encode(row)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// avroType is a type in BigQuery's export form: everything may be null.
func avroType(f *Field, path string) any {
	var one any
	switch f.Type {
	case "FLOAT":
		one = "double"
	case "INTEGER":
		one = "long"
	case "BOOLEAN":
		one = "boolean"
	case "NUMERIC":
		one = map[string]any{"type": "bytes", "logicalType": "decimal", "precision": 38, "scale": 9}
	case "TIMESTAMP":
		one = map[string]any{"type": "long", "logicalType": "timestamp-micros"}
	case "RECORD":
		one = avroRecord(path, f.Fields)
	default:
		one = "string"
	}
	if f.Mode == "REPEATED" {
		return map[string]any{"type": "array", "items": one}
	}
	return []any{"null", one}
}

func avroRecord(path string, fields []Field) any {
	var list []any
	for i := range fields {
		list = append(list, map[string]any{"name": fields[i].Name, "type": avroType(&fields[i], path+"_"+fields[i].Name)})
	}
	return map[string]any{"type": "record", "name": path, "fields": list}
}

func avroBytes(t testing.TB, codec string, schema []Field, rows Rows) []byte {
	t.Helper()
	text, err := json.Marshal(avroRecord("Root", schema))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := ocf.NewEncoder(string(text), &out, ocf.WithCodec(ocf.CodecName(codec)), ocf.WithBlockLength(len(rows)/3+1),
		ocf.WithSchemaMarshaler(ocf.FullSchemaMarshaler),
		ocf.WithEncodingConfig(avro.Config{}.Freeze()))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Encode(avroMembers(t, schema, row, "Root")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func avroMembers(t testing.TB, fields []Field, row map[string]any, path string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for i := range fields {
		f := &fields[i]
		v := row[f.Name]
		at := path + "_" + f.Name
		if f.Mode == "REPEATED" {
			list := []any{}
			items, _ := v.([]any)
			for _, item := range items {
				list = append(list, avroValue(t, f, item, at))
			}
			out[f.Name] = list
			continue
		}
		if v == nil {
			out[f.Name] = nil
			continue
		}
		name := map[string]string{
			"FLOAT": "double", "INTEGER": "long", "BOOLEAN": "boolean",
			"NUMERIC": "bytes.decimal", "TIMESTAMP": "long.timestamp-micros", "RECORD": at,
		}[f.Type]
		if name == "" {
			name = "string"
		}
		out[f.Name] = map[string]any{name: avroValue(t, f, v, at)}
	}
	return out
}

func avroValue(t testing.TB, f *Field, v any, path string) any {
	t.Helper()
	text := fmt.Sprint(v)
	var err error
	switch f.Type {
	case "FLOAT":
		var x float64
		x, err = json.Number(text).Float64()
		v = x
	case "INTEGER":
		var x int64
		x, err = json.Number(text).Int64()
		v = x
	case "NUMERIC":
		x, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%s: %q is no number", path, text)
		}
		v = x
	case "TIMESTAMP":
		v = instant(t, text)
	case "RECORD":
		members, _ := v.(map[string]any)
		v = avroMembers(t, f.Fields, members, path)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02 15:04:05.999999999 MST", "2006-01-02 15:04:05.999999999Z07:00",
	} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	t.Fatalf("%q is no time", text)
	return time.Time{}
}

func arrowType(f *Field) arrow.DataType {
	var one arrow.DataType
	switch f.Type {
	case "FLOAT":
		one = arrow.PrimitiveTypes.Float64
	case "INTEGER":
		one = arrow.PrimitiveTypes.Int64
	case "BOOLEAN":
		one = arrow.FixedWidthTypes.Boolean
	case "NUMERIC":
		one = &arrow.Decimal128Type{Precision: 38, Scale: 9}
	case "TIMESTAMP":
		one = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	case "RECORD":
		one = arrow.StructOf(arrowFields(f.Fields)...)
	default:
		one = arrow.BinaryTypes.String
	}
	if f.Mode == "REPEATED" {
		return arrow.ListOf(one)
	}
	return one
}

func arrowFields(fields []Field) []arrow.Field {
	out := make([]arrow.Field, 0, len(fields))
	for i := range fields {
		out = append(out, arrow.Field{Name: fields[i].Name, Type: arrowType(&fields[i]), Nullable: true})
	}
	return out
}

// plain turns values into the types that the arrow builders read from JSON.
func plain(t testing.TB, fields []Field, row map[string]any) map[string]any {
	t.Helper()
	out := map[string]any{}
	one := func(f *Field, v any) any {
		switch f.Type {
		case "FLOAT", "INTEGER":
			return json.Number(fmt.Sprint(v))
		case "TIMESTAMP":
			return instant(t, fmt.Sprint(v)).Format("2006-01-02T15:04:05.999999Z")
		case "RECORD":
			members, _ := v.(map[string]any)
			return plain(t, f.Fields, members)
		case "STRING", "NUMERIC":
			return fmt.Sprint(v)
		}
		return v
	}
	for i := range fields {
		f := &fields[i]
		v, ok := row[f.Name]
		if !ok || v == nil {
			continue
		}
		if f.Mode != "REPEATED" {
			out[f.Name] = one(f, v)
			continue
		}
		list := []any{}
		items, _ := v.([]any)
		for _, item := range items {
			list = append(list, one(f, item))
		}
		out[f.Name] = list
	}
	return out
}

func parquetBytes(t testing.TB, schema []Field, rows Rows) []byte {
	t.Helper()
	flat := make([]map[string]any, 0, len(rows))
	for _, row := range rows {
		flat = append(flat, plain(t, schema, row))
	}
	text, err := json.Marshal(flat)
	if err != nil {
		t.Fatal(err)
	}
	as := arrow.NewSchema(arrowFields(schema), nil)
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, as, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(as, &out,
		parquet.NewWriterProperties(parquet.WithMaxRowGroupLength(int64(len(rows)/3+1))), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
