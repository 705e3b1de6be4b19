package explain_test

import (
	"context"
	"slices"
	"testing"

	"gpuledger/internal/store/explain"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// The postings behind spot savings explain them for any group, and unknown savings add nothing.
func TestSpotIsExplainedPostingByPosting(t *testing.T) {
	s := storetest.SpotLedger(t)
	for subject, want := range map[string]struct {
		postings int64
		net      string
	}{
		"spot":                           {3, "57.3575"},
		"spot/instance_type=p5.48xlarge": {3, "57.3575"},
		"spot/hour=10?from=2026-11-02&to=2026-11-03": {3, "57.3575"},
		"spot/team=research":                         {2, "24.5825"},
		"spot?filter=team=unowned":                   {1, "32.775"},
		"run/prod/ml/train":                          {2, "24.5825"},
	} {
		e, err := s.Explain(t.Context(), subject)
		if err != nil {
			t.Errorf("%s: %v", subject, err)
			continue
		}
		x := e.Spot
		if x.Count != want.postings || !x.Agrees || len(x.Sums) != 1 || x.Sums[0].Net.String() != want.net ||
			int64(len(x.Listed)) != x.Count {
			t.Errorf("%s: %+v", subject, x)
		}
		for _, p := range x.Listed {
			if *p.Source != "bill" || *p.Rate != "98.32" || *p.MachineGPUs != "8" || p.OnDemand == nil {
				t.Errorf("%s: %+v", subject, p)
			}
		}
	}
	for _, subject := range []string{
		"spot/planet=mars", "spot/instance_type", "spot?group-by=team",
		"spot?filter=nonsense", "spot/instance_type=g5.xlarge",
	} {
		if e, err := s.Explain(t.Context(), subject); err == nil {
			t.Errorf("%s is explained: %+v", subject, e.Spot)
		}
	}
	storetest.Run(t, s.Pool, `update nodes set instance_type = 'p6.unknown'`)
	storetest.Lists(t, s, 0)
	e, err := s.ExplainWith(t.Context(), "spot", explain.Options{Listed: 1})
	if err != nil || e.Spot.Count != 3 || len(e.Spot.Listed) != 1 || !e.Spot.Agrees ||
		e.Spot.Sums[0].Unknown.String() != "32.77" {
		t.Errorf("nobody knows what they would have cost: %+v, %v", e.Spot, err)
	}
	rows := storetest.Table(t, s, "spot_postings", metrics.Options{Filter: "model = llama and run = prod/ml/train"})
	if len(rows) != 2 || rows[0]["on_demand_source"] != "unknown" || rows[0]["gross_savings"] != "" {
		t.Errorf("%v", rows)
	}
}

// TestSpotByDayAndType: the rows of every table add up to the spot savings, and the explanation of each row equals
// the row; a day lists its postings.
func TestSpotByDayAndType(t *testing.T) {
	s := storetest.SpotLedger(t)
	later(t, s)
	storetest.RateSpot(t, s)
	lead := storetest.InPart(t, s, "team = 'research'")
	for _, c := range []struct {
		ctx     context.Context
		subject string
		days    int
	}{
		{t.Context(), "spot", 5}, {t.Context(), "spot/team=research", 5},
		{t.Context(), "spot?from=2026-11-02&to=2026-11-10&filter=team+%3D+research", 2}, {lead, "spot", 5},
	} {
		e, err := s.ExplainLevel(c.ctx, c.subject, 0)
		if err != nil {
			t.Fatalf("%s: %v", c.subject, err)
		}
		whole, err := s.Explain(c.ctx, c.subject)
		if err != nil {
			t.Fatal(err)
		}
		x := e.Spot
		if !x.Agrees || x.Count != whole.Spot.Count || !slices.Equal(x.Sums, whole.Spot.Sums) || len(x.Listed) != 0 ||
			len(x.Cuts) != 1 || len(x.Cuts[0].Rows) != c.days {
			t.Errorf("%s: %+v, posting by posting %+v", c.subject, x, whole.Spot)
			continue
		}
		var sum metrics.SpotSum
		for _, r := range x.Cuts[0].Rows {
			sum.Add(r.SpotSum)
			below, err := s.ExplainLevel(c.ctx, r.Subject, 0)
			if err != nil {
				t.Fatalf("%s: %v", r.Subject, err)
			}
			if b := below.Spot; len(b.Sums) != 1 || b.Sums[0] != r.SpotSum || !b.Agrees ||
				int64(len(b.Listed)) != min(b.Count, 100) {
				t.Errorf("%s: %+v; the row is %+v", r.Subject, b, r)
			}
		}
		if sum != x.Sums[0] {
			t.Errorf("%s: days add up to %+v, want %+v", c.subject, sum, x.Sums[0])
		}
	}
}
