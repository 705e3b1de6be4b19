package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/money"
	"gpuledger/metrics"
)

var columns = []metrics.Column{
	{Name: "name", Kind: metrics.Text}, {Name: "cost", Kind: metrics.Money, Unit: "currency"},
	{Name: "hours", Kind: metrics.Quantity, Unit: "GPU-hours"},
	{Name: "ratio", Kind: metrics.Ratio}, {Name: "n", Kind: metrics.Count},
	{Name: "at", Kind: metrics.Time}, {Name: "held", Kind: metrics.Bool}, {Name: "id", Kind: metrics.ID},
}

func text(s string) metrics.Value { return metrics.Value{Valid: true, Text: s} }

func row(name, cost string) []metrics.Value {
	return []metrics.Value{text(name), text(cost), text("0.142857142857"), text("0.333333333333"), {Valid: true, Int: -3},
		{Valid: true, Time: time.Date(2026, 11, 2, 10, 0, 0, 0, time.FixedZone("", 3600))},
		{Valid: true, Bool: true}, text(strings.Repeat("0f", 16))}
}

func nulls() []metrics.Value { return make([]metrics.Value, len(columns)) }

func write(t testing.TB, f Format, o Options, rows ...[]metrics.Value) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := Write(&b, f, metrics.NewSliceRows(columns, rows), o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCSV(t *testing.T) {
	if got := write(t, CSV, Options{}, row("=1", "1")); !strings.Contains(got, "\r\n=1,1,") {
		t.Errorf("CSV for programs changes a text: %s", got)
	}
	got := write(t, CSV, Options{ForExcel: true},
		row(`=cmd|'/c calc'!A1`, "-12.5"), row("a,\"b\"\nc", "0"), row("", "1"), nulls())
	want := "name,cost,hours,ratio,n,at,held,id\r\n" +
		"'=cmd|'/c calc'!A1,-12.5,0.142857142857,0.333333333333,-3,2026-11-02T09:00:00Z,true," + strings.Repeat("0f", 16) +
		"\r\n" +
		"\"a,\"\"b\"\"\nc\",0,0.142857142857,0.333333333333,-3,2026-11-02T09:00:00Z,true," + strings.Repeat("0f", 16) +
		"\r\n" +
		"\"\",1,0.142857142857,0.333333333333,-3,2026-11-02T09:00:00Z,true," + strings.Repeat("0f", 16) + "\r\n" +
		",,,,,,,\r\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for in, want := range map[string]string{
		"=1": "'=1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\tx": "'\tx", "\rx": "'\rx", "a=1": "a=1", "": "", "'=1": "'=1",
	} {
		if got := Neutralise(in); got != want {
			t.Errorf("Neutralise(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	got := write(t, JSON, Options{Dataset: "runs", Rows: 1,
		Meta: func(n int, more bool) any { return map[string]any{"n": n, "more": more} }},
		row("a\"<b>\u2028", "1.5"), row("never", "1"))
	var doc struct {
		Data []map[string]any `json:"data"`
		Meta map[string]any   `json:"meta"`
	}
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	want := map[string]any{"name": "a\"<b>\u2028", "cost": "1.5", "hours": "0.142857142857", "ratio": "0.333333333333",
		"n":  -3.0,
		"at": "2026-11-02T09:00:00Z", "held": true, "id": strings.Repeat("0f", 16)}
	if d := cmp.Diff([]map[string]any{want}, doc.Data); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if doc.Meta["more"] != true || doc.Meta["n"] != 1.0 {
		t.Errorf("meta %v", doc.Meta)
	}
	const empty = "{\"data\":[\n],\"meta\":{\"dataset\":\"runs\",\"rows\":0}}\n"
	if got := write(t, JSON, Options{Dataset: "runs"}); got != empty {
		t.Errorf("no rows: %q", got)
	}
	if got := write(t, JSON, Options{}, nulls()); !strings.Contains(got, `"cost":null`) {
		t.Errorf("NULL is not null: %s", got)
	}
}

func TestTable(t *testing.T) {
	got := write(t, Table, Options{}, row("a\x1b[2Jb", "1234.565"), row("long "+strings.Repeat("x", 100), "-0.005"))
	lines := strings.Split(got, "\n")
	if !strings.Contains(lines[1], `a\u001b[2Jb`) || !strings.Contains(lines[1], "1234.57") ||
		!strings.Contains(lines[2], "…") || !strings.Contains(lines[2], " -0.01") {
		t.Errorf("\n%s", got)
	}
	if wide := write(t, Table, Options{Screen: Screen{Wide: true}},
		row("long "+strings.Repeat("x", 100), "1")); !strings.Contains(wide, strings.Repeat("x", 100)) {
		t.Errorf("a wide table cuts\n%s", wide)
	}
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"0.5", 0, "1"}, {"1.5", 0, "2"}, {"-1.25", 1, "-1.3"}, {"0.075", 2, "0.08"}, {"999.999", 2, "1000.00"},
		{"-0.001", 2, "0.00"}, {"-0.005", 2, "-0.01"}, {"3", 2, "3.00"}, {"x", 2, "x"}} {
		if got := rounded(c.in, c.n); got != c.want {
			t.Errorf("rounded(%s, %d) = %s, want %s", c.in, c.n, got, c.want)
		}
	}
}

// decimalColumn reads a decimal column of a record batch as text.
func decimalColumn(t testing.TB, rec arrow.RecordBatch, col int) []string {
	t.Helper()
	arr, ok := rec.Column(col).(*array.Decimal128)
	if !ok {
		t.Fatalf("column %d is %T", col, rec.Column(col))
	}
	scale := arr.DataType().(*arrow.Decimal128Type).Scale
	var out []string
	for i := range arr.Len() {
		if arr.IsNull(i) {
			out = append(out, "")
			continue
		}
		a, err := money.Parse(arr.Value(i).BigInt().String() + "e-" + big.NewInt(int64(scale)).String())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a.String())
	}
	return out
}

func parquetCosts(t testing.TB, data string) []string {
	t.Helper()
	pq, err := file.NewParquetReader(bytes.NewReader([]byte(data)))
	if err != nil {
		t.Fatal(err)
	}
	defer pq.Close()
	r, err := pqarrow.NewFileReader(pq, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	rr, err := r.GetRecordReader(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rr.Release()
	var out []string
	for rr.Next() {
		out = append(out, decimalColumn(t, rr.RecordBatch(), 1)...)
	}
	if err := rr.Err(); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return out
}

func TestExactFormatsCarryTheSameDigits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(rt, "rows")
		var rows [][]metrics.Value
		var want []string
		for range n {
			if rapid.IntRange(0, 9).Draw(rt, "null") == 0 {
				rows, want = append(rows, nulls()), append(want, "")
				continue
			}
			coef := big.NewInt(rapid.Int64().Draw(rt, "coef"))
			a, err := money.Parse(coef.String() + "e-" + big.NewInt(int64(rapid.IntRange(0, 19).Draw(rt, "scale"))).String())
			if err != nil {
				rt.Fatal(err)
			}
			rows, want = append(rows, row("x", a.String())), append(want, a.String())
		}
		var fromCSV, fromJSON, fromArrow []string
		records, err := csv.NewReader(strings.NewReader(write(t, CSV, Options{}, rows...))).ReadAll()
		if err != nil {
			rt.Fatal(err)
		}
		for _, rec := range records[1:] {
			fromCSV = append(fromCSV, rec[1])
		}
		var doc struct{ Data []struct{ Cost *string } }
		if err := json.Unmarshal([]byte(write(t, JSON, Options{}, rows...)), &doc); err != nil {
			rt.Fatal(err)
		}
		for _, r := range doc.Data {
			if r.Cost == nil {
				fromJSON = append(fromJSON, "")
			} else {
				fromJSON = append(fromJSON, *r.Cost)
			}
		}
		ar, err := ipc.NewReader(strings.NewReader(write(t, Arrow, Options{}, rows...)))
		if err != nil {
			rt.Fatal(err)
		}
		for ar.Next() {
			fromArrow = append(fromArrow, decimalColumn(t, ar.RecordBatch(), 1)...)
		}
		for name, got := range map[string][]string{
			"csv": fromCSV, "json": fromJSON, "arrow": fromArrow,
			"parquet": parquetCosts(t, write(t, Parquet, Options{}, rows...)),
		} {
			if d := cmp.Diff(want, got); d != "" {
				rt.Fatalf("%s (-want +got):\n%s", name, d)
			}
		}
	})
}

// decimalType is the type of the column cost in Arrow's schema of rows.
func decimalType(t testing.TB, rows ...[]metrics.Value) (typ arrow.DataType, said arrow.Metadata) {
	t.Helper()
	r, err := ipc.NewReader(strings.NewReader(write(t, Arrow, Options{}, rows...)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	return r.Schema().Field(1).Type, r.Schema().Field(1).Metadata
}

func TestDecimalsAreNoWiderThanTheirDigits(t *testing.T) {
	for _, c := range []struct {
		costs []string
		want  string
	}{
		{[]string{"0"}, "decimal(1, 0)"},
		{[]string{"12.5", "-0.25"}, "decimal(4, 2)"},
		{[]string{"119537529782272", "0.0833333333333333"}, "decimal(31, 16)"},
		{[]string{"9999999999.9999999999999999999999999999"}, "decimal(38, 28)"},
		{[]string{"10000000000", "0.0000000000000000000000000001"}, "utf8"}, // 39 digits
		{[]string{"0.000000000000000000000000000000000000001"}, "utf8"},
	} {
		var rows [][]metrics.Value
		for _, cost := range c.costs {
			rows = append(rows, row("x", cost))
		}
		got, said := decimalType(t, rows...)
		if got.String() != c.want {
			t.Errorf("%v: %s, want %s", c.costs, got, c.want)
		}
		if _, text := said.GetValue("text"); text != (c.want == "utf8") {
			t.Errorf("%v: the metadata says %v", c.costs, said)
		}
	}
	if got := parquetTexts(t, row("x", "10000000000"), row("x", "-0.0000000000000000000000000001")); !slices.Equal(got,
		[]string{"10000000000", "-0.0000000000000000000000000001"}) {
		t.Errorf("as text: %v", got)
	}
}

func TestALongAnswerGoesOnInAFile(t *testing.T) {
	var rows [][]metrics.Value
	for i := range 500 {
		rows = append(rows, row(strings.Repeat("x", i%7), strconv.Itoa(i)+".5"), nulls())
	}
	for _, most := range []int{0, 1000, 1 << 20} {
		s, err := newSpool(metrics.NewSliceRows(columns, rows), most)
		if err != nil {
			t.Fatal(err)
		}
		if (s.file != nil) != (most < 1<<20) {
			t.Errorf("with %d bytes of memory: file %v", most, s.file)
		}
		for pass := range 2 { // it can be read again
			n := 0
			err = s.read(func(col int, c *spooled) error {
				if want := int64(n/2*10) + 5; col == 1 && n%2 == 0 && (c.tag != cellSmall || c.num != want || c.scale != 1) {
					t.Fatalf("most %d, pass %d, row %d: %+v, want %d", most, pass, n, c, want)
				}
				if col == len(columns)-1 {
					n++
				}
				return nil
			})
			if err != nil || n != len(rows) {
				t.Errorf("%d rows, %v", n, err)
			}
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

// parquetTexts are the values of the column cost where it is text.
func parquetTexts(t testing.TB, rows ...[]metrics.Value) (out []string) {
	t.Helper()
	pq, err := file.NewParquetReader(bytes.NewReader([]byte(write(t, Parquet, Options{}, rows...))))
	if err != nil {
		t.Fatal(err)
	}
	defer pq.Close()
	r, err := pqarrow.NewFileReader(pq, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	for _, chunk := range table.Column(1).Data().Chunks() {
		texts := chunk.(*array.String)
		for i := range texts.Len() {
			out = append(out, texts.Value(i))
		}
	}
	return out
}

// broken ends with an error after some rows.
type broken struct{ *metrics.SliceRows }

func (broken) Err() error { return errors.New("connection lost") }

func TestErrorsOfRowsReachTheCaller(t *testing.T) {
	for _, f := range Formats {
		_, err := Write(io.Discard, f, broken{metrics.NewSliceRows(columns, [][]metrics.Value{row("x", "1")})}, Options{})
		if err == nil || !strings.Contains(err.Error(), "connection lost") {
			t.Errorf("%s: %v", f, err)
		}
	}
}
