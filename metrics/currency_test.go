package metrics

import (
	"slices"
	"strings"
	"testing"
)

func TestWhatCanBeConverted(t *testing.T) {
	names := func(q Query) []string {
		return names(q.Columns(), func(c Column) string { return c.Name })
	}
	for _, d := range Datasets {
		q, err := Parse(d.Name, Options{Currency: "EUR"})
		if !d.Grouped {
			if err == nil || !strings.Contains(err.Error(), "only costs and chargeback are converted") {
				t.Errorf("%s: %v", d.Name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		plain, err := Parse(d.Name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		have := names(q)
		if d.Derived != nil { // its rates are a part of the answer
			continue
		}
		i := slices.Index(have, "exchange_rates")
		if i < 1 || have[i-1] != "currency" || !slices.Equal(slices.Delete(slices.Clone(have), i, i+1), names(plain)) {
			t.Errorf("%s converted has %v, else %v", d.Name, have, names(plain))
		}
	}
	for _, code := range []string{"eur", "EURO", "€", "E1R", "EU", "eu'"} {
		if _, err := Parse("costs", Options{Currency: code}); err == nil || !strings.Contains(err.Error(), "ISO 4217") {
			t.Errorf("%q: %v", code, err)
		}
	}
	if _, err := ParseSubject("owner/team=a?currency=EUR"); err == nil || !strings.Contains(err.Error(), "leave it out") {
		t.Error(err)
	}
}
