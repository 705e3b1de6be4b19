package outgoing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"gpuledger/internal/blob"
	"gpuledger/internal/export"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// costOf is a row of costs of a day.
type costOf struct{ day, cause, cost string }

// books answers costs by month and cause.
type books struct {
	costs   map[period.Month][]costOf
	version string
	asked   int
	broken  error // ends every answer
}

func (b *books) Version(context.Context) (metrics.Version, error) {
	return metrics.Version{Tag: b.version}, nil
}

type brokenRows struct {
	metrics.Rows
	err error
}

func (r brokenRows) Err() error { return r.err }

func (b *books) Query(_ context.Context, q metrics.Query) (metrics.Rows, error) {
	var rows [][]metrics.Value
	add := func(given map[string]string) {
		var row []metrics.Value
		for _, c := range q.Columns() {
			v := metrics.Value{Valid: given[c.Name] != "", Text: given[c.Name]}
			if v.Valid && c.Kind == metrics.Time {
				at, err := time.Parse("2006-01-02", v.Text)
				if err != nil {
					panic(err)
				}
				v = metrics.Value{Valid: true, Time: at}
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	if q.Dataset.Name == "periods" {
		for m := range b.costs {
			add(map[string]string{"billing_account": "1", "billing_period": string(m), "currency": "USD"})
		}
		return metrics.NewSliceRows(q.Columns(), rows), nil
	}
	b.asked++
	if q.Order[0].Column != "period_start" {
		return nil, fmt.Errorf("rows of one day are not consecutive: ordered by %v", q.Order)
	}
	for _, c := range b.costs[q.BillingPeriod] {
		add(map[string]string{"period_start": c.day, "cause": c.cause, "currency": "USD", "effective_cost": c.cost})
	}
	if b.broken != nil {
		return brokenRows{metrics.NewSliceRows(q.Columns(), rows), b.broken}, nil
	}
	return metrics.NewSliceRows(q.Columns(), rows), nil
}

func october() *books {
	return &books{version: "1", costs: map[period.Month][]costOf{"2026-10": {
		{"2026-10-01", "used", "1.5"}, {"2026-10-01", "free", "2"}, {"2026-10-02", "used", "0.25"}, {"", "=cmd", "-3"},
	}}}
}

func question(f export.Format) Question {
	return Question{Dataset: "costs", Month: "2026-10", Format: f,
		Options: metrics.Options{GroupBy: "cause", Granularity: "day"}}
}

// target is a local folder; seen are its files, with a failure on the first write whose name has refuse in it.
type target struct {
	blob.Folder
	dir    string
	refuse string
	puts   []string
}

var errFull = errors.New("the disk is full")

func (f *target) Put(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	if f.refuse != "" && strings.Contains(name, f.refuse) {
		return errFull
	}
	f.puts = append(f.puts, name)
	return f.Folder.Put(ctx, name, content, size)
}

func (f *target) Sub(name string) blob.Folder {
	return &target{Folder: f.Folder.Sub(name), dir: filepath.Join(f.dir, name)}
}

func newTarget(t *testing.T) *target {
	t.Helper()
	dir := t.TempDir()
	f, err := blob.Stores{}.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &target{Folder: f, dir: dir}
}

// check compares the folder with its manifest: the same files, with these digests and numbers of rows.
func check(t *testing.T, dir string) *Manifest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	var there, named []string
	err = filepath.WalkDir(dir, func(at string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != ManifestName {
			name, _ := filepath.Rel(dir, at)
			there = append(there, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := int64(0)
	for _, f := range m.Files {
		named = append(named, f.Path)
		content, err := os.ReadFile(filepath.Join(dir, f.Path))
		sum := sha256.Sum256(content)
		if err != nil || hex.EncodeToString(sum[:]) != f.SHA256 || int64(len(content)) != f.Bytes {
			t.Errorf("%s: digest or size differ, %v", f.Path, err)
		}
		rows += f.Rows
		if m.Format == export.CSV {
			list, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
			if err != nil || int64(len(list)-1) != f.Rows {
				t.Errorf("%s has %d rows, %v", f.Path, len(list)-1, err)
			}
		}
	}
	slices.Sort(there)
	slices.Sort(named)
	if !reflect.DeepEqual(there, named) || rows != m.Rows {
		t.Errorf("files %v, manifest %v; %d rows of %d", there, named, rows, m.Rows)
	}
	return &m
}

func exported(t *testing.T, e *Exporter, q Question, to blob.Folder, floor ...export.Type) *Outcome {
	t.Helper()
	out, err := e.Export(t.Context(), q, to, floor)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheSameExportAgainWritesNothing(t *testing.T) {
	for _, f := range Formats {
		b, to := october(), newTarget(t)
		e := &Exporter{From: b}
		first := exported(t, e, question(f), to)
		m := check(t, to.dir)
		if first.Written != 1 || m.Rows != 4 || m.Dataset != "costs" || m.BillingPeriod != "2026-10" || m.ChosenBy != ByInvoice {
			t.Errorf("%s: %+v, %+v", f, first.Totals, m)
		}
		to.puts = nil
		again := exported(t, e, question(f), to)
		b.version = "2" // the ledger changed elsewhere
		other := exported(t, e, question(f), to)
		if again.Written+other.Written != 0 || again.Kept != 1 || other.Kept != 1 || b.asked != 2 ||
			!reflect.DeepEqual(to.puts, []string{ManifestName}) || !reflect.DeepEqual(check(t, to.dir).Files, m.Files) {
			t.Errorf("%s: %+v, %+v after %d questions writes %v", f, again.Totals, other.Totals, b.asked, to.puts)
		}
	}
}

// Only days with other content are written; what nothing names any more goes, other files stay.
func TestOnlyChangesAreWritten(t *testing.T) {
	b, to := october(), newTarget(t)
	e := &Exporter{From: b, large: 2}
	if out := exported(t, e, question(export.CSV), to); out.Written != 3 {
		t.Errorf("%+v", out.Totals)
	}
	m := check(t, to.dir)
	if !reflect.DeepEqual(m.Partitions, []string{Partition}) || !strings.HasPrefix(m.Files[0].Path, "service_date=2026-10-01/") ||
		!strings.HasPrefix(m.Files[2].Path, "service_date=__HIVE_DEFAULT_PARTITION__/") {
		t.Errorf("%+v", m)
	}
	if err := to.Folder.Put(t.Context(), "notes.txt", strings.NewReader("mine"), 4); err != nil {
		t.Fatal(err)
	}
	b.version, b.costs["2026-10"][2].cost = "2", "0.5"
	to.puts = nil
	if out := exported(t, e, question(export.CSV), to); out.Written != 1 || out.Kept != 2 || out.Removed != 1 {
		t.Errorf("%+v", out.Totals)
	}
	if len(to.puts) != 2 || to.puts[1] != ManifestName || !strings.HasPrefix(to.puts[0], "service_date=2026-10-02/") {
		t.Errorf("it writes %v", to.puts)
	}
	if err := to.Remove(t.Context(), "notes.txt"); err != nil {
		t.Fatal(err)
	}
	check(t, to.dir)
	if err := os.Remove(filepath.Join(to.dir, m.Files[0].Path)); err != nil { // somebody deletes a file
		t.Fatal(err)
	}
	if out := exported(t, e, question(export.CSV), to); out.Written != 1 {
		t.Errorf("%+v", out.Totals)
	}
	check(t, to.dir)
	e.most = 1 // files of one row
	b.version = "3"
	if out := exported(t, e, question(export.CSV), to); len(out.Manifest.Files) != 4 {
		t.Errorf("%+v", out.Manifest.Files)
	}
	check(t, to.dir)
}

// An interrupted export leaves the earlier one readable; the next continues with the files that are missing.
func TestAnInterruptedExportIsContinued(t *testing.T) {
	b, to := october(), newTarget(t)
	e := &Exporter{From: b, large: 2}
	exported(t, e, question(export.CSV), to)
	before := check(t, to.dir)
	for i := range b.costs["2026-10"] {
		b.costs["2026-10"][i].cost = "7"
	}
	b.version, to.refuse = "2", "2026-10-02"
	if _, err := e.Export(t.Context(), question(export.CSV), to, nil); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	for _, f := range before.Files { // the manifest is the earlier one, and all of its files are there
		content, err := os.ReadFile(filepath.Join(to.dir, f.Path))
		if sum := sha256.Sum256(content); err != nil || hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	to.refuse = ManifestName
	if _, err := e.Export(t.Context(), question(export.CSV), to, nil); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	to.refuse, to.puts = "", nil
	if out := exported(t, e, question(export.CSV), to); out.Written != 0 || out.Kept != 3 || out.Removed != 3 ||
		!reflect.DeepEqual(to.puts, []string{ManifestName}) {
		t.Errorf("%+v, %v", out.Totals, to.puts)
	}
	check(t, to.dir)
	b.version, b.broken = "3", errors.New("the database is away")
	if _, err := e.Export(t.Context(), question(export.CSV), to, nil); !errors.Is(err, b.broken) {
		t.Errorf("%v", err)
	}
	check(t, to.dir)
}

func column(m *Manifest, name string) export.Type {
	return m.Columns[slices.IndexFunc(m.Columns, func(c export.Type) bool { return c.Name == name })]
}

// A decimal has one type in all files. Later exports keep its digits; a value with more of them begins a new snapshot.
func TestTypesAreKeptOverExports(t *testing.T) {
	b, to := october(), newTarget(t)
	e := &Exporter{From: b, large: 2}
	step := func(cost string, scale, precision, snapshot, written int) {
		t.Helper()
		b.version += "x"
		b.costs["2026-10"][2].cost = cost
		out := exported(t, e, question(export.Parquet), to)
		m := check(t, to.dir)
		c := column(m, "effective_cost")
		if c.Type != "decimal" || *c.Scale != scale || *c.Precision != precision || m.Snapshot != snapshot ||
			out.Written != int64(written) {
			t.Errorf("%s: %s(%d, %d), snapshot %d, %d files written", cost, c.Type, *c.Precision, *c.Scale, m.Snapshot, out.Written)
		}
		for _, f := range m.Files {
			if got := decimalOf(t, filepath.Join(to.dir, f.Path), "effective_cost"); got != (arrow.Decimal128Type{
				Precision: int32(precision), Scale: int32(scale)}) {
				t.Errorf("%s: %v in %s", cost, got, f.Path)
			}
		}
	}
	step("0.25", 2, 3, 1, 3)
	step("0.5", 2, 3, 1, 1)   // fewer digits are enough, and the type stays
	step("0.125", 3, 4, 2, 3) // more digits: all files have the wider type
	step("1000", 3, 7, 3, 3)  // also before the point
	step("0.125", 3, 7, 3, 1) // and it stays
	if kept := column(check(t, to.dir), "billed_cost"); kept.Type != "decimal" || *kept.Scale != 0 {
		t.Errorf("a column without values is %+v", kept)
	}
}

func decimalOf(t *testing.T, path, name string) arrow.Decimal128Type {
	t.Helper()
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	i := table.Schema().FieldIndices(name)[0]
	for _, chunk := range table.Column(i).Data().Chunks() {
		if _, ok := chunk.(*array.Decimal128); !ok {
			t.Fatalf("%s is %s", name, chunk.DataType())
		}
	}
	return *table.Schema().Field(i).Type.(*arrow.Decimal128Type)
}

func TestFoldersOfAnotherExportAreRefused(t *testing.T) {
	to := newTarget(t)
	e := &Exporter{From: october()}
	exported(t, e, question(export.CSV), to)
	other := question(export.CSV)
	other.ForExcel = true
	if _, err := e.Export(t.Context(), other, to, nil); err == nil || !strings.Contains(err.Error(), "name another folder") {
		t.Errorf("%v", err)
	}
	if err := to.Folder.Put(t.Context(), ManifestName, strings.NewReader(`{"files": []}`), 13); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Export(t.Context(), other, to, nil); err == nil || !strings.Contains(err.Error(), "not a manifest of gpuledger") {
		t.Errorf("%v", err)
	}
}

// A CSV has texts as they are, unless it is made for Excel.
func TestFormulasAreNeutralisedForExcelOnly(t *testing.T) {
	for _, forExcel := range []bool{false, true} {
		q, to := question(export.CSV), newTarget(t)
		q.ForExcel = forExcel
		out := exported(t, &Exporter{From: october()}, q, to)
		text, err := os.ReadFile(filepath.Join(to.dir, out.Manifest.Files[0].Path))
		if err != nil || bytes.Contains(text, []byte("'=cmd")) != forExcel {
			t.Errorf("%v: %s %v", forExcel, text, err)
		}
	}
}

func TestAnEmptyMonthHasAFileWithAHeader(t *testing.T) {
	for _, f := range Formats {
		to := newTarget(t)
		out := exported(t, &Exporter{From: &books{}, large: 1}, question(f), to)
		if m := check(t, to.dir); out.Written != 1 || m.Rows != 0 || len(m.Columns) == 0 {
			t.Errorf("%s: %+v", f, m)
		}
	}
}

// A schedule exports its newest months in their folders with one type each, and deletes those that it no longer keeps.
func TestMonthsOfASchedule(t *testing.T) {
	b, to := &books{version: "1", costs: map[period.Month][]costOf{}}, newTarget(t)
	e := &Exporter{From: b}
	s := Schedule{Dataset: "costs", Format: export.Parquet, Options: question("").Options, Months: 2, Keep: 3}
	run := func(month period.Month, cost string) Totals {
		t.Helper()
		b.version += "x"
		b.costs[month] = []costOf{{string(month) + "-01", "used", cost}}
		sum, err := e.Schedule(t.Context(), s, to, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	run("2026-07", "1.5")
	run("2026-08", "2")
	if sum := run("2026-09", "3"); sum.Written != 1 || sum.Kept != 1 {
		t.Errorf("%+v", sum)
	}
	// more digits: all months that are kept get them, and July, which is no longer kept, goes
	if sum := run("2026-10", "0.123"); sum.Written != 3 || sum.Removed != 3 {
		t.Errorf("%+v", sum)
	}
	entries, err := os.ReadDir(to.dir)
	if err != nil || len(entries) != 3 {
		t.Fatal(entries, err)
	}
	for i, want := range []string{"2026-08", "2026-09", "2026-10"} {
		m := check(t, filepath.Join(to.dir, entries[i].Name()))
		if c := column(m, "effective_cost"); entries[i].Name() != "billing_period="+want || *c.Scale != 3 {
			t.Errorf("%s: scale %d", entries[i].Name(), *c.Scale)
		}
	}
	if sum := run("2026-10", "0.123"); sum.Written != 0 || sum.Kept != 2 || sum.Removed != 0 {
		t.Errorf("nothing changed: %+v", sum)
	}
}
