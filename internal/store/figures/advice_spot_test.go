package figures_test

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/advice"
	"gpuledger/test/storetest"
)

// Advice uses the numbers of dataset spot for the team in the same days.
func TestAdviceOnSpotIsByWhatDatasetSpotMeasured(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.RollNovember(t, s)
	day := period.Interval{From: storetest.AdviceDay, To: storetest.AdviceDay + period.Day}
	of := storetest.Table(t, s, "spot", metrics.Options{
		From: "2026-11-02", To: "2026-11-03", Filter: "group_key = team and group_value = research",
	})[0]
	teams, fleet, err := s.SpotRecords(t.Context(), day)
	if err != nil {
		t.Fatal(err)
	}
	r := teams[[2]string{"research", "USD"}]
	if r.Cost.String() != of["effective_cost"] || r.Lost.String() != of["lost_cost"] || r.Lost.Sign() <= 0 ||
		r.Days != 1 || fleet["USD"].Cost.Cmp(r.Cost) < 0 {
		t.Errorf("%+v of all %+v; dataset spot has %v", r, fleet, of)
	}
	if later, _, err := s.SpotRecords(t.Context(), period.Interval{From: day.To, To: day.To + period.Day}); err != nil ||
		later[[2]string{"research", "USD"}] != (advice.SpotRecord{}) {
		t.Errorf("a day later: %v, %v", later, err)
	}
}
