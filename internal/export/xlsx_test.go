package export

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"gpuledger/metrics"
	"gpuledger/test/tier"
)

// opened reads a workbook with another library.
func opened(t *testing.T, data string) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestAWorkbookHasTheDigitsAndTexts(t *testing.T) {
	hostile := []string{"=1+1", "a<b>&\"c\"", "_x000B_", "bell\x07, tab\t, line\nend", " spaces ", "日本", "_x", ""}
	var rows [][]metrics.Value
	for _, s := range hostile {
		rows = append(rows, row(s, "-123456789012345678.123456789012"))
	}
	rows = append(rows, nulls())
	data := write(t, XLSX, Options{Dataset: "costs"}, rows...)
	if again := write(t, XLSX, Options{Dataset: "costs"}, rows...); again != data {
		t.Error("the same rows give other bytes")
	}
	f := opened(t, data)
	if got := f.GetSheetList(); !slices.Equal(got, []string{"costs", "columns"}) {
		t.Fatalf("sheets %v", got)
	}
	got, err := f.GetRows("costs", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) < len(hostile)+1 || len(got) > len(hostile)+2 { // a row without cells may be left out
		t.Fatalf("%d rows", len(got))
	}
	for i, want := range hostile {
		r := got[i+1]
		if r[0] != want || r[1] != "-123456789012345678.123456789012" || r[4] != "-3" || r[6] != "1" {
			t.Errorf("row %d: %q, want %q", i, r, want)
		}
	}
	if shown, err := f.GetCellValue("costs", "F2"); err != nil || shown != "2026-11-02 09:00:00" {
		t.Errorf("a time is shown as %q, %v", shown, err)
	}
	for cell, quoted := range map[string]bool{"A2": true, "A3": false} {
		id, err := f.GetCellStyle("costs", cell)
		if err != nil || (id == styleQuoted) != quoted {
			t.Errorf("%s has style %d, %v: quoted %v is wanted", cell, id, err, quoted)
		}
	}
	if kind, err := f.GetCellType("costs", "B2"); err != nil || kind == excelize.CellTypeInlineString {
		t.Errorf("an amount is no number: %v, %v", kind, err)
	}
}

func TestAWorkbookWithoutRowsHasItsHeader(t *testing.T) {
	f := opened(t, write(t, XLSX, Options{Dataset: "runs"}))
	if got, err := f.GetRows("runs"); err != nil || len(got) != 1 || got[0][1] != "cost" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestRowsBeyondASheetGoOnInTheNext(t *testing.T) {
	tier.OnlyInFull(t, "the other tests write the first sheet; this one has a million rows")
	one := []metrics.Column{{Name: "n", Kind: metrics.Count}}
	rows := make([][]metrics.Value, sheetRows)
	for i := range rows {
		rows[i] = []metrics.Value{{Valid: true, Int: int64(i)}}
	}
	var b bytes.Buffer
	if _, err := Write(&b, XLSX, metrics.NewSliceRows(one, rows), Options{Dataset: "usage"}); err != nil {
		t.Fatal(err)
	}
	f := opened(t, b.String())
	if got := f.GetSheetList(); !slices.Equal(got, []string{"usage", "usage 2", "columns"}) {
		t.Fatalf("sheets %v", got)
	}
	if got, err := f.GetRows("usage 2"); err != nil || len(got) != 2 || got[1][0] != "1048575" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestSerialDates(t *testing.T) {
	for at, want := range map[time.Time]string{ // 1900-03-01 is day 61, as in Excel
		time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC):             "61",
		time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC):           "46328.5",
		time.Date(2026, 11, 2, 23, 59, 59, 999999000, time.UTC): "46328.999999999988",
	} {
		if got := serial(at); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}

func TestColumnsOfASheet(t *testing.T) {
	names := make([]metrics.Column, 800)
	values := make([]metrics.Value, len(names))
	for i := range names {
		names[i], values[i] = metrics.Column{Name: "n", Kind: metrics.Count}, metrics.Value{Valid: true, Int: int64(i)}
	}
	var b bytes.Buffer
	rows := metrics.NewSliceRows(names, [][]metrics.Value{values})
	if _, err := Write(&b, XLSX, rows, Options{Dataset: "x"}); err != nil {
		t.Fatal(err)
	}
	f := opened(t, b.String())
	for cell, want := range map[string]string{"Z2": "25", "AA2": "26", "ZZ2": "701", "AAA2": "702", "ADT2": "799"} {
		if got, err := f.GetCellValue("x", cell); err != nil || got != want {
			t.Errorf("%s: %s, %v", cell, got, err)
		}
	}
}
