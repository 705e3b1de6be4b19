package web_test

import (
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/test/dashtest"
)

// The chargeback page queries grouped totals, and states that they are after sharing.
func TestChargebackSaysWhatAllPay(t *testing.T) {
	h, reader := served(t)
	reader.Tables["chargeback"] = []dashtest.Row{{"team": "vision", "currency": "USD", "state": "open",
		"effective_cost": "12", "own_effective_cost": "10", "shared_in_effective_cost": "2",
		"shared_out_effective_cost": "0", "gpu_hours": "5"}}
	has(t, "/chargeback", text(get(t, h, "/chargeback").Body.String()), "$12.00 to pay, after sharing.",
		"$2.00 of it was passed on from one owner to another.", "Effective cost, after sharing, USD", "vision")
	has(t, "/chargeback", get(t, h, "/chargeback?billing_period=2026-10").Body.String(),
		`href="/statement?billing_period=2026-10&amp;owner=team%3Dvision"`)
}

// An unknown cost is not 0.
func TestChargebackWithoutAPriceSaysSo(t *testing.T) {
	h, reader := served(t)
	reader.Tables["chargeback"] = []dashtest.Row{
		{"team": "vision", "currency": "USD", "state": "provisional", "gpu_hours": "5"},
	}
	has(t, "/chargeback", text(get(t, h, "/chargeback").Body.String()), "The cost of teams is not known.")
}

// Below provisional cost, the page states how good earlier estimates were.
func TestProvisionalCostHasItsMeasuredError(t *testing.T) {
	h, reader := served(t)
	row := dashtest.Row{"team": "vision", "currency": "USD", "state": "provisional", "effective_cost": "12",
		"gpu_hours": "5"}
	reader.Tables["chargeback"] = []dashtest.Row{row}
	page := func() string { return text(get(t, h, "/chargeback").Body.String()) }
	has(t, "/chargeback", page(), "Provisional cost has no bill yet. No bill has replaced an estimate yet")
	reader.Tables["provisional_accuracy"] = []dashtest.Row{{"day": period.Second(1793577600), "provider": "aws",
		"team": "vision", "currency": "USD", "provisional": "10", "final": "8", "error": "2", "share": "0.25"}}
	has(t, "/chargeback", page(),
		"Estimates of AWS in USD were 25.0 % too high over the last billed day; a day was 25.0 % off.")
	row["state"] = "open"
	if strings.Contains(page(), "Estimates of") {
		t.Error("the note is about provisional cost, and the page has none")
	}
}
