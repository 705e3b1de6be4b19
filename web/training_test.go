package web_test

import (
	"net/http"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/test/dashtest"
)

// The sentence names every part of the cost that is divided by completed runs: failed runs, and
// runs whose end was not observed.
func TestTrainingNamesAllThatItAdds(t *testing.T) {
	row := dashtest.Row{"runs": int64(5), "completed_runs": int64(2), "effective_cost": money.MustParse("100"),
		"failed_cost": money.MustParse("30"), "unknown_end_cost": money.MustParse("10"),
		"cost_per_completed_run":        money.MustParse("30"),
		"cost_per_completed_run_all_in": money.MustParse("50"), "currency": "USD", "team": "speech"}
	for _, c := range []struct {
		want   string
		change func()
	}{
		{
			"2 runs completed. Failed and cancelled runs cost another $30.00, runs with an unknown end $10.00. " +
				"Including failures and unknown ends: $50.00 per completed run.", func() {},
		},
		{"cost another $30.00. Including failures: $45.00 per completed run.", func() {
			row["unknown_end_cost"], row["cost_per_completed_run_all_in"] = money.Amount{}, money.MustParse("45")
		}},
	} {
		c.change()
		r := dashtest.New()
		r.Tables["runs"] = []dashtest.Row{row}
		w := get(t, server(t, r), "/training")
		if w.Code != http.StatusOK {
			t.Fatal(w.Code)
		}
		has(t, "the page", w.Body.String(), c.want)
	}
}
