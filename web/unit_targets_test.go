package web_test

import (
	"strings"
	"testing"

	"gpuledger/test/dashtest"
)

// The overview shows the targets of the team that it is filtered to, and none where the policy has none.
func TestOverviewShowsTargetsOfUnitCosts(t *testing.T) {
	reader := dashtest.New()
	if page := get(t, server(t, reader), "/?team=speech").Body.String(); strings.Contains(page, "target of ") {
		t.Error("a target without a policy that has one")
	}
	reader.Tables["policies"] = []dashtest.Row{{"version": "goals", "status": "holds", "document": `version: goals
unit_cost_targets:
  - {measure: cost_per_active_gpu_hour, amount: 0.01, currency: USD}
  - {measure: cost_per_active_gpu_hour, team: speech, amount: 1000, currency: USD}
  - {measure: cost_per_completed_run, amount: 1, currency: SEK}
`}}
	for path, want := range map[string]string{
		"/":                 "target of the fleet: $0.01000 missed",
		"/?team=speech":     "target of team speech: $1,000.00 met",
		"/?team=foundation": "",
	} {
		page := get(t, server(t, reader), path).Body.String()
		_, text, found := strings.Cut(page, ">target of ")
		if found != (want != "") {
			t.Errorf("%s: has a target: %v, want %q", path, found, want)
			continue
		}
		if !found {
			continue
		}
		text, rest, _ := strings.Cut(text, "<")
		_, tag, _ := strings.Cut(rest, `<span class="tag`)
		_, tag, _ = strings.Cut(tag, ">")
		tag, _, _ = strings.Cut(tag, "<")
		if got := "target of " + text + " " + tag; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if !strings.Contains(page, "target of the fleet: n/a, no exchange rate from SEK") {
			t.Errorf("%s does not say that a rate is missing", path)
		}
	}
}
