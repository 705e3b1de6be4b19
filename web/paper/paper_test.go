package paper

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics/statement"
)

func amount(text string) *money.Amount {
	a := money.MustParse(text)
	return &a
}

// sample is a closed statement in two currencies.
func sample(owner, project string) *statement.Statement {
	at := time.Date(2026, 11, 6, 9, 0, 0, 0, time.UTC)
	line := func(
		s statement.Section, project *string, cause ledger.Cause, hours *money.Amount, cost string,
	) statement.Line {
		return statement.Line{Section: s, Project: project, Cause: cause, Month: "2026-10", GPUHours: hours,
			EffectiveCost: amount(cost)}
	}
	charge := func(currency string) statement.Charge {
		return statement.Charge{
			Currency: currency, Direct: *amount("1234.5"), SharedIn: *amount("10"), SharedOut: *amount("-3"),
			Adjustments: *amount("-1.25"), Total: *amount("1240.25"),
			Lines: []statement.Line{
				line(statement.Direct, &project, ledger.Used, amount("900.5"), "1000"),
				line(statement.Direct, nil, ledger.Lost, amount("12"), "234.5"),
				line(statement.SharedIn, nil, ledger.Free, nil, "10"),
				line(statement.SharedOut, nil, ledger.Stranded, nil, "-3"),
				line(statement.Adjustments, &project, ledger.Used, nil, "-1.25"),
			},
			Certainty: statement.Certainty{Measured: *amount("1000"), Assumed: *amount("234.5")},
			Bridge:    &statement.Bridge{Before: *amount("1000"), Volume: *amount("240.25")},
		}
	}
	return &statement.Statement{
		Owner: "team=" + owner, Key: "team", Value: owner, BillingPeriod: "2026-10", Sharing: "after",
		State: statement.Closed, Notes: []string{"One note."},
		Accounts: []statement.Account{
			{Provider: "aws", BillingAccount: "111", State: statement.Closed, Version: 1, ClosedAt: &at},
		},
		Statements: []statement.Charge{charge("EUR"), charge("USD")},
		Budgets: []statement.Budget{
			{Name: "october", Currency: "USD", Amount: *amount("1500"), Spent: *amount("1233.25")},
		},
	}
}

// laid draws a statement and returns the sheet and the texts of its PDF in the order in which they are drawn.
func laid(t *testing.T, s *statement.Statement) (x *Sheet, pages int, texts []string) {
	t.Helper()
	x, err := Lay(s)
	if err != nil {
		t.Fatal(err)
	}
	count := x.draw(0, false).pdf.PageNo()
	var out bytes.Buffer
	d := x.draw(count, false)
	if err := d.pdf.Output(&out); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?s)Td \(((?:\\.|[^\\)])*)\) Tj`).FindAllSubmatch(out.Bytes(), -1) {
		raw := regexp.MustCompile(`(?s)\\(.)`).ReplaceAllFunc(m[1], func(b []byte) []byte {
			if b[1] == 'r' {
				return []byte{'\r'}
			}
			return b[1:]
		})
		var units []uint16
		for i := 0; i+1 < len(raw); i += 2 {
			units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
		}
		texts = append(texts, string(utf16.Decode(units)))
	}
	return x, d.pdf.PageNo(), texts
}

// The PDF says every word and figure of the sheet, and the totals of the JSON.
func TestPDFSaysWhatTheSheetSays(t *testing.T) {
	x, pages, texts := laid(t, sample("speech", "call notes"))
	all := strings.Join(texts, " ")
	for _, want := range []string{
		"speech: GPU chargeback, October 2026", "€1,240.25", "$1,240.25", "Final,", "closed 6 Nov 2026", "81.0\u202f%",
		"One note.", "Page 1 of " + strconv.Itoa(pages), "Page 2 of " + strconv.Itoa(pages), x.Digest, "−$1.25",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in the PDF:\n%s", want, all)
		}
	}
	for _, b := range x.Blocks {
		if !slices.Contains(texts, b.Title) {
			t.Errorf("no title %q", b.Title)
		}
		for _, r := range b.Rows {
			for _, c := range r.Cells {
				if c.Text != "" && !strings.Contains(all, c.Text) {
					t.Errorf("%s: %q is not in the PDF", b.Title, c.Text)
				}
				if c.Money != nil && !c.Money.IsZero() && !strings.ContainsAny(c.Text, "123456789") {
					t.Errorf("%s: %q prints %s", b.Title, c.Text, c.Money)
				}
			}
		}
	}
}

func TestPDFHasTheSameBytesEachTime(t *testing.T) {
	var first []byte
	for range 10 {
		var out bytes.Buffer
		if err := Write(&out, sample("speech", "a"), statement.PDF, false); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out.Bytes()
		}
		if !bytes.Equal(out.Bytes(), first) {
			t.Fatal("the same statement has other bytes")
		}
	}
	if !bytes.HasPrefix(first, []byte("%PDF-")) || !bytes.Contains(first[len(first)-64:], []byte("%%EOF")) {
		t.Error("this is no PDF")
	}
	if len(first) > 100_000 {
		t.Errorf("%d bytes: the fonts are whole", len(first))
	}
}

func TestNamesDoNotBreakThePage(t *testing.T) {
	for _, name := range []string{
		strings.Repeat("x", 5000), strings.Repeat("long name ", 900), "音声認識チーム", "فريق", "a\u202e)b(\\\x00\x1b[31m", "😀🚀",
		"<script>", ") Tj ET", "\\", "",
	} {
		x, pages, texts := laid(t, sample(name, name))
		if pages > 6 {
			t.Errorf("%.20q takes %d pages", name, pages)
		}
		d := x.draw(pages, false)
		for _, s := range texts {
			d.font(8.5, false, text)
			if strings.ContainsAny(s, "\x00\x1b\u202e") || len([]rune(s)) > 200 && d.pdf.GetStringWidth(s) > width+1 {
				t.Errorf("%.20q prints %.80q", name, s)
			}
		}
		if !slices.Contains(texts, "$1,240.25") {
			t.Errorf("%.20q: the total is not in the PDF", name)
		}
	}
}

// The largest amount comes first: readers take the first one for the total.
func TestTheLargestAmountComesFirst(t *testing.T) {
	s := sample("speech", "atlas")
	for i, total := range []string{"20", "30"} { // EUR, USD
		s.Statements[i].Total = *amount(total)
	}
	x, err := Lay(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Amounts; len(got) != 2 || got[0].Currency != "USD" || got[1].Currency != "EUR" {
		t.Errorf("amounts are in order %v", got)
	}
	if s.Statements[0].Currency != "EUR" {
		t.Error("the file must keep its order")
	}
}
