package policy

import (
	"strings"
	"testing"
)

func TestBudgetSteps(t *testing.T) {
	for document, want := range map[string]string{
		"version: x":                                          "[80, 100, 120]",
		"version: x\nbudget_steps: []":                        "[80, 100, 120]",
		"version: x\nbudget_steps: [50, 75, 90, 1000]":        "[50, 75, 90, 1000]",
		"version: x\nbudget_steps: [100, 80]":                 "!each above the one before",
		"version: x\nbudget_steps: [80, 80]":                  "!each above the one before",
		"version: x\nbudget_steps: [0]":                       "!from 1 to 1000",
		"version: x\nbudget_steps: [1001]":                    "!from 1 to 1000",
		"version: x\nbudget_steps: [1,2,3,4,5,6,7,8,9,10,11]": "!at most 10",
		"version: x\nbudget_steps: [80%]":                     "!cannot unmarshal",
		"version: x\nbudget_steps: 80":                        "!cannot unmarshal",
	} {
		v, err := Parse([]byte(document))
		if wrong, bad := strings.CutPrefix(want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%q: %v, want %q", document, err, wrong)
			}
			continue
		}
		if err != nil || showSteps(v.BudgetSteps) != want {
			t.Errorf("%q: %v, %v; want %s", document, v.BudgetSteps, err, want)
		}
	}
	const rates = "\ncurrency: {rates: [{from: USD, to: EUR, on: 2026-10-01, rate: 0.9, source: ECB}]}"
	if v, err := Parse([]byte("version: x\nbudget_steps: [50]" + rates)); err != nil || v.OnlyRates {
		t.Errorf("%+v, %v", v, err)
	}
}
