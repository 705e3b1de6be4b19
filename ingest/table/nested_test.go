package table_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/billtest"
)

var nestedSchema = []billtest.Field{
	{Name: "name", Type: "STRING"}, {Name: "n", Type: "INTEGER"}, {Name: "cost", Type: "FLOAT"},
	{Name: "price", Type: "NUMERIC"}, {Name: "at", Type: "TIMESTAMP"}, {Name: "yes", Type: "BOOLEAN"},
	{Name: "outer", Type: "RECORD", Fields: []billtest.Field{
		{Name: "id", Type: "STRING"},
		{
			Name: "inner", Type: "RECORD",
			Fields: []billtest.Field{{Name: "x", Type: "NUMERIC"}, {Name: "words", Type: "STRING", Mode: "REPEATED"}},
		},
		{
			Name: "list", Type: "RECORD", Mode: "REPEATED",
			Fields: []billtest.Field{{Name: "k", Type: "STRING"}, {Name: "a", Type: "FLOAT"}, {Name: "when", Type: "TIMESTAMP"}},
		},
	}},
}

const nestedRows = `
{"name":"a","n":7,"cost":0.1,"price":"1.250000000","at":"2026-11-02T10:00:00.25Z","yes":true,"outer":{"id":"i","inner":{"x":"-0.000000001","words":["p","q \" é"]},"list":[{"k":"x","a":-40},{"k":"y","when":"2026-01-01T00:00:00Z"}]}}
{"name":"b","outer":{"inner":{"words":[]},"list":[]}}
{"name":"c","outer":null,"cost":1e-7}
{"name":"d","outer":{"id":"z","inner":null},"cost":-0.0,"price":"123456789012345678901234567.89","n":-9007199254740993}
`

// The rows read the same from every encoding.
func TestEveryEncodingReadsTheSame(t *testing.T) {
	rows := billtest.ParseRows(t, []byte(nestedRows))
	want := []string{
		`1: at=2026-11-02T10:00:00.25Z cost=0.1 n=7 name=a outer.id=i outer.inner.words=["p","q \" é"] outer.inner.x=-0.000000001 outer.list=[{"a":-40,"k":"x"},{"k":"y","when":"2026-01-01T00:00:00Z"}] price=1.25 yes=true`,
		`2: name=b`,
		`3: cost=0.0000001 name=c`,
		`4: cost=0 n=-9007199254740993 name=d outer.id=z price=123456789012345678901234567.89`,
	}
	for _, encoding := range billtest.Encodings {
		if strings.HasSuffix(encoding, ".json") {
			continue // numbers stay as they are written there
		}
		got, err := cells(t, encoding, billtest.Encode(t, encoding, nestedSchema, rows), table.Options{})
		if err != nil {
			t.Fatalf("%s: %v", encoding, err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s:\n%s\nwant\n%s", encoding, got[i], want[i])
			}
		}
	}
}

// Values are typed alike, and columns that are not selected read as null.
func TestSelectedCells(t *testing.T) {
	rows := billtest.ParseRows(t, []byte(nestedRows))
	for _, encoding := range billtest.Encodings {
		tb, err := open(t, encoding, billtest.Encode(t, encoding, nestedSchema, rows), table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]int{}
		for i, n := range tb.Names() {
			at[n] = i
		}
		tb.Select([]int{at["at"], at["outer.inner.x"], at["price"]})
		n := 0
		err = tb.Each(context.Background(), func(r table.Row) error {
			if n++; n > 1 {
				return nil
			}
			when, ok, err := r.Instant(at["at"])
			x, okX, errX := r.Number(at["outer.inner.x"])
			price, _, errP := r.Number(at["price"])
			if !ok || !okX || err != nil || errX != nil || errP != nil || when != period.Second(1793613600) ||
				x.String() != "-0.000000001" || price.String() != "1.25" {
				t.Errorf("%s: %v %v %v (%v %v %v)", encoding, when, x, price, err, errX, errP)
			}
			if r.Raw(at["name"])+r.Raw(at["outer.id"])+r.Raw(at["outer.list"]) != "" {
				t.Errorf("%s: columns that nobody asked for are there", encoding)
			}
			return nil
		})
		if err != nil || n != 4 {
			t.Errorf("%s: %d rows, %v", encoding, n, err)
		}
		if _, size, err := tb.Sum(); err != nil || size == 0 {
			t.Errorf("%s: %v", encoding, err)
		}
		if err := tb.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Damage never panics, and never looks like fewer rows.
func TestDamagedNestedFiles(t *testing.T) {
	rows := billtest.ParseRows(t, []byte(strings.Repeat(nestedRows, 12)))
	for _, encoding := range billtest.Encodings[3:] {
		good := billtest.Encode(t, encoding, nestedSchema, rows)
		for i := range 36 {
			bad := bytes.Clone(good)
			at := 4 + i*(len(bad)-8)/36
			switch i % 3 {
			case 0:
				bad = bad[:at]
			case 1:
				for j := at; j < min(at+6, len(bad)); j++ {
					bad[j] ^= 0xa5
				}
			default:
				bad = append(bad[:at], bad[min(at+9, len(bad)):]...)
			}
			got, err := cells(t, encoding, bad, table.Options{})
			if err == nil && len(got) != len(rows) {
				t.Errorf("%s, damage %d at %d: %d rows of %d", encoding, i%3, at, len(got), len(rows))
			}
			if err != nil && !strings.Contains(err.Error(), encoding) {
				t.Errorf("%s, damage at %d: %v does not name the file", encoding, at, err)
			}
		}
	}
}

func TestHostileAvro(t *testing.T) {
	rows := billtest.ParseRows(t, []byte(nestedRows))
	good := billtest.Encode(t, "null.avro", nestedSchema, rows)
	head, mark := "Obj\x01", strings.Repeat("s", 16)
	for name, c := range map[string]struct {
		content []byte
		reason  string
	}{
		"header alone":     {[]byte(head), "truncated file"},
		"long header":      {[]byte(head + "\xff\xff\xff\xff\x7f"), "truncated file"},
		"long key":         {[]byte(head + "\x02\xff\xff\xff\xff\x7f"), "broken avro"},
		"endless number":   {[]byte(head + strings.Repeat("\xff", 8<<10)), "broken avro"},
		"no schema":        {[]byte(head + "\x00" + mark), "broken avro"},
		"unknown codec":    {[]byte(head + "\x02\x14avro.codec\x08lzma\x00" + mark), "broken avro"},
		"rows of nothing":  {emptyRows(), "broken avro"},
		"cut":              {good[:len(good)-3], "truncated file"},
		"cut before a sum": {good[:len(good)-16], "truncated file"},
	} {
		_, err := cells(t, "f.avro", c.content, table.Options{})
		var fe *ledger.FileError
		if !errors.As(err, &fe) || fe.Reason != c.reason || !strings.Contains(fe.Detail, "byte") {
			t.Errorf("%s: %v, want %s", name, err, c.reason)
		}
	}
}

// emptyRows is a container whose rows take no bytes, so any number of them fits.
func emptyRows() []byte {
	schema := `{"type":"record","name":"r","fields":[]}`
	out := "Obj\x01\x02\x16avro.schema" + string(rune(2*len(schema))) + schema + "\x00" + strings.Repeat("s", 16)
	return []byte(out + "\xfe\xff\xff\xff\x0f\x00" + strings.Repeat("s", 16))
}

// FuzzAvro: for any bytes, no panic, and a bounded amount of data.
func FuzzAvro(f *testing.F) {
	rows := billtest.ParseRows(f, []byte(nestedRows))
	f.Add(billtest.Encode(f, "null.avro", nestedSchema, rows))
	f.Add(billtest.Encode(f, "deflate.avro", nestedSchema, rows[:1]))
	f.Add(billtest.Encode(f, "snappy.avro", nestedSchema, rows[1:]))
	f.Add(emptyRows())
	f.Fuzz(func(t *testing.T, content []byte) {
		if !bytes.HasPrefix(content, []byte("Obj\x01")) {
			return
		}
		fuzzRead(t, "f.avro", content)
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(nestedRows))
	f.Add([]byte("[{\"a\":[{\"b\":1e5}]},\n{\"a\":null}]"))
	f.Add([]byte(`{"a":{"b":"\u00e9"}}{"a":"x"}`))
	f.Fuzz(func(t *testing.T, content []byte) { fuzzRead(t, "f.json", content) })
}

func fuzzRead(t *testing.T, name string, content []byte) {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	file := blob.File{Name: name, Path: path, Size: int64(len(content))}
	if _, err := table.HeadNames(file, table.Options{}); err != nil {
		return
	}
	tb, err := table.Open(file, table.Options{})
	if err != nil {
		return
	}
	defer tb.Close()
	seen := map[string]bool{}
	for _, n := range tb.Names() {
		seen[n] = true
	}
	_ = tb.Each(context.Background(), func(r table.Row) error {
		for i := range tb.Names() {
			_ = r.Raw(i)
			_, _, _ = r.Number(i)
			_, _, _ = r.Instant(i)
			if _, err := table.ParseRecords(r.Raw(i)); err == nil {
				if _, err := table.AppendRecords(nil, r.Raw(i)); err != nil {
					t.Fatalf("%q is records and has no canonical form: %v", r.Raw(i), err)
				}
			}
		}
		return nil
	})
}
