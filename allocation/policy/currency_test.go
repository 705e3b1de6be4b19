package policy

import (
	"strings"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// rated is a document with one exchange rate.
func rated(rate string) string {
	return "version: x\ncommitments: buyer\ncurrency: {rates: [{" + rate + "}]}"
}

func TestRatesAreRead(t *testing.T) {
	v, err := Parse([]byte(rated(`from: USD, to: EUR, on: 2026-11-02, rate: 0.921300000001, source: "ECB reference rate"`)))
	if err != nil {
		t.Fatal(err)
	}
	day, _ := period.ParseDay("2026-11-02")
	want := ExchangeRate{"USD", "EUR", day, money.MustParse("0.921300000001"), "ECB reference rate"}
	if len(v.ExchangeRates) != 1 || v.ExchangeRates[0] != want || v.OnlyRates {
		t.Errorf("read %+v, want %+v", v, want)
	}
}

func TestErrorsInRatesAreNamed(t *testing.T) {
	const good = "from: USD, to: EUR, on: 2026-11-01, rate: 0.9, source: ECB"
	for rate, want := range map[string]string{
		strings.Replace(good, "USD", "usd", 1):               `rate 1: "usd" is not a currency`,
		strings.Replace(good, "to: EUR, ", "", 1):            `rate 1: "" is not a currency`,
		strings.Replace(good, "USD", "EUR", 1):               "from and to are both EUR",
		strings.Replace(good, "11-01", "11-31", 1):           `on: "2026-11-31" is not a day`,
		strings.Replace(good, "on: 2026-11-01, ", "", 1):     "rate 1: on:",
		strings.Replace(good, "0.9", "9e-1", 1):              "is not a plain decimal",
		strings.Replace(good, "0.9", "-0.9", 1):              "is not a plain decimal",
		strings.Replace(good, "0.9", ".9", 1):                "is not a plain decimal",
		strings.Replace(good, "0.9", "0.0000000000001", 1):   "is not a plain decimal",
		strings.Replace(good, "0.9", "1234567890", 1):        "is not a plain decimal",
		strings.Replace(good, "rate: 0.9, ", "", 1):          `rate "" is not`,
		strings.Replace(good, "0.9", "0.00", 1):              "it must be above 0",
		strings.Replace(good, ", source: ECB", "", 1):        "name the publisher",
		good + ", colour: red":                               `"colour" is not a field: write from, to`,
		good + "}, {" + strings.Replace(good, "0.9", "1", 1): "rate 2: USD to EUR on 2026-11-01 is given twice",
	} {
		if _, err := Parse([]byte(rated(rate))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", rate, err, want)
		}
	}
}

// Documents with only exchange rates do not end the validity of the versions of the rules.
func TestRatesAreNoVersionOfTheRules(t *testing.T) {
	const eur = "\nnote: n\ncurrency: {rates: [{from: USD, to: EUR, on: 2026-11-01, rate: 1, source: ECB}]}"
	var versions []Version
	for _, document := range []string{"version: a" + eur, "version: b" + eur, "version: rules\ncommitments: buyer" + eur} {
		v, err := Parse([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, v)
	}
	book, err := NewBook(versions...)
	if err != nil || len(book.Versions()) != 1 || book.World().Version != "rules" || len(book.OnlyRates()) != 2 {
		t.Errorf("%+v, %v", book, err)
	}
	if _, err := Parse([]byte("version: c\nvalid_from: 2026-11-01" + eur)); err == nil ||
		!strings.Contains(err.Error(), "leave it out") {
		t.Error(err)
	}
}
