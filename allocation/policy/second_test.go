package policy

import (
	"strings"
	"testing"
)

func TestSecondPerson(t *testing.T) {
	for document, want := range map[string]string{
		"version: x":                                      "[]",
		"version: x\nsecond_person: []":                   "[]",
		"version: x\nsecond_person: [reopen]":             "[reopen]",
		"version: x\nsecond_person: [policy, reopen]":     "[reopen, policy]",
		"version: x\nsecond_person: [policy, policy]":     "!policy is given twice",
		"version: x\nsecond_person: [close]":              `!"close" is unknown: choose from [reopen, policy]`,
		"version: x\nsecond_person: reopen":               "!cannot unmarshal",
		"version: x\nsettings: {second_person: [reopen]}": `!"second_person" is unknown`,
	} {
		v, err := Parse([]byte(document))
		if wrong, bad := strings.CutPrefix(want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%q: %v, want %q", document, err, wrong)
			}
			continue
		}
		if err != nil || showGuarded(v.SecondPerson) != want {
			t.Errorf("%q: %v, %v; want %s", document, v.SecondPerson, err, want)
		}
	}
	if Standard().Guards(Reopening) || Standard().Guards(Policies) {
		t.Error("the standard asks for a second person")
	}
	v, err := Parse([]byte("version: x\nsecond_person: [policy]"))
	if err != nil || !v.Guards(Policies) || v.Guards(Reopening) {
		t.Errorf("%+v, %v", v, err)
	}
	// It is a version of the rules, even together with exchange rates.
	const rates = "\ncurrency: {rates: [{from: USD, to: EUR, on: 2026-10-01, rate: 0.9, source: ECB}]}"
	if v, err = Parse([]byte("version: x\nsecond_person: [policy]" + rates)); err != nil || v.OnlyRates {
		t.Errorf("%+v, %v", v, err)
	}
}
