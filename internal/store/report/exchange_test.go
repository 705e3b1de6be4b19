package report_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// twoCurrencies is smallLedger with money of 3, 16 and 17 November in USD, EUR
// and GBP, with quantities, and one pair of sharing.
func twoCurrencies(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.SmallLedger(t)
	for i, p := range []struct{ hour, currency, cost string }{
		{"2026-11-03T23:00:00Z", "EUR", "5.123456789012"},
		{"2026-11-15T23:00:00Z", "USD", "0.000000000001"},
		{"2026-11-16T00:00:00Z", "USD", "7.000000000003"},
		{"2026-11-17T10:00:00Z", "GBP", "2"},
	} {
		storetest.Run(t, s.Pool, fmt.Sprintf(`insert into postings select (jsonb_populate_record(p,
			  jsonb_build_object('posting_id', gen_random_uuid(), 'hour', '%s', 'currency', '%s',
			'effective_cost', '%[3]s', 'billed_cost', '%[3]s', 'list_cost', null))).* from postings p where posting_id = $1`, p.hour, p.currency, p.cost), storetest.ID("posting", []string{"used", "free"}[i%2]))
	}
	return s
}

func save(t *testing.T, s *store.Store, document string) {
	t.Helper()
	if _, saved, err := s.SavePolicy(t.Context(), []byte(document), "ada"); err != nil || !saved {
		t.Fatalf("saved %v: %v", saved, err)
	}
}

// effective is the effective cost of a report, a row per currency.
func effective(t *testing.T, s *store.Store, dataset string, o metrics.Options) string {
	t.Helper()
	var lines []string
	if o.Currency != "" {
		o.CurrencyMissing = "keep"
	}
	for _, r := range storetest.Table(t, s, dataset, o) {
		if r["currency"] == "" {
			continue // usage without a cost
		}
		lines = append(lines, strings.TrimSpace(strings.Join([]string{r["currency"], r["effective_cost"],
			r["exchange_rates"]}, " ")))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// product adds up amounts times rates by hand.
func product(t *testing.T, terms ...string) string {
	t.Helper()
	sum := new(big.Rat)
	for _, term := range terms {
		part := big.NewRat(1, 1)
		for factor := range strings.SplitSeq(term, "*") {
			f, ok := new(big.Rat).SetString(factor)
			if !ok {
				t.Fatal(factor)
			}
			part.Mul(part, f)
		}
		sum.Add(sum, part)
	}
	return strings.TrimRight(sum.FloatString(40), "0")
}

const (
	rates = `version: ecb
currency:
  rates:
    - {from: USD, to: EUR, on: 2026-11-01, rate: 0.9213, source: ECB reference rate}
    - {from: USD, to: EUR, on: 2026-11-16, rate: 0.900000000001, source: ECB reference rate}
    - {from: EUR, to: GBP, on: 2026-11-01, rate: 0.8, source: ECB reference rate}
`
	correction = `version: ecb-2
currency: {rates: [{from: USD, to: EUR, on: 2026-11-16, rate: 0.5, source: corrected}, {from: GBP, to: EUR, on: 2026-11-18, rate: 2, source: too late}]}
`
	own = "EUR 5.123456789012; GBP 2; USD 41.000000000004"
)

// An amount without a rate fails the report, unless unconverted amounts are to be kept.
func TestAnAnswerWithoutARateIsRefused(t *testing.T) {
	s := twoCurrencies(t)
	save(t, s, rates)
	for _, c := range []struct {
		dataset string
		o       metrics.Options
		missing string // "": all amounts convert
	}{
		{"costs", metrics.Options{Currency: "EUR"}, "from GBP to EUR on 2026-11-17;"},
		{
			"costs", metrics.Options{Currency: "EUR", TZ: "Asia/Kolkata", Granularity: "month", GroupBy: "team,pod", Limit: "1"},
			"from GBP to EUR on 2026-11-17;",
		},
		{"costs", metrics.Options{Currency: "EUR", To: "2026-11-17"}, ""},
		{"costs", metrics.Options{Currency: "EUR", Filter: "cause = shared"}, ""},
		{
			"chargeback", metrics.Options{Currency: "CHF", From: "2026-11-15", To: "2026-11-18"},
			"from GBP to CHF on 2026-11-17; from USD to CHF on 2026-11-15 to 2026-11-16;",
		},
	} {
		q, err := metrics.Parse(c.dataset, c.o)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Query(t.Context(), q)
		if err == nil {
			rows.Close()
		}
		if (err == nil) != (c.missing == "") || err != nil && !strings.Contains(err.Error(), c.missing) {
			t.Errorf("%s %+v: %v, want %q", c.dataset, c.o, err, c.missing)
		}
	}
}

func TestNoTotalMixesCurrencies(t *testing.T) {
	s := twoCurrencies(t)
	if got := effective(t, s, "costs", metrics.Options{}); got != own {
		t.Errorf("in their own currency: %s, want %s", got, own)
	}
	if got := effective(t, s, "costs", metrics.Options{Currency: "EUR"}); got != own {
		t.Errorf("converted without a rate: %s, want %s", got, own)
	}
	save(t, s, rates)
	if got := effective(t, s, "costs", metrics.Options{}); got != own {
		t.Errorf("a stored rate converts unasked: %s", got)
	}
	// The rate changes with the UTC day, every digit counts, and a currency without a rate (GBP: no inverse, no
	// triangle) is not converted.
	want := "EUR " + product(t, "5.123456789012", "34*0.9213", "0.000000000001*0.9213", "7.000000000003*0.900000000001") +
		" ecb/USD-EUR/2026-11-01 ecb/USD-EUR/2026-11-16; GBP 2"
	for _, o := range []metrics.Options{
		{Currency: "EUR"}, {Currency: "EUR", TZ: "Asia/Kolkata"},
		{Currency: "EUR", Sharing: "after"}, {Currency: "EUR", Granularity: "month"},
	} {
		if got := effective(t, s, "costs", o); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
	for _, c := range []struct {
		o    metrics.Options
		want string
	}{
		{metrics.Options{Currency: "EUR", From: "2026-11-03", To: "2026-11-04"}, "EUR 5.123456789012"}, // nothing to convert
		{
			metrics.Options{Currency: "EUR", From: "2026-11-15", To: "2026-11-16"},
			"EUR 0.0000000000009213 ecb/USD-EUR/2026-11-01",
		},
		{metrics.Options{Currency: "EUR", Filter: "cause = shared"}, "EUR 1.133199 ecb/USD-EUR/2026-11-01"},
		{metrics.Options{Currency: "GBP"}, "GBP 6.0987654312096 ecb/EUR-GBP/2026-11-01; USD 41.000000000004"},
		{metrics.Options{Currency: "CHF"}, own},
	} {
		if got := effective(t, s, "costs", c.o); got != c.want {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
}

// Groups of every kind add up to the same converted total, and rows without a currency stay unchanged.
func TestConvertedGroupsAddUp(t *testing.T) {
	s := twoCurrencies(t)
	save(t, s, rates)
	sums := func(o metrics.Options) map[string]string {
		total := map[string]*big.Rat{}
		if o.Currency != "" {
			o.CurrencyMissing = "keep"
		}
		for _, r := range storetest.Table(t, s, "costs", o) {
			for _, name := range []string{"effective_cost", "billed_cost", "list_cost", "gpu_hours", "capacity_gpu_hours"} {
				key := name
				if strings.HasSuffix(name, "_cost") {
					key += " " + r["currency"]
				}
				if total[key] == nil {
					total[key] = new(big.Rat)
				}
				if v, ok := new(big.Rat).SetString(r[name]); ok {
					total[key].Add(total[key], v)
				}
			}
		}
		out := map[string]string{}
		for key, v := range total {
			out[key] = v.FloatString(30)
		}
		return out
	}
	want := sums(metrics.Options{Currency: "EUR"})
	for _, o := range []metrics.Options{{GroupBy: "team"}, {GroupBy: "cause,state,kind"},
		{GroupBy: "node,pod,run,attempt"}, {GroupBy: "account,tag:CostCenter,pricing"},
		{Granularity: "hour"}, {Granularity: "day", TZ: "Asia/Kolkata"},
		{Granularity: "week"}, {Granularity: "month", GroupBy: "team,billing_period"}} {
		o.Currency = "EUR"
		if got := sums(o); !maps.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", o, got, want)
		}
	}
	plain := sums(metrics.Options{})
	for _, name := range []string{"gpu_hours", "capacity_gpu_hours"} {
		if plain[name] != want[name] {
			t.Errorf("%s: %s, converted %s", name, plain[name], want[name])
		}
	}
	if got, want := effective(t, s, "chargeback", metrics.Options{
		Currency: "EUR", Filter: "team = research", From: "2026-11-02", To: "2026-11-03",
	}),
		"EUR "+product(t, "16.385*0.9213")+" ecb/USD-EUR/2026-11-01"; got != want {
		t.Errorf("chargeback: %s, want %s", got, want)
	}
}

// Rates of all versions in force count; of two for a day, the one stored later.
func TestRatesOfVersions(t *testing.T) {
	s := twoCurrencies(t)
	save(t, s, rates)
	tag := func() string {
		v, err := s.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v.Tag
	}
	before, first := effective(t, s, "costs", metrics.Options{Currency: "EUR"}), tag()
	save(t, s, correction)
	want := "EUR " + product(t, "5.123456789012", "34*0.9213", "0.000000000001*0.9213", "7.000000000003*0.5") +
		" ecb-2/USD-EUR/2026-11-16 ecb/USD-EUR/2026-11-01; GBP 2"
	if got := effective(t, s, "costs", metrics.Options{Currency: "EUR"}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	second := tag()
	if err := s.WithdrawPolicy(t.Context(), "ecb-2", "bob"); err != nil {
		t.Fatal(err)
	}
	if got := effective(t, s, "costs", metrics.Options{Currency: "EUR"}); got != before {
		t.Errorf("after the correction was withdrawn: %s, want %s", got, before)
	}
	if third := tag(); first == second || second == third || first == third {
		t.Errorf("answers change and their tag does not: %s, %s, %s", first, second, third)
	}
	if err := s.WithdrawPolicy(t.Context(), "ecb", "bob"); err != nil {
		t.Fatal(err)
	}
	if got := effective(t, s, "costs", metrics.Options{Currency: "EUR"}); got != own {
		t.Errorf("without rates: %s, want %s", got, own)
	}
}

// Rates alone neither mark a day nor change the version of the rules; a document with more than rates does, and its
// rates count as well.
func TestRatesMoveNoPosting(t *testing.T) {
	s := twoCurrencies(t)
	marks := func() (n int) {
		if err := s.Pool.QueryRow(t.Context(), `select count(*) from dirty where reason = 'policy'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	save(t, s, rates)
	save(t, s, correction) // neither states a day from which it holds
	if err := s.WithdrawPolicy(t.Context(), "ecb-2", "bob"); err != nil || marks() != 0 {
		t.Errorf("%d marks, %v", marks(), err)
	}
	book, err := s.Policies(t.Context())
	if err != nil || book.World().Version != "default-1" || len(book.OnlyRates()) != 1 {
		t.Errorf("%+v, %v", book, err)
	}
	save(t, s, strings.Replace(strings.Replace(rates, "ecb", "rules", 1), "currency:", "commitments: buyer\ncurrency:", 1))
	if marks() == 0 {
		t.Error("a version of the rules marks nothing")
	}
	if got := effective(t, s, "costs", metrics.Options{
		Currency: "EUR", From: "2026-11-15", To: "2026-11-16",
	}); got != "EUR 0.0000000000009213 rules/USD-EUR/2026-11-01" {
		t.Error(got)
	}
	var got []string
	for _, r := range storetest.Table(t, s, "policies", metrics.Options{}) {
		got = append(got, r["version"]+" "+r["status"]+" "+r["valid_to"])
	}
	slices.Sort(got)
	if text := strings.Join(got, ";"); text != "ecb holds ;ecb-2 withdrawn ;rules holds " {
		t.Error(text)
	}
}

// Rates concern no owner: a scoped user gets the same ones.
func TestScopedUsersConvertByTheSameRates(t *testing.T) {
	s := twoCurrencies(t)
	save(t, s, rates)
	for _, ctx := range []context.Context{t.Context(), storetest.InPart(t, s, "team != 'nobody'")} {
		list, err := s.ExchangeRates(ctx, "EUR")
		if err != nil || len(list) != 2 {
			t.Errorf("%d rates: %v", len(list), err)
		}
	}
}
