package policy

import (
	"fmt"
	"strings"
	"testing"
)

func TestDifferences(t *testing.T) {
	const strict = "version: strict\nsettings: {idle: lt5pct-2h-mean}\nsecond_person: [policy]\nunowned_limit: 5%\n"
	for _, c := range []struct{ before, after, want string }{
		{"", "version: x", ""},
		{"", strict, "idle: lt10pct-15min → lt5pct-2h-mean; unowned_limit: 100% → 5%; second_person: [] → [policy]"},
		{strict, strings.ReplaceAll(strict, "version: strict", "version: other\nnote: the same, otherwise written"), ""},
		{
			strict, "version: weak",
			"idle: lt5pct-2h-mean → lt10pct-15min; unowned_limit: 5% → 100%; second_person: [policy] → []",
		},
		{"version: a\nsettings: {overhead_limit: 30m}", "version: b\nsettings: {overhead_limit: 1800s}", ""},
		{"", "version: x\nredistribute: [{method: held}]", `redistribute: none → [{"method":"held"}]`},
		{
			"version: a\nredistribute: [{method: held}]", "version: x\nredistribute: [ {method: used} ]",
			`redistribute: [{"method":"held"}] → [{"method":"used"}]`,
		},
	} {
		list, err := Differences([]byte(c.before), []byte(c.after))
		var got []string
		for _, d := range list {
			got = append(got, d.Name+": "+d.From+" → "+d.To)
		}
		if err != nil || strings.Join(got, "; ") != c.want {
			t.Errorf("%q to %q: %q, %v; want %q", c.before, c.after, got, err, c.want)
		}
	}
	// A difference beyond the shown part is reported, too, and long lists are shortened.
	long := func(last string) []byte {
		return []byte("version: x\nowners: [{set: {team: research}, when: {namespace: " + strings.Repeat("x", 400) + last +
			"}}]")
	}
	list, err := Differences(long("a"), long("b"))
	if err != nil || len(list) != 1 || !strings.HasSuffix(list[0].To, "… (rest differs)") || len(list[0].To) > 400 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := Differences([]byte("version: ?"), []byte("version: x")); err == nil {
		t.Error("a document that cannot be read is compared")
	}
}

func TestRateDifferences(t *testing.T) {
	rates := func(list string) Version {
		v, err := Parse([]byte("version: x\ncurrency: {rates: [" + list + "]}"))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	const first = "{from: USD, to: EUR, on: 2026-10-01, rate: 0.9, source: ECB}"
	later := []Version{
		rates(first), rates("{from: USD, to: EUR, on: 2026-10-01, rate: 0.95, source: ECB}"),
		rates("{from: EUR, to: USD, on: 2026-10-01, rate: 1.1, source: ECB}"),
	}
	for _, c := range []struct {
		v      Version
		others []Version
		want   string
	}{
		{Standard(), later, ""},
		{rates(first), nil, "USD/EUR 2026-10-01: none → 0.9"},
		{rates(first), later[:1], ""},
		{rates(first), later, "USD/EUR 2026-10-01: 0.95 → 0.9"},
	} {
		var got []string
		for _, d := range RateDifferences(c.v, c.others) {
			got = append(got, d.Name+": "+d.From+" → "+d.To)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	var many []string
	for day := range 30 {
		many = append(many, fmt.Sprintf("{from: USD, to: EUR, on: 2026-11-%02d, rate: 0.9, source: ECB}", day+1))
	}
	if list := RateDifferences(rates(strings.Join(many, ", ")), nil); len(list) != mostRates+1 ||
		list[mostRates].To != "10 more" {
		t.Errorf("%d rates are listed: %v", len(list), list)
	}
}
