package policy

import (
	"strings"
	"testing"
)

func TestUnitCostTargets(t *testing.T) {
	const ok = "version: x\nunit_cost_targets:\n  - {measure: cost_per_completed_run, amount: 40, currency: USD}\n"
	for document, wrong := range map[string]string{
		"version: x": "",
		ok:           "",
		ok + "  - {measure: cost_per_completed_run, team: speech, amount: 12.5, currency: USD}":   "",
		ok + "  - {measure: cost_per_completed_run, amount: 36, currency: EUR}":                   "",
		ok + "  - {measure: cost_per_completed_run, amount: 36, currency: USD}":                   "of the fleet in USD is given twice",
		ok + "  - {measure: cost_per_run, amount: 36, currency: EUR}":                             "write one of cost_per_active_gpu_hour",
		ok + "  - {measure: cost_per_1m_tokens, amount: 0, currency: EUR}":                        "amount is 0",
		ok + "  - {measure: cost_per_1m_tokens, amount: -1, currency: EUR}":                       "decimal above 0",
		ok + "  - {measure: cost_per_1m_tokens, amount: $4, currency: EUR}":                       "decimal above 0",
		ok + "  - {measure: cost_per_1m_tokens, currency: EUR}":                                   "decimal above 0",
		ok + "  - {measure: cost_per_1m_tokens, amount: 1, currency: euro}":                       "ISO 4217",
		ok + "  - {measure: cost_per_1m_tokens, amount: 1}":                                       "ISO 4217",
		ok + "  - {measure: cost_per_1m_tokens, amount: 1, currency: EUR, project: tts}":          "project",
		ok + strings.Repeat("  - {measure: cost_per_1m_tokens, amount: 1, currency: EUR}\n", 500): "at most 500",
	} {
		_, err := Parse([]byte(document))
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%.200q: %v, want %q", document, err, wrong)
		}
	}
	const rates = "currency: {rates: [{from: USD, to: EUR, on: 2026-10-01, rate: 0.9, source: ECB}]}\n"
	if v, err := Parse([]byte(ok + rates)); err != nil || v.OnlyRates {
		t.Errorf("a document with targets is a version of the rules: %+v, %v", v, err)
	}
	list, err := Differences(nil, []byte(ok))
	if err != nil || len(list) != 1 || list[0].Name != "unit_cost_targets" || list[0].From != "none" {
		t.Errorf("%+v, %v", list, err)
	}
}
