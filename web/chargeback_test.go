package web_test

import (
	"testing"

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
