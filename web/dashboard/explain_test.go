package dashboard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/test/dashtest"
)

// TestExplainedPages draws every kind of section, and checks that outside text is
// escaped and that a missing figure is reported.
func TestExplainedPages(t *testing.T) {
	text := func(s string) *string { return &s }
	hostile := `<script>alert("x")</script>`
	at := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	cost := metrics.Figure{Currency: "USD", Effective: text("0.123456789012"), State: "open", Quality: "estimated"}
	line := int64(7)
	posting := &metrics.Explanation{Subject: "posting/1", Figures: []metrics.Figure{cost},
		Formula: "share = part × weight",
		Posting: &metrics.ExplainedPosting{
			PostingID: "1", Hour: at, Cause: "lost", Why: "it was lost",
			Kind: "adjustment", Adjusts: text("ab"), Team: hostile, RunID: &hostile,
		},
		Shares: []metrics.Derivation{
			{
				Metric: "effective_cost", Part: "1", Share: "1/8", Whole: "5",
				Remainder: "3", Left: "2", Place: 1, Extra: true, Posted: "0.123456789012",
			},
		},
		NodeHours: []metrics.NodeHour{{Node: hostile, Hour: at, Denominator: "7",
			Rows: []metrics.WeightedRow{
				{
					Weight: "3", Mine: true, PerSecond: "1/7",
					ExplainedUsage: metrics.ExplainedUsage{
						Slot: 2, Holder: hostile, Cause: "lost", Seconds: 60, Device: text("GPU-1"),
					},
				},
				{Weight: "4", ExplainedUsage: metrics.ExplainedUsage{Slot: 9, Cause: "free"}}},
			Parts: []metrics.ExplainedPart{
				{File: &hostile, Line: &line, ChargeID: text("c1"), Cut: "by hand", Amount: cost, Share: cost},
			},
			Evidence: &metrics.NodeEvidence{Source: "frozen",
				Samples: []metrics.SliceSamples{
					{Slot: 2, Device: "GPU-1", Signal: "gr_engine_ppm", Minutes: 40, High: 123_456}, {Slot: 9, Device: "GPU-unseen"},
				},
				Layouts: []metrics.CardLayout{
					{
						Slot: 2, Sum: "15/14", Note: "is more than 1",
						Slices: []metrics.LayoutSlice{{Profile: "4g.20gb", Raw: "4/7", Weight: "8/15"}},
					},
				},
				Holders: []metrics.HolderEvidence{
					{Holder: hostile, Basis: "exporter_rows", Device: text("GPU-1"), Minutes: 3, From: &at},
				}}}},
		Settings: []metrics.PolicySettings{{Version: "v1", Settings: map[string]string{"idle": hostile}}}}
	yes := true
	cell := &metrics.Explanation{Subject: "costs?group-by=team", Figures: []metrics.Figure{cost}, Level: &metrics.Level{
		Cuts: []metrics.Cut{{By: []string{"team", "cause"}, Agrees: &yes, Next: 100,
			Rows: []metrics.CutRow{{Keys: []*string{&hostile, text("lost")}, Subject: "costs?filter=team+%3D+x", Amount: cost}}},
			{
				By: []string{"day"}, Agrees: new(bool),
				Rows: []metrics.CutRow{
					{Keys: []*string{text("2026-11-02T00:00:00Z")}, Subject: "costs?from=2026-11-02", Amount: cost},
				},
			}},
		Lines: &metrics.LevelLines{Count: 2300, First: 100, Agrees: true, Rows: []metrics.LevelLine{
			{
				Subject: "charge/c1", File: &hostile, Line: &line, Service: &hostile, Node: &hostile,
				Kind: "compute", From: at, To: at.Add(time.Hour), Postings: 8, Amount: cost,
			},
			{Subject: "posting/p1", Kind: "shared_in", From: at, To: at.Add(48 * time.Hour), Amount: cost}},
			Listed: []metrics.BehindRow{
				{PostingID: "0123456789abcdef", Hour: at, Node: &hostile, Cause: "used", Amount: cost},
			}}}}
	pool := &metrics.Explanation{Subject: "posting/2", Figures: []metrics.Figure{cost},
		Pool: &metrics.ExplainedPool{PoolID: "p", Day: at, Cluster: hostile, Cause: "free", Total: cost, Method: "held",
			Postings: 4,
			Rows: []metrics.PoolRow{
				{
					ShareID: "s1", Kind: "shared_in", Team: hostile, Weight: "1",
					WeightOf: "3", TeamWeight: 1, TeamWeightOf: 2, Amount: cost, Mine: true,
				},
			}}}
	saved := &metrics.Explanation{Subject: "spot",
		Figures: []metrics.Figure{
			{Currency: "USD", State: "open", Others: []metrics.NamedFigure{{Name: "net_savings", Value: "6.25"}}},
		}, Spot: &metrics.ExplainedSpot{Count: 2, Agrees: true,
			Cuts: []metrics.SpotCut{
				{
					By: "instance_type", Rows: []metrics.SpotCutRow{
						{
							Value: hostile, Subject: "spot?filter=x",
							SpotSum: metrics.SpotSum{Currency: "USD", Net: money.MustParse("6.125")},
						},
					},
				},
			},
			Sums: []metrics.SpotSum{
				{
					Currency: "USD", Gross: money.MustParse("10"), Lost: money.MustParse("4"),
					Net: money.MustParse("6"), Unknown: money.MustParse("0.5"),
				},
			},
			Listed: []metrics.SpotPosting{
				{
					PostingID: "00000000000000ab", Hour: at, Node: hostile, Cause: "lost", Currency: "USD",
					Effective: text("1"), Rate: text("98.32"), Source: text("price_book"), Detail: &hostile,
				},
			}}}
	reader := dashtest.New()
	reader.Explained = map[string]*metrics.Explanation{
		"posting/00000000000000000000000000000001": posting, "costs?group-by=team": cell,
		"spot": saved, "posting/00000000000000000000000000000002": pool,
	}
	d, err := New(Options{Reader: reader})
	if err != nil {
		t.Fatal(err)
	}
	r := chi.NewRouter()
	d.Routes(r)
	for path, want := range map[string]struct {
		status int
		words  []string
	}{
		"/explain/posting/00000000000000000000000000000001": {
			200, []string{
				"0.123456789012", "1/8", "1 +1", "a posting of a closed period", "/explain/posting/ab",
				"/explain/charge/c1", "12.3 %", "8/15", "as it was when the period was closed", "40",
			},
		},
		"/explain/costs?group-by=team": {200,
			[]string{"By team, cause", "The rows add up to the figure", "do NOT add up", "By day", ">2026-11-02<",
				`/explain/costs?filter=team+%3D+x"`, "101–102 of 2,300", "All 2,300 rows add up",
				"/explain/costs?group-by=team&amp;skip=100", "/explain/costs?group-by=team&amp;skip=102",
				"/explain/charge/c1", ":7</", "/explain/posting/p1", "no bill line", "2 Nov 10:00 to 4 Nov 10:00",
				"/explain/posting/0123456789abcdef", "/api/v1/explain/costs?group-by=team&amp;list=all"}},
		"/explain/posting/00000000000000000000000000000002": {200, []string{"1/2 × 1/3", "shared in", "rule 0 of"}},
		"/explain/posting/00000000000000000000000000000003": {404, []string{"not in the ledger"}},
		"/explain/spot": {
			200, []string{
				"$10.00 gross − $4.00 lost = $6.00 net.", "The on-demand price of another $0.50 is not known.",
				"/explain/posting/00000000000000ab", "price book", "1 of 2 postings", "Net savings, USD",
				"6.25", "By instance type", `/explain/spot?filter=x"`, "6.125", "/api/v1/explain/spot?list=all",
			},
		},
		"/explain/costs?from=2026-11-02T00:00:00Z&to=2026-11-03&filter=team+%3D+x&group_by=cost_center&basis=list": {404,
			[]string{
				"Explain: costs from 2026-11-02 to 2026-11-03 by cost center where team = x, basis list<"}},
		"/explain/nonsense":         {400, []string{"must be run/ID"}},
		"/explain/costs?colour=red": {400, []string{"colour"}},
	} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		body := w.Body.String()
		if w.Code != want.status {
			t.Errorf("%s: %d, want %d", path, w.Code, want.status)
		}
		for _, word := range want.words {
			if !strings.Contains(body, word) {
				t.Errorf("%s lacks %q", path, word)
			}
		}
		if strings.Contains(body, "<script>alert") || strings.Contains(body, "GPU-unseen") {
			t.Errorf("%s has unescaped text or an unseen device", path)
		}
	}
}
