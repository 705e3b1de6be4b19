package policy

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const retail = "{start: february, weeks: 4-5-4, weekday: sunday, rule: nearest}"

func TestFiscalCalendars(t *testing.T) {
	for written, want := range map[string]string{
		"{}":            "none",
		"{start: june}": "{start: june}",
		retail:          retail,
		"{start: october, weeks: 4-4-5, weekday: sunday, rule: last}":    "",
		"{start: january, weeks: 5-4-4, weekday: monday, rule: nearest}": "",
		"{weeks: 4-4-5}":                                            "!start is \"\": write the month",
		"{start: 6}":                                                "!one of january, february",
		"{start: june, weekday: sunday}":                            "!need weeks",
		"{start: june, rule: last}":                                 "!need weeks",
		"{start: june, weeks: 5-5-3}":                               "!write 4-4-5, 4-5-4 or 5-4-4",
		"{start: june, weeks: 4-4-5}":                               "!one of sunday, monday",
		"{start: june, weeks: 4-4-5, weekday: sunday}":              "!the sunday nearest to 1 june",
		"{start: june, weeks: 4-4-5, weekday: sunday, rule: first}": "!write nearest",
		"{start: june, months: 12}":                                 "!months",
		"june":                                                      "!cannot unmarshal",
	} {
		v, err := Parse([]byte("version: x\nfiscal_calendar: " + written))
		if wrong, bad := strings.CutPrefix(want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%s: %v, want %q", written, err, wrong)
			}
			continue
		}
		if want == "" {
			want = written
		}
		if err != nil || showFiscal(v.Fiscal) != want {
			t.Errorf("%s: %s, %v", written, showFiscal(v.Fiscal), err)
		}
	}
	moved, err := Differences(nil, []byte("version: x\nfiscal_calendar: "+retail))
	if err != nil || len(moved) != 1 || moved[0] != (Difference{"fiscal_calendar", "none", retail}) {
		t.Errorf("%v, %v", moved, err)
	}
	const rates = "\ncurrency: {rates: [{from: USD, to: EUR, on: 2026-10-01, rate: 0.9, source: ECB}]}"
	if v, err := Parse([]byte("version: x\nfiscal_calendar: {start: june}" + rates)); err != nil || v.OnlyRates {
		t.Errorf("%+v, %v", v, err)
	}
}

// bookOf is a book of documents without their versions' names.
func bookOf(t *testing.T, documents ...string) Book {
	t.Helper()
	var versions []Version
	for i, text := range documents {
		v, err := Parse([]byte("version: v" + string(rune('1'+i)) + "\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, v)
	}
	b, err := NewBook(versions...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func dayOf(t *testing.T, text string) period.Second {
	t.Helper()
	at, err := period.ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A calendar holds from its version on, and the first one before it, too.
func TestFiscalCalendarsHaveVersions(t *testing.T) {
	b := bookOf(t, "note: none", "valid_from: 2026-06-01\nfiscal_calendar: {start: june}",
		"valid_from: 2027-01-31\nfiscal_calendar: "+retail, "valid_from: 2030-01-01")
	for at, want := range map[string]string{
		"2020-01-01": "{start: june}", "2026-05-31": "{start: june}", "2027-01-30": "{start: june}",
		"2027-01-31": retail, "2029-12-31": retail, "2030-01-01": "none",
	} {
		if got := showFiscal(b.FiscalAt(dayOf(t, at))); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
	if bookOf(t, "note: none").FiscalAt(0).Set() || (Book{}).FiscalAt(0).Set() {
		t.Error("a book without a calendar has one")
	}
}

func TestBudgetsRunToTheEndOfTheirPeriod(t *testing.T) {
	none, june, weeks := bookOf(t), bookOf(t, "fiscal_calendar: {start: june}"), bookOf(t, "fiscal_calendar: "+retail)
	for _, c := range []struct {
		book   Book
		period ledger.BudgetPeriod
		start  string
		want   string // last day, or a part of the refusal after !
	}{
		{none, ledger.BudgetMonth, "2026-11-01", "2026-11-30"},
		{none, ledger.BudgetQuarter, "2026-11-01", "2027-01-31"},
		{none, ledger.BudgetYear, "2026-10-01", "2027-09-30"},
		{none, ledger.BudgetMonth, "2026-11-02", "!not the first day of a month; near it are 2026-11-01 and 2026-12-01"},
		{none, ledger.BudgetLife, "2026-11-02", ""},
		{june, ledger.BudgetYear, "2026-06-01", "2027-05-31"},
		{june, ledger.BudgetQuarter, "2026-09-01", "2026-11-30"},
		{june, ledger.BudgetYear, "2026-01-01", "2026-12-31"},   // a calendar year
		{weeks, ledger.BudgetMonth, "2026-11-01", "2026-11-28"}, // fiscal and calendar: fiscal counts
		{weeks, ledger.BudgetMonth, "2026-12-01", "2026-12-31"}, // calendar
		{weeks, ledger.BudgetMonth, "2026-11-29", "2027-01-02"},
		{weeks, ledger.BudgetQuarter, "2026-11-01", "2027-01-30"},
		{weeks, ledger.BudgetYear, "2026-02-01", "2027-01-30"},
		{weeks, ledger.BudgetYear, "2023-01-29", "2024-02-03"}, // 53 weeks
		{weeks, ledger.BudgetYear, "2026-01-01", "2026-12-31"}, // calendar
		{weeks, ledger.BudgetMonth, "2026-11-22", "!neither of a calendar month nor of a fiscal month; near it, months " +
			"start on 2026-11-01 and 2026-12-01, fiscal months on 2026-11-01 and 2026-11-29"},
		{weeks, ledger.BudgetQuarter, "2026-11-29", "!fiscal quarters on 2026-11-01 and 2027-01-31"},
	} {
		joining := []ledger.Budget{{Name: "a", Period: c.period, Start: dayOf(t, c.start), File: "b.csv", Line: 7}}
		err := c.book.SetEnds(nil, joining)
		got := ""
		if joining[0].End != 0 {
			got = (joining[0].End - 1).Time().Format("2006-01-02")
		}
		if wrong, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), wrong) || !strings.Contains(err.Error(), "b.csv line 7") {
				t.Errorf("%s from %s: %v, want %q", c.period, c.start, err, wrong)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s from %s ends on %s, want %s: %v", c.period, c.start, got, c.want, err)
		}
	}
}

// A stored budget whose start begins nothing any more is the same budget; another amount needs another start.
func TestStoredBudgetsKeepTheirEnds(t *testing.T) {
	stored := []ledger.Budget{{Name: "a", Period: ledger.BudgetMonth, Start: dayOf(t, "2026-11-29"), Unit: ledger.BudgetTokens}}
	if err := bookOf(t, "fiscal_calendar: "+retail).SetEnds(nil, stored); err != nil {
		t.Fatal(err)
	}
	current := map[string]ledger.Budget{"a": stored[0]}
	again := []ledger.Budget{stored[0]}
	again[0].End = 0
	june := bookOf(t, "fiscal_calendar: {start: june}")
	if err := june.SetEnds(current, again); err != nil || again[0].End != stored[0].End {
		t.Errorf("%v: %v", again[0].End, err)
	}
	again[0].Currency = "USD"
	if err := june.SetEnds(current, again); err == nil {
		t.Error("another budget may start on a day that begins nothing")
	}
}
