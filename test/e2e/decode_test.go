package e2e

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// null is a cell without a value: no text of any format can equal it.
const null = "\x00"

// answer is a decoded answer: cells as text, column by name.
type answer struct {
	columns []string
	rows    [][]string
}

func (a *answer) column(t testing.TB, name string) int {
	t.Helper()
	for i, c := range a.columns {
		if c == name {
			return i
		}
	}
	t.Fatalf("no column %s among %v", name, a.columns)
	return -1
}

// decodeCSV reads a CSV answer; its empty cells stay empty.
func decodeCSV(t testing.TB, text string) *answer {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(records) == 0 {
		t.Fatalf("no CSV: %v", err)
	}
	return &answer{records[0], records[1:]}
}

// decodeJSON reads a page of JSON in the order of its first row.
func decodeJSON(t testing.TB, text string) (a *answer, cursor string) {
	t.Helper()
	var page struct {
		Data []json.RawMessage
		Meta struct {
			Rows   int
			Cursor string `json:"next_cursor"`
		}
	}
	if err := json.Unmarshal([]byte(text), &page); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, clip(text))
	}
	if page.Meta.Rows != len(page.Data) {
		t.Errorf("meta says %d rows, there are %d", page.Meta.Rows, len(page.Data))
	}
	a = &answer{}
	for n, raw := range page.Data {
		columns, cells := decodeObject(t, raw)
		if n == 0 {
			a.columns = columns
		}
		if strings.Join(columns, ",") != strings.Join(a.columns, ",") {
			t.Fatalf("row %d has the columns %v, the first %v", n, columns, a.columns)
		}
		a.rows = append(a.rows, cells)
	}
	return a, page.Meta.Cursor
}

// decodeObject reads a flat object and keeps its order and digits.
func decodeObject(t testing.TB, raw []byte) (names, cells []string) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	next := func() json.Token {
		token, err := dec.Token()
		if err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		return token
	}
	next() // {
	for dec.More() {
		names = append(names, fmt.Sprint(next()))
		switch v := next().(type) {
		case nil:
			cells = append(cells, null)
		case string, json.Number, bool:
			cells = append(cells, fmt.Sprint(v))
		default:
			t.Fatalf("%s is no plain value: %s", names[len(names)-1], raw)
		}
	}
	return names, cells
}

// decodeArrow reads an IPC stream.
func decodeArrow(t testing.TB, text string) *answer {
	t.Helper()
	r, err := ipc.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal("no Arrow stream: ", err)
	}
	defer r.Release()
	a := &answer{columns: fieldNames(r.Schema())}
	for r.Next() {
		a.add(t, r.RecordBatch())
	}
	if r.Err() != nil {
		t.Fatal("Arrow stream: ", r.Err())
	}
	return a
}

// decodeParquet reads a Parquet file.
func decodeParquet(t testing.TB, text string) *answer {
	t.Helper()
	f, err := file.NewParquetReader(strings.NewReader(text))
	if err != nil {
		t.Fatal("no Parquet: ", err)
	}
	defer f.Close()
	fr, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: 4096}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := fr.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	r := array.NewTableReader(table, 4096)
	defer r.Release()
	a := &answer{columns: fieldNames(r.Schema())}
	for r.Next() {
		a.add(t, r.RecordBatch())
	}
	return a
}

func fieldNames(s *arrow.Schema) []string {
	var names []string
	for _, f := range s.Fields() {
		names = append(names, f.Name)
	}
	return names
}

func (a *answer) add(t testing.TB, rec arrow.RecordBatch) {
	t.Helper()
	for n := range int(rec.NumRows()) {
		row := make([]string, rec.NumCols())
		for i := range row {
			row[i] = arrowCell(t, rec.Column(i), n)
		}
		a.rows = append(a.rows, row)
	}
}

// arrowCell writes a cell in the form of JSON and CSV.
func arrowCell(t testing.TB, col arrow.Array, n int) string {
	t.Helper()
	if col.IsNull(n) {
		return null
	}
	switch col := col.(type) {
	case *array.Decimal128:
		text := col.Value(n).ToString(col.DataType().(*arrow.Decimal128Type).Scale)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text
	case *array.Timestamp:
		return time.UnixMicro(int64(col.Value(n))).UTC().Format(time.RFC3339Nano)
	case *array.String, *array.Int64, *array.Boolean:
		return col.ValueStr(n)
	}
	t.Fatalf("cells of type %s are not expected", col.DataType())
	return ""
}

// total is Σ of a decimal column; nil when no cell is known.
func (a *answer) total(t testing.TB, name string, keep func(row []string) bool) *big.Rat {
	t.Helper()
	i := a.column(t, name)
	var sum *big.Rat
	for _, row := range a.rows {
		if row[i] == null || row[i] == "" || keep != nil && !keep(row) {
			continue
		}
		v, ok := new(big.Rat).SetString(row[i])
		if !ok {
			t.Fatalf("%s is %q, no number", name, row[i])
		}
		if sum == nil {
			sum = new(big.Rat)
		}
		sum.Add(sum, v)
	}
	return sum
}

func sameNumber(a, b *big.Rat) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(b) == 0
}

func digits(a *big.Rat) string {
	if a == nil {
		return "unknown"
	}
	return a.FloatString(30)
}
