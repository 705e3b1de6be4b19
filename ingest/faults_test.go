package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// The tests of this file have the names of the catalogue of hostile billing
// files in docs: F01, F02 …

// refused imports files that must be refused with a text in the error, and
// must leave nothing behind.
func refused(t *testing.T, files map[string]string, want string) {
	t.Helper()
	m := newMemory()
	s, err := importer(m).Import(t.Context(), Request{Source: "aws-cur", URIs: []string{write(t, files)}})
	var re *RefusedError
	if err == nil || s == nil || !errors.As(err, &re) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if len(m.current) != 0 || m.open != 0 {
		t.Errorf("%d deliveries visible, %d stages open", len(m.current), m.open)
	}
}

// billed imports files and returns the number of lines and what they bill.
func billed(t *testing.T, files map[string]string) string {
	t.Helper()
	m := newMemory()
	s := mustImport(t, m, Request{Source: "aws-cur", URIs: []string{write(t, files)}, KeepEverything: true})
	out := fmt.Sprint(s.Accepted)
	for _, c := range s.ControlTotals {
		if c.Metric == "billed_cost" {
			out += " " + c.SourceTotal.String()
		}
	}
	return out
}

func twoRows() string { return cur(curRow(1, "55.04"), curRow(2, "0.06")) }

func TestF01SameRowsUnderOtherNamesAndCuts(t *testing.T) {
	m := newMemory()
	mustImport(t, m, Request{Source: "aws-cur", URIs: []string{write(t, map[string]string{"a.csv": twoRows()})}})
	for name, files := range map[string]map[string]string{
		"same file":     {"a.csv": twoRows()},
		"another name":  {"b.csv.gz": pack(t, twoRows())},
		"cut in two":    {"a.csv": cur(curRow(2, "0.06")), "b.csv": cur(curRow(1, "55.040"))},
		"another order": {"a.csv": cur(curRow(2, "0.06"), curRow(1, "55.04"))},
	} {
		s := mustImport(t, m, Request{Source: "aws-cur", URIs: []string{write(t, files)}})
		if !slices.Equal(states(s), []string{"unchanged"}) {
			t.Errorf("%s: %v", name, states(s))
		}
	}
}

func manyRows(n int) string {
	var b strings.Builder
	b.WriteString(curHeader)
	for i := range n {
		b.WriteString(curRow(i, fmt.Sprintf("%d.%02d", i%90, i%100)))
	}
	return b.String()
}

func TestF02TruncatedGzip(t *testing.T) {
	whole := pack(t, manyRows(3000))
	r := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		cut := 1 + r.IntN(len(whole)-1)
		refused(t, map[string]string{"bill.csv.gz": whole[:cut]}, "bill.csv.gz")
	}
}

func TestF03DamagedAndRepeatedMembers(t *testing.T) {
	whole := pack(t, twoRows())
	badCRC := []byte(whole)
	badCRC[len(badCRC)-6] ^= 0xff
	refused(t, map[string]string{"a.csv.gz": string(badCRC)}, "a.csv.gz")
	refused(t, map[string]string{"a.csv.gz": whole + "trailing garbage"}, "a.csv.gz")
	if got := billed(t, map[string]string{"a.csv.gz": whole + pack(t, curRow(3, "1"))}); got != "3 56.1" {
		t.Errorf("two members: %s", got)
	}
}

func TestF08SchemaDrift(t *testing.T) {
	rows := [][]string{}
	for line := range strings.Lines(twoRows()) {
		rows = append(rows, strings.Split(strings.TrimSpace(line), ","))
	}
	shape := func(change func(row []string, header bool) []string) map[string]string {
		var b strings.Builder
		for i, r := range rows {
			b.WriteString(strings.Join(change(slices.Clone(r), i == 0), ",") + "\n")
		}
		return map[string]string{"a.csv": b.String()}
	}
	at := func(name string) int { return slices.Index(rows[0], name) }
	for name, change := range map[string]func(r []string, header bool) []string{
		"extra": func(r []string, header bool) []string {
			if header {
				return append(r, "a_new_column_of_next_year")
			}
			return append(r, "x")
		},
		"missing optional": func(r []string, _ bool) []string {
			return slices.Delete(r, at("pricing_unit"), at("pricing_unit")+1)
		},
		"reordered": func(r []string, _ bool) []string { slices.Reverse(r); return r },
		"renamed": func(r []string, header bool) []string {
			if header {
				for i := range r {
					r[i] = strings.ToUpper(r[i])
				}
			}
			return r
		},
	} {
		if got := billed(t, shape(change)); got != "2 55.1" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, needed := range []string{
		"bill_billing_period_start_date", "line_item_unblended_cost", "bill_payer_account_id",
	} {
		refused(t, shape(func(r []string, _ bool) []string { return slices.Delete(r, at(needed), at(needed)+1) }),
			"missing required column")
	}
}

func TestF09BadNumbers(t *testing.T) {
	for _, bad := range []string{
		"N/A", `"1,234.56"`, `"1.234,56"`, "(12.34)", "$12.34", "NaN", "Infinity", "-", "1e", "0x10", "12 ", "١٢",
	} {
		refused(t, map[string]string{"a.csv": curHeader + curRow(1, "1") + curRow(2, bad)}, "a.csv line 3")
	}
	for good, want := range map[string]string{
		"": "2 1", "NULL": "2 1", "-0.02": "2 0.98", "+2": "2 3", "2.63E-8": "2 1.0000000263", "1.": "2 2", ".5": "2 1.5",
	} {
		if got := billed(t, map[string]string{"a.csv": cur(curRow(1, "1"), curRow(2, good))}); got != want {
			t.Errorf("%q: %s, want %s", good, got, want)
		}
	}
}

func utf16Text(s string, little bool) string {
	out := []byte{0xfe, 0xff}
	if little {
		out = []byte{0xff, 0xfe}
	}
	for _, u := range utf16.Encode([]rune(s)) {
		if little {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return string(out)
}

func TestF10Encodings(t *testing.T) {
	quoted := strings.Replace(twoRows(), "444455556666", "\"444455556666\"", 1)
	newlines := strings.Replace(twoRows(), `""a""`, `""a`+"\\n"+`b""`, 1)
	for name, text := range map[string]string{
		"byte order mark":   "\ufeff" + twoRows(),
		"mark and quotes":   "\ufeff\"" + strings.Replace(quoted, ",", "\",", 1),
		"CRLF":              strings.ReplaceAll(twoRows(), "\n", "\r\n"),
		"UTF-16 LE":         utf16Text(twoRows(), true),
		"UTF-16 BE":         utf16Text(strings.ReplaceAll(twoRows(), "\n", "\r\n"), false),
		"line feed in tags": newlines, "no last line feed": strings.TrimSuffix(twoRows(), "\n"),
		"empty lines": strings.ReplaceAll(twoRows(), "\n", "\n\r\n\n"),
	} {
		if got := billed(t, map[string]string{"a.csv": text}); got != "2 55.1" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for text, want := range map[string]string{
		strings.ReplaceAll(twoRows(), "\n", "\r"):                                                    "broken csv",
		strings.ReplaceAll(strings.ReplaceAll(twoRows(), `"{""user_team"":""a""}"`, ""), "\n", "\r"): "carriage returns",
		strings.Replace(twoRows(), "AmazonEC2", "Amazon\x00EC2", 1):                                  "a.csv line 2",
		strings.Replace(twoRows(), "AmazonEC2", "Amazon\xffEC2", 1):                                  "not text",
		strings.Replace(twoRows(), `""a""`, `""\u0000""`, 1):                                         "not text",
		strings.Replace(twoRows(), `""a""`, "\"\"\xff\"\"", 1) + "\"":                                "broken csv",
		utf16Text(twoRows(), true)[:101]:                                                             "a.csv",
		strings.Replace(twoRows(), "AmazonEC2", "Ama\"zonEC2", 1):                                    "a.csv line 2",
		strings.Replace(twoRows(), "AmazonEC2", "\"Amazon\nEC2\",extra",
			1): "wrong number of fields",
	} {
		refused(t, map[string]string{"a.csv": text}, want)
	}
	// A real line feed inside quotes is part of the value.
	withLine := strings.Replace(twoRows(), "AmazonEC2", "\"Amazon\nEC2\"", 1)
	if got := billed(t, map[string]string{"a.csv": withLine}); got != "2 55.1" {
		t.Errorf("line feed in a field: %s", got)
	}
}

func TestF11HeadersAndEmptyFiles(t *testing.T) {
	refused(t, map[string]string{"a.csv": strings.Replace(twoRows(), "pricing_unit", "line_item_currency_code", 1)},
		"duplicate column")
	m := newMemory()
	s, err := importer(m).Import(t.Context(), Request{
		Source: "aws-cur", URIs: []string{write(t, map[string]string{"a.csv": curHeader})},
	})
	if err != nil || s.Accepted != 0 || len(m.current) != 0 {
		t.Errorf("header only: %v %+v", err, s)
	}
	dir := write(t, map[string]string{"a.csv": ""})
	if _, err := importer(m).Import(t.Context(), Request{
		Source: "aws-cur", URIs: []string{filepath.Join(dir, "a.csv")},
	}); err == nil {
		t.Error("an empty file is a bill")
	}
}

func TestF12IdenticalLinesAreBothCharged(t *testing.T) {
	if got := billed(t, map[string]string{
		"a.csv": cur(curRow(1, "1.5"), curRow(1, "1.5"), curRow(1, "1.50")),
	}); got != "3 4.5" {
		t.Errorf("%s", got)
	}
}

func TestF13ControlTotalsAreThoseOfTheText(t *testing.T) {
	m := newMemory()
	im := importer(m)
	im.Store = losing{m}
	_, err := im.Import(t.Context(), Request{
		Source: "aws-cur", URIs: []string{write(t, map[string]string{"a.csv": twoRows()})},
	})
	if err == nil || len(m.current) != 0 || m.open != 0 {
		t.Errorf("a store that lost a cent published: %v, %d deliveries", err, len(m.current))
	}
}

// losing is a store in which each batch of charges loses a cent.
type losing struct{ *memory }

type losingStage struct{ ChargeStage }

func (l losing) StageCharges(ctx context.Context, id ledger.ID) (ChargeStage, error) {
	s, err := l.memory.StageCharges(ctx, id)
	return losingStage{s}, err
}

func (l losingStage) Write(ctx context.Context, slot int, charges []ledger.Charge) error {
	less := charges[0].Billed.Sub(money.MustParse("0.01"))
	charges[0].Billed = &less
	return l.ChargeStage.Write(ctx, slot, charges)
}

func TestF17UnboundedTexts(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	started := time.Now()
	rows := manyRows(20_000)
	refused(t, map[string]string{"a.csv": rows + "\"" + rows}, "a.csv line 20003: broken csv")
	deep := strings.Repeat(`{\"a\":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	for _, tags := range []string{`{""a""`, strings.ReplaceAll(deep, `\"`, `""`), "a=b"} {
		refused(t, map[string]string{"a.csv": strings.Replace(twoRows(), `{""user_team"":""a""}`, tags, 1)}, "not a map")
	}
	if got := billed(t, map[string]string{
		"a.csv": strings.Replace(twoRows(), `""a""`, `""`+strings.Repeat("x", 1<<20)+`""`, 1),
	}); got != "2 55.1" {
		t.Errorf("a tag of 1 MiB: %s", got)
	}
	runtime.ReadMemStats(&after)
	t.Logf("heap taken from the system %d MiB, %v", (after.Sys-before.Sys)>>20, time.Since(started))
}

func TestF17HugeRow(t *testing.T) {
	p := filepath.Join(t.TempDir(), "a.csv")
	text := append([]byte(twoRows()), '"')
	if err := os.WriteFile(p, append(text, bytes.Repeat([]byte("x"), 40<<20)...), 0o600); err != nil {
		t.Fatal(err)
	}
	m := newMemory()
	if _, err := importer(m).Import(t.Context(), Request{Source: "aws-cur", URIs: []string{p}}); err == nil ||
		!strings.Contains(err.Error(), "a.csv line 4: broken csv: the row is longer than 16 MiB") {
		t.Errorf("%v", err)
	}
}
