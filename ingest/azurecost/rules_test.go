package azurecost

import (
	"encoding/csv"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/test/billtest"
)

// cells is a row by column name; base gives what every row needs.
type cells map[string]string

const (
	subscription = "1CAAA5A3-2b66-438e-8ab4-000000000001"
	account      = "1caaa5a3-2b66-438e-8ab4-000000000001"
	group        = "/subscriptions/1caaa5a3-2b66-438e-8ab4-000000000001/resourceGroups/RG/providers/Microsoft.Compute/"
	lowGroup     = "/subscriptions/1caaa5a3-2b66-438e-8ab4-000000000001/resourcegroups/rg/providers/microsoft.compute/"
)

func base(more cells) cells {
	c := cells{
		"BillingAccountId": "8611", "BillingPeriodStartDate": "09/01/2026",
		"BillingPeriodEndDate": "09/30/2026", "SubscriptionId": subscription,
		"Date": "09/02/2026", "CostInBillingCurrency": "1",
		"BillingCurrencyCode": "USD", "ChargeType": "Usage", "PricingModel": "OnDemand",
	}
	for k, v := range more {
		if v == "-" {
			delete(c, k)
		} else {
			c[k] = v
		}
	}
	return c
}

// sheet writes rows as CSV with the union of their columns.
func sheet(t testing.TB, path string, rows ...cells) {
	t.Helper()
	var names []string
	for _, r := range rows {
		for k := range r {
			if !slices.Contains(names, k) {
				names = append(names, k)
			}
		}
	}
	slices.Sort(names)
	var text strings.Builder
	w := csv.NewWriter(&text)
	records := [][]string{names}
	for _, r := range rows {
		record := make([]string, len(names))
		for i, n := range names {
			record[i] = r[n]
		}
		records = append(records, record)
	}
	if err := w.WriteAll(records); err != nil {
		t.Fatal(err)
	}
	write(t, path, text.String())
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// one reads a single row from a file of that name.
func one(t *testing.T, file string, row cells) (ledger.Charge, ledger.Delivery, ledger.Tally) {
	t.Helper()
	p := filepath.Join(t.TempDir(), file)
	sheet(t, p, row)
	r, err := readAll(t, billtest.List(t, p))
	if err != nil {
		t.Fatal(err)
	}
	if r.Tally.RejectedRows() > 0 {
		t.Fatalf("%+v", r.Tally.First)
	}
	r.Check(t)
	return r.Charges[0][0], r.Deliveries[0], r.Tally
}

func text(a *money.Amount) string {
	if a == nil {
		return "null"
	}
	return a.String()
}

func costs(c ledger.Charge) string {
	return strings.Join([]string{text(c.Billed), text(c.Effective), text(c.List), text(c.Contracted)}, " ")
}

func TestLineRule(t *testing.T) {
	const planID, reservedID = "/providers/Microsoft.BillingBenefits/savingsPlanOrders/O/savingsPlans/P",
		"/providers/Microsoft.Capacity/reservationOrders/O/reservations/R"
	priced := func(c cells) cells {
		c["Quantity"], c["UnitPrice"], c["PayGPrice"] = "2", "3", "4"
		return c
	}
	for name, c := range map[string]struct {
		file string
		row  cells
		want string // billed effective list contracted
		kind ledger.LineKind
		cat  ledger.ChargeCategory
		more string // price class, class, commitment
	}{
		"use, both datasets": {"a.csv", priced(cells{}), "1 1 8 6", ledger.LineUsage, ledger.CategoryUsage, ""},
		"use, actual": {
			"actual.csv", priced(cells{}), "1 null null null", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"use, amortized":   {"amortized.csv", priced(cells{}), "null 1 8 6", ledger.LineUsage, ledger.CategoryUsage, ""},
		"no price columns": {"a.csv", cells{}, "1 1 null null", ledger.LineUsage, ledger.CategoryUsage, ""},
		"no charge type": {
			"a.csv", cells{"ChargeType": "-", "PricingModel": "-"}, "1 1 null null", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"no cost": {
			"a.csv", cells{"CostInBillingCurrency": ""}, "null null null null", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"reserved, amortized": {
			"amortized.csv", cells{
				"PricingModel": "Reservation", "benefitId": reservedID, "Quantity": "8",
				"UnitPrice": "0.146", "PayGPrice": "0", "CostInBillingCurrency": "0.493152",
			}, "null 0.493152 null 1.168", ledger.LineCoveredUsage, ledger.CategoryUsage,
			"reserved /providers/microsoft.capacity/reservationorders/o/reservations/r",
		},
		"reserved, actual": {
			"actual.csv", cells{"PricingModel": "Reservation", "ReservationId": "R", "CostInBillingCurrency": "0"},
			"0 null null null", ledger.LineCoveredUsage, ledger.CategoryUsage, "reserved r",
		},
		"plan": {
			"amortized.csv", cells{"PricingModel": "SavingsPlan", "benefitId": planID}, "null 1 null null",
			ledger.LineCoveredUsage, ledger.CategoryUsage,
			"savings_plan /providers/microsoft.billingbenefits/savingsplanorders/o/savingsplans/p",
		},
		"old file, reserved": {
			"amortized.csv", cells{"PricingModel": "-", "ReservationId": "R"},
			"null 1 null null", ledger.LineCoveredUsage, ledger.CategoryUsage, "reserved r",
		},
		"unused reservation": {
			"amortized.csv", priced(cells{
				"ChargeType": "UnusedReservation", "PricingModel": "Reservation", "SubscriptionId": "",
			}), "null 1 8 0", ledger.LineCommitmentFee, ledger.CategoryUsage, "reserved",
		},
		"unused plan": {
			"amortized.csv", cells{"ChargeType": "UnusedSavingsPlan", "PricingModel": "SavingsPlan"},
			"null 1 null null", ledger.LineCommitmentFee, ledger.CategoryUsage, "savings_plan",
		},
		"reservation bought": {
			"x.csv", cells{"ChargeType": "Purchase", "PricingModel": "Reservation"},
			"1 null null null", ledger.LineCommitmentFee, ledger.CategoryPurchase, "reserved",
		},
		"bought, by service": {
			"x.csv", cells{"ChargeType": "Purchase", "PricingModel": "-", "ConsumedService": "Microsoft.Capacity"},
			"1 null null null", ledger.LineCommitmentFee, ledger.CategoryPurchase, "reserved",
		},
		"reservation returned": {
			"x.csv", cells{"ChargeType": "Refund", "PricingModel": "Reservation", "CostInBillingCurrency": "-700.5"},
			"-700.5 null null null", ledger.LineCommitmentFee, ledger.CategoryPurchase, "reserved Correction",
		},
		"marketplace bought": {
			"x.csv", cells{"ChargeType": "Purchase", "PublisherType": "Marketplace", "ProductName": "Support bot"},
			"1 1 null null", ledger.LineOther, ledger.CategoryPurchase, "",
		},
		"support bought": {
			"x.csv", cells{"ChargeType": "Purchase", "ProductName": "Azure Standard Support"},
			"1 1 null null", ledger.LineInvoice, ledger.CategoryPurchase, "",
		},
		"refund of use": {
			"x.csv", cells{"ChargeType": "Refund", "CostInBillingCurrency": "-2"},
			"-2 -2 null null", ledger.LineDiscount, ledger.CategoryAdjustment, "Correction",
		},
		"rounding": {
			"x.csv", cells{"ChargeType": "RoundingAdjustment", "SubscriptionId": ""},
			"1 1 null null", ledger.LineInvoice, ledger.CategoryAdjustment, "",
		},
		"tax": {
			"x.csv", cells{"ChargeType": "Tax"}, "1 1 null null", ledger.LineInvoice, ledger.CategoryTax, "",
		},
		"credit": {
			"x.csv", cells{"ChargeType": "Credit"}, "1 1 null null", ledger.LineDiscount, ledger.CategoryCredit, "",
		},
		"adjustment": {
			"x.csv", cells{"ChargeType": "Adjustment"}, "1 1 null null", ledger.LineDiscount, ledger.CategoryAdjustment, "",
		},
		"unknown": {
			"x.csv", cells{"ChargeType": "QuantumFee"}, "1 1 null null", ledger.LineOther, ledger.CategoryAdjustment, "",
		},
		"free": {
			"x.csv", cells{"Quantity": "2", "UnitPrice": "0", "PayGPrice": "0", "CostInBillingCurrency": "0"},
			"0 0 0 0", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"other pricing money": {
			"x.csv", priced(cells{
				"pricingCurrency": "USD", "BillingCurrencyCode": "EUR", "exchangeRatePricingToBilling": "0.9",
			}), "1 1 7.2 5.4", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"no exchange rate": {
			"x.csv", priced(cells{"pricingCurrency": "USD", "BillingCurrencyCode": "EUR"}),
			"1 1 null null", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"list worked out": {
			"x.csv", priced(cells{"paygCostInBillingCurrency": "9.5"}), "1 1 9.5 6", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"every digit": {
			"x.csv", cells{
				"Quantity": "0.0000000123456789", "UnitPrice": "1.2345678901234567890123456789",
				"CostInBillingCurrency": "1.6296932136636646247485419001E1",
			}, "16.296932136636646247485419001 16.296932136636646247485419001 null " +
				"0.00000001524157875171467887517146788750190521", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"plan of no model": {
			"amortized.csv", cells{"PricingModel": "", "benefitId": planID}, "null 1 null null", ledger.LineCoveredUsage,
			ledger.CategoryUsage, "savings_plan /providers/microsoft.billingbenefits/savingsplanorders/o/savingsplans/p",
		},
		"licence benefit": {
			"x.csv", cells{"PricingModel": "OnDemand", "benefitId": planID}, "1 1 null null", ledger.LineUsage,
			ledger.CategoryUsage, "/providers/microsoft.billingbenefits/savingsplanorders/o/savingsplans/p",
		},
		"spot": {
			"x.csv", cells{"PricingModel": "Spot"}, "1 1 null null", ledger.LineUsage, ledger.CategoryUsage, "spot",
		},
		"nothing of commitment": {
			"x.csv", cells{"ReservationId": "00000000-0000-0000-0000-000000000000", "PricingModel": "-"},
			"1 1 null null", ledger.LineUsage, ledger.CategoryUsage, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ch, d, tally := one(t, c.file, base(c.row))
			more := strings.Join(strings.Fields(strings.Join([]string{string(ch.PriceClass), ch.Class, ch.CommitmentID}, " ")),
				" ")
			if got := costs(ch); got != c.want || ch.Kind != c.kind || ch.Category != c.cat || more != c.more {
				t.Errorf("%s %s %s %q, want %s %s %s %q", got, ch.Kind, ch.Category, more, c.want, c.kind, c.cat, c.more)
			}
			if noted := tally.Noted["unknown charge type QuantumFee"]; (noted == 1) != (name == "unknown") {
				t.Errorf("noted %v", tally.Noted)
			}
			if d.Scope != "8611" || d.Partition != "2026-09" ||
				ch.Period.String() != "2026-09-02T00:00:00Z/2026-09-03T00:00:00Z" || ch.Provider != "azure" {
				t.Errorf("%s %s %s", d.Scope, d.Partition, ch.Period)
			}
			if want := map[bool]string{true: "8611", false: account}[c.row["SubscriptionId"] == "" &&
				hasKey(c.row, "SubscriptionId")]; ch.Account != want {
				t.Errorf("account %s", ch.Account)
			}
		})
	}
}

func hasKey(c cells, k string) bool {
	_, ok := c[k]
	return ok
}

func TestDatasets(t *testing.T) {
	use := func(more cells) cells { return base(more) }
	covered := func(cost string) cells {
		return base(cells{"PricingModel": "Reservation", "ReservationId": "r", "CostInBillingCurrency": cost})
	}
	for name, c := range map[string]struct {
		path string
		rows []cells
		want string
		refs string // of the refusal
	}{
		"by file": {"x/EA_ActualCost_1.csv", []cells{covered("3")}, datasetActual, ""},
		"by folder": {
			"exports/my-amortized-cost/20260901-20260930/part_0.csv", []cells{use(nil)}, datasetAmortized, "",
		},
		"British folder":      {"amortised/part_0.csv", []cells{use(nil)}, datasetAmortized, ""},
		"last folder counts":  {"actual/amortizedcost/part_0.csv", []cells{use(nil)}, datasetAmortized, ""},
		"a folder of both":    {"actual/actual-and-amortized/part_0.csv", []cells{use(nil)}, datasetActual, ""},
		"no commitments":      {"x.csv", []cells{use(nil), use(nil)}, datasetPlain, ""},
		"covered for nothing": {"x.csv", []cells{use(nil), covered("0")}, datasetActual, ""},
		"covered that costs":  {"x.csv", []cells{covered("0"), covered("0.1")}, datasetAmortized, ""},
		"unused":              {"x.csv", []cells{use(cells{"ChargeType": "UnusedReservation"})}, datasetAmortized, ""},
		"bought": {
			"x.csv", []cells{use(cells{"ChargeType": "Purchase", "PricingModel": "SavingsPlan"}), covered("0")},
			datasetActual, "",
		},
		"two datasets in one file": {
			"x.csv", []cells{use(cells{"ChargeType": "Purchase", "PricingModel": "Reservation"}), covered("0.1")},
			"", "two datasets",
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			sheet(t, filepath.Join(root, c.path), c.rows...)
			r, err := readAll(t, billtest.List(t, root))
			if c.refs != "" {
				if err == nil || !strings.Contains(err.Error(), c.refs) {
					t.Fatalf("%v", err)
				}
				return
			}
			if err != nil || r.Tally.RejectedRows() > 0 {
				t.Fatal(err, r.Tally.First)
			}
			r.Check(t)
			if got := r.Deliveries[0].Dataset; got != c.want {
				t.Errorf("%s", got)
			}
		})
	}
}

// The pair of one month is two deliveries, each the book of its measures.
func TestPair(t *testing.T) {
	root := t.TempDir()
	sheet(t, filepath.Join(root, "ActualCost", "part_0_0001.csv"),
		base(cells{
			"ChargeType": "Purchase", "PricingModel": "Reservation", "ReservationId": "r", "CostInBillingCurrency": "720",
		}),
		base(cells{"PricingModel": "Reservation", "ReservationId": "r", "CostInBillingCurrency": "0", "Quantity": "20"}))
	sheet(t, filepath.Join(root, "AmortizedCost", "part_0_0001.csv"),
		base(cells{
			"PricingModel": "Reservation", "ReservationId": "r",
			"CostInBillingCurrency": "20", "Quantity": "20", "UnitPrice": "1.5",
		}),
		base(cells{
			"ChargeType": "UnusedReservation", "PricingModel": "Reservation", "ReservationId": "r",
			"CostInBillingCurrency": "4", "SubscriptionId": "00000000-0000-0000-0000-000000000000",
		}))
	r, err := readAll(t, billtest.List(t, root))
	if err != nil || len(r.Deliveries) != 2 {
		t.Fatal(err, r)
	}
	r.Check(t)
	var got []string
	for _, d := range r.Deliveries {
		carried := ""
		for _, m := range ledger.Metrics {
			if slices.ContainsFunc(d.Totals, func(c ledger.ControlTotal) bool { return c.Metric == m }) {
				carried += fmt.Sprint(" ", m, "=", billtest.Total(d, m))
			}
		}
		got = append(got, fmt.Sprint(d.Dataset, " rank ", d.Rank, carried))
	}
	slices.Sort(got)
	want := []string{"ActualCost rank 3 billed_cost=720", "AmortizedCost rank 3 effective_cost=24 contracted_cost=30"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestCurrencies(t *testing.T) {
	for code, want := range map[string]string{"USD": "USD", "eur": "EUR", "MC": "MC", "POINTS": "POINTS"} {
		c, d, tally := one(t, "x.csv", base(cells{"BillingCurrencyCode": code}))
		noted := tally.Noted["currency "+want+", which is not an ISO 4217 code"]
		if c.Currency != want || d.Totals[0].Currency != want || (noted == 1) != (len(want) != 3) {
			t.Errorf("%s: %s %v", code, c.Currency, tally.Noted)
		}
	}
	for code, reason := range map[string]string{
		"": "missing value", "U$D": "unknown unit", "X": "unknown unit", "TWELVELETTERS": "unknown unit",
	} {
		p := filepath.Join(t.TempDir(), "x.csv")
		sheet(t, p, base(cells{"BillingCurrencyCode": code}))
		r, err := readAll(t, billtest.List(t, p))
		if err != nil || r.Tally.RejectedRows() != 1 || r.Tally.First[0].Reason != reason {
			t.Errorf("%q: %v %+v", code, err, r)
		}
	}
	if c, _, _ := one(t, "x.csv", base(cells{
		"BillingCurrencyCode": "", "CostInBillingCurrency": "0",
	})); c.Currency != "XXX" {
		t.Errorf("%s", c.Currency)
	}
}

// Short products and long ones are the same numbers.
func TestProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimal := rapid.StringMatching(`-?[0-9]{1,9}(\.[0-9]{1,9})?`)
		factors := [3]string{
			decimal.Draw(t, "a"), decimal.Draw(t, "b"), rapid.SampledFrom([]string{"1", "0.9", "1.085731"}).Draw(t, "rate"),
		}
		want := big.NewRat(1, 1)
		for _, f := range factors {
			r, err := exact(f)
			if err != nil {
				t.Fatal(err)
			}
			want.Mul(want, r)
		}
		got, ok := product(money.MustParse(factors[0]), money.MustParse(factors[1]))
		if ok {
			got, ok = product(got, money.MustParse(factors[2]))
		}
		if !ok || got.Rat().Cmp(want) != 0 {
			t.Fatalf("%q: %s, want %s", factors, got, want.FloatString(30))
		}
		if text, ok := shortText(factors); ok {
			r, err := exact(text)
			if err != nil || r.Cmp(want) != 0 {
				t.Fatalf("%q: %q, want %s", factors, text, want.FloatString(30))
			}
		}
	})
	for _, f := range []string{"", "-", ".", "1e5", "1.2.3", "--1", "0x1", "1_0", "1.-2", " 1", "9999999999999999999"} {
		if text, ok := shortText([3]string{f, "1", "1"}); ok {
			t.Errorf("%q: %q", f, text)
		}
	}
}

// Names and the invoice of a line leave as columns of FOCUS.
func TestDetails(t *testing.T) {
	c, _, _ := one(t, "x.csv", base(cells{"InvoiceId": "G001", "BillingAccountName": "Example", "SubscriptionName": "ml",
		"ReservationName": ""}))
	for name, want := range map[string]string{"InvoiceId": "G001", "BillingAccountName": "Example", "SubAccountName": "ml",
		"CommitmentDiscountName": "", "InvoiceIssuerName": "Microsoft"} {
		if got := c.Details[name]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// SKU, meter and unit prices leave as stated.
func TestPricedDetails(t *testing.T) {
	stated := cells{"MeterId": "M1", "PartNumber": "AAH-1", "MeterName": "NC24ads A100 v4", "PublisherName": "Microsoft",
		"ResourceName": "vm-1", "Quantity": "24", "UnitPrice": "3", "PayGPrice": "3.673", "CostInBillingCurrency": "72",
		"AdditionalInfo": `{"ServiceType":"Standard_NC24ads_A100_v4","VCPUs":24}`}
	got, _, _ := one(t, "x.csv", base(stated))
	for name, want := range map[string]string{"SkuId": "M1", "SkuPriceId": "AAH-1", "SkuMeter": "NC24ads A100 v4",
		"SkuPriceDetails": `{"CoreCount":24,"InstanceType":"Standard_NC24ads_A100_v4"}`, "PublisherName": "Microsoft",
		"ResourceName": "vm-1", "ListUnitPrice": "3.673", "ContractedUnitPrice": "3", "PricingCurrency": ""} {
		if got.Details[name] != want {
			t.Errorf("%s: %q, want %q", name, got.Details[name], want)
		}
	}
	if got.Quantities != nil {
		t.Errorf("%+v", got.Quantities)
	}
}

// Prices and the cost that a row states in another currency than the bill's are those of PricingCurrency.
func TestPricingCurrency(t *testing.T) {
	stated := cells{"BillingCurrencyCode": "EUR", "PricingCurrency": "USD", "ExchangeRatePricingToBilling": "0.5",
		"Quantity": "24", "UnitPrice": "3", "PayGPrice": "4", "CostInBillingCurrency": "36", "CostInPricingCurrency": "72"}
	c, _, _ := one(t, "x.csv", base(stated))
	for name, want := range map[string]string{"PricingCurrency": "USD", "PricingCurrencyListUnitPrice": "4",
		"PricingCurrencyContractedUnitPrice": "3", "ListUnitPrice": "", "ContractedUnitPrice": ""} {
		if c.Details[name] != want {
			t.Errorf("%s: %q, want %q", name, c.Details[name], want)
		}
	}
	if q := c.Quantities; q == nil || text(q.PricingCurrencyCost) != "72" || text(q.Pricing) != "24" ||
		text(q.Consumed) != "24" {
		t.Errorf("%+v", q)
	}
}
