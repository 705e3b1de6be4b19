package format_test

import (
	"math/big"
	"testing"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/web/views/format"
)

const usd = format.Currency("USD")

func TestMoney(t *testing.T) {
	tests := []struct{ in, table, full, compact string }{
		{"411820.2", "$411,820", "$411,820.20", "$412k"},
		{"411110.02", "$411,110", "$411,110.02", "$411k"},
		{"18.4", "$18.40", "$18.40", "$18.40"},
		{"0", "$0.00", "$0.00", "$0.00"},
		{"0.004", "< $0.01", "< $0.01", "< $0.01"},
		{"0.005", "$0.01", "$0.01", "$0.01"},
		{"-0.004", "> −$0.01", "> −$0.01", "> −$0.01"},
		{"-1284.6", "−$1,285", "−$1,284.60", "−$1.3k"},
		{"999.994", "$999.99", "$999.99", "$999.99"},
		{"999.995", "$1,000", "$1,000.00", "$1.0k"},
		{"94314", "$94,314", "$94,314.00", "$94.3k"},
		{"99949.9", "$99,950", "$99,949.90", "$99.9k"},
		{"99950", "$99,950", "$99,950.00", "$100k"},
		{"2418306.11", "$2,418,306", "$2,418,306.11", "$2.42M"},
		{"999499.99", "$999,500", "$999,499.99", "$999k"},
		{"999500", "$999,500", "$999,500.00", "$1.00M"},
		{
			"12345678901234567890.125", "$12,345,678,901,234,567,890",
			"$12,345,678,901,234,567,890.13", "$12,345,678,901,234.57M",
		},
	}
	for _, test := range tests {
		a := money.MustParse(test.in)
		if got := usd.Money(a); got != test.table {
			t.Errorf("Money(%s) = %q, want %q", test.in, got, test.table)
		}
		if got := usd.Full(a); got != test.full {
			t.Errorf("Full(%s) = %q, want %q", test.in, got, test.full)
		}
		if got := usd.Compact(a); got != test.compact {
			t.Errorf("Compact(%s) = %q, want %q", test.in, got, test.compact)
		}
	}
}

func TestCurrency(t *testing.T) {
	a := money.MustParse("1204.1")
	for currency, want := range map[format.Currency]string{
		"USD": "$1,204.10", "EUR": "€1,204.10", "CHF": "CHF\u00a01,204.10", "": "1,204.10",
	} {
		if got := currency.Full(a); got != want {
			t.Errorf("%s: got %q, want %q", currency, got, want)
		}
	}
	if got := usd.Change(money.MustParse("210392")); got != "+$210,392" {
		t.Errorf("change: %q", got)
	}
	if got := usd.Span(money.MustParse("1645.06"), money.MustParse("3916.80")); got != "$1,645 – $3,917" {
		t.Errorf("span: %q", got)
	}
	if got := usd.Span(money.Amount{}, money.MustParse("2271.74")); got != "0 – $2,272" {
		t.Errorf("span from nothing: %q", got)
	}
	if got := usd.Exact(money.MustParse("-50482.538123456789")); got != "−$50,482.538123456789" {
		t.Errorf("exact: %q", got)
	}
	for units, want := range map[int64]string{0: "$0", 50: "$50", 50_000: "$50k", 1_500_000: "$1.5M", 2500: "$2.5k"} {
		if got := usd.Axis(units); got != want {
			t.Errorf("axis %d: %q, want %q", units, got, want)
		}
	}
}

func TestUnitPrice(t *testing.T) {
	for in, want := range map[string]string{
		"0.84123": "$0.8412", "0.000123": "$0.000123", "3.27": "$3.270", "18.6193": "$18.62", "98.32": "$98.32",
		"1234.567": "$1,234.57", "0": "$0.00", "0.0000001": "< $0.000001", "0.085": "$0.08500",
	} {
		r, _ := new(big.Rat).SetString(in)
		if got := usd.UnitPrice(r); got != want {
			t.Errorf("UnitPrice(%s) = %q, want %q", in, got, want)
		}
	}
	if got := usd.UnitPrice(nil); got != format.NA {
		t.Errorf("unknown price: %q", got)
	}
}

func TestShares(t *testing.T) {
	part, whole := money.MustParse("170"), money.MustParse("1000")
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	check("share", format.Share(part, whole), "17.0\u202f%")
	check("share of nothing", format.Share(part, money.Amount{}), format.NA)
	check("tiny share", format.Share(money.MustParse("0.001"), whole), "<\u202f0.1\u202f%")
	check("nearly all", format.Share(money.MustParse("999.99"), whole), ">\u202f99.9\u202f%")
	check("all", format.Share(whole, whole), "100.0\u202f%")
	check("large", format.Share(money.MustParse("12345"), whole), "1,235\u202f%")
	check("over budget", format.Share(money.MustParse("1043"), whole), "104.3\u202f%")
	check("cents", format.Cents(money.MustParse("494.2"), whole), "49.4\u202f¢")
	check("whole cents", format.WholeCents(money.MustParse("494.2"), whole), "49\u202f¢")
	check("growth", format.Growth(money.MustParse("1095"), whole), "+9.5\u202f%")
	check("fall", format.Growth(money.MustParse("910"), whole), "−9.0\u202f%")
	check("times", format.Times(big.NewRat(26, 10)), "2.60×")
	check("hours", format.GPUHours(money.MustParse("11584.2")), "11,584")
	check("few hours", format.GPUHours(money.MustParse("61.52")), "61.5")
	check("count", format.Count(1_290_000_000), "1.29B")
	check("exact count", format.Count(412_880), "412,880")
	check("memory", format.Gigabytes(80<<30), "80 GB")
}

func TestTime(t *testing.T) {
	at := period.Second(1795097100) // 2026-11-19 14:05:00 UTC
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(format.Stamp(at), "19 Nov 2026 14:05 UTC")
	check(format.Instant(at), "19 Nov 14:05")
	day := at.Floor(period.Day)
	check(format.Days(period.Interval{From: day - 18*period.Day, To: day + period.Day}), "1 – 19 Nov 2026")
	check(format.Days(period.Interval{From: day, To: day + period.Day}), "19 Nov 2026")
	check(format.Days(period.Interval{From: day - 30*period.Day, To: day}), "20 Oct – 18 Nov 2026")
	check(format.Days(period.Interval{}), format.NA)
	check(format.Duration(36*60), "36 min")
	check(format.Duration(195_480), "54.3 h")
	check(format.Duration(682_560), "7.9 days")
	check(format.Duration(12), "12 s")
}

func TestCoded(t *testing.T) {
	for want, got := range map[string]string{
		"EUR\u00a01,204.10":                format.Coded("EUR").Full(money.MustParse("1204.1")),
		"−USD\u00a03.21":                   format.Coded("USD").Full(money.MustParse("-3.21")),
		"< USD\u00a00.01":                  format.Coded("USD").Money(money.MustParse("0.001")),
		"USD\u00a02,783 – USD\u00a010,285": format.Coded("USD").Span(money.MustParse("2783"), money.MustParse("10285")),
		"USD":                              format.Coded("USD").Code(),
		"5":                                format.Coded("").Full(money.MustParse("5"))[:1],
		"$5.00":                            format.Currency("USD").Full(money.MustParse("5")),
		"812 B":                            format.Bytes(812),
		"5.7 kB":                           format.Bytes(5670),
		"17.5 MB":                          format.Bytes(17_503_487),
		"1.29 GB":                          format.Bytes(1_290_000_000),
		"0.2 s":                            format.Elapsed(200 * time.Millisecond),
		"5.4 s":                            format.Elapsed(5360 * time.Millisecond),
		"36 min":                           format.Elapsed(36 * time.Minute),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
