package costs

import (
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/explain"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// recommendationsPage lists recommendations with decisions and realised savings.
var recommendationsPage = figures.Page{
	Path: "/recommendations", Title: "Recommendations", Group: page.RailMoney, Dataset: "recommendations",
	Order:  "-saving_per_month,-saving",
	Decide: true,
	Filter: "(holds = true or status != open)",
	Groupings: []figures.Grouping{
		{Text: "Recommendations", Keys: figures.RowsThemselves},
		{Text: "Kinds", Keys: "kind"},
		{Text: "Teams", Keys: "team"},
		{Text: "Clusters", Keys: "cluster"},
		{Text: "Status", Keys: "status"},
		{Text: "Confidence", Keys: "confidence"},
		{Text: "GPU models", Keys: "gpu_model"},
	},
	Facts: []figures.Column{
		{Name: "open_saving_per_month", Text: "Open savings a month"},
		{Name: "recommendations", Text: "Recommendations"}, {Name: "realised_saving", Text: "Realised savings"},
	},
	Columns: []figures.Column{
		{Name: "proposal", Text: "What to do", Sub: "subject", Class: "long"},
		{Name: "team", Text: "Team", Class: "wide-only nowrap"},
		{Name: "evidence", Text: "Evidence", Class: "max-only prose"},
		{Name: "observed_hours", Text: "Hours seen", Class: "huge-only"},
		{Name: "confidence", Text: "Confidence", Class: "xl-only"},
		{Name: "saving_basis", Text: "Spot loss from", Class: "huge-only"},
		{Name: "risk", Text: "Risk", Class: "xl-only"}, {Name: "effort", Text: "Effort", Class: "full-only"},
		{Name: "recommendations", Text: "Recommendations"}, {Name: "saving_per_month", Text: "Saving a month"},
		{Name: "saving", Text: "Saving, 28 days", Class: "wide-only"},
		{Name: "overlaps_with", Text: "Counted in", Class: "huge-only"},
		{Name: "realised_saving", Text: "Saved since", Class: "max-only"},
		{Name: "recommendation_id", Text: "Findings", Class: "xl-only"},
		{Name: "status", Text: "Status", Sub: "note", Class: "decided"},
	},
	Row: advised,
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok || len(f.Rows) == 0 {
			return "Possible savings.", ""
		}
		c := p.Printed(w.Text("currency"))
		counts := []string{format.Plural(int(w.Count("recommendations")), "recommendation", "recommendations")}
		for _, other := range f.Whole {
			if n := other.Count("recommendations"); other.Text("currency") == "" && n > 0 && p.Currency != "" {
				counts = append(counts, format.Count(n)+" without an amount")
			}
		}
		said := "Monthly savings are not known yet. They need 7 days of data, 3 of them from the workload or machine."
		if a := w.Amount("open_saving_per_month"); a != nil {
			said = c.Money(*a) + " a month could be saved."
		}
		return said,
			strings.Join(counts, " and ") +
				", each with its evidence. Overlapping savings are counted once."
	},
	Links: []views.Link{{Text: "Kinds explained", Href: metrics.ReferencePath + "#" + explain.ChapterAdvice}},
	First: "Recommendations appear when bills and a day of telemetry are imported and allocated.",
	None:  "No savings found. Checked: at least a day of telemetry, findings, prices of smaller cards and of spot.",
	Notes: []string{
		"Savings of the last 28 days, scaled to 730 hours from when the workload or machine first appeared: seven days " +
			"count as seven, not as a quarter of 28.",
		"If recommendations save on the same time of the same holder, sums count only the one that saves most. " +
			"The others name it under Counted in.",
		"Savings are measured from when a recommendation is marked done. You can also decide with gpuledger " +
			"recommendation decide ID STATUS or POST /api/v1/recommendations/ID.",
	},
	More: []figures.Panel{
		{Title: "By kind", Note: "overlapping savings counted once", Dataset: "recommendations", By: "kind",
			Order: "-saving_per_month,-saving", Limit: 20, None: "No recommendations.", Columns: []figures.Column{
				{Name: "recommendations", Text: "Recommendations"}, {Name: "saving_per_month", Text: "Saving a month"},
				{Name: "realised_saving", Text: "Saved since", Class: "wide-only"}}},
	},
}

// advised is the address of a recommendation's subject. For a commitment it lists the
// machines of its type by how they were bought.
func advised(p *page.Context, r page.Record) string {
	if r.Text("instrument") == "" {
		return figures.Thing(p, r)
	}
	instanceType, _, _ := strings.Cut(r.Text("subject"), "/")
	return p.Scope.Narrowing("/commitments", page.Equal("instance_type", instanceType))
}
