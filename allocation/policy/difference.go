package policy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Difference is one entry that differs between two versions.
type Difference struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// longestShown is the most bytes shown of a list.
const longestShown = 300

// Differences lists how a document differs from the one before it, in the order of documents: settings and words by
// their effective values, lists as written, shortened. An empty document is the standard. Exchange rates add up: see
// RateDifferences.
func Differences(before, after []byte) ([]Difference, error) {
	was, wasLists, err := read(before)
	if err != nil {
		return nil, err
	}
	is, isLists, err := read(after)
	if err != nil {
		return nil, err
	}
	var out []Difference
	add := func(name, from, to string) {
		if from != to {
			out = append(out, Difference{name, from, to})
		}
	}
	for _, s := range Settings {
		add(s.Name, s.Show(was.Settings), s.Show(is.Settings))
	}
	for _, name := range []string{"overrides", "owners", "allowed", "values", "redistribute"} {
		out = append(out, listDifference(name, wasLists[name], isLists[name])...)
	}
	add("commitments", string(was.Commitments), string(is.Commitments))
	add("unowned_limit", showPercent(was.UnownedLimitPPM), showPercent(is.UnownedLimitPPM))
	add("second_person", showGuarded(was.SecondPerson), showGuarded(is.SecondPerson))
	add("budget_steps", showSteps(was.BudgetSteps), showSteps(is.BudgetSteps))
	add("fiscal_calendar", showFiscal(was.Fiscal), showFiscal(is.Fiscal))
	add("journal_accounts", showAccounts(was.JournalAccounts), showAccounts(is.JournalAccounts))
	return append(out, listDifference("unit_cost_targets", wasLists["unit_cost_targets"],
		isLists["unit_cost_targets"])...), nil
}

// mostRates is the most exchange rates that are listed.
const mostRates = 20

// RateDifferences lists the exchange rates that a version changes, compared with the other versions' rates of the same
// pair and day. others are in the order in which they were stored.
func RateDifferences(v Version, others []Version) []Difference {
	said := map[string]string{}
	name := func(r ExchangeRate) string { return r.From + "/" + r.To + " " + r.On.Time().Format("2006-01-02") }
	for _, o := range others {
		for _, r := range o.ExchangeRates {
			said[name(r)] = r.Rate.String()
		}
	}
	var out []Difference
	for i, r := range v.ExchangeRates {
		if i == mostRates {
			return append(out, Difference{"exchange rates", "", fmt.Sprintf("%d more", len(v.ExchangeRates)-i)})
		}
		if from, to := cmp.Or(said[name(r)], "none"), r.Rate.String(); from != to {
			out = append(out, Difference{name(r), from, to})
		}
	}
	return out
}

// read returns a document's effective version and its parts as written.
func read(text []byte) (v Version, written map[string]any, err error) {
	if len(text) == 0 {
		return Standard(), nil, nil
	}
	if v, err = Parse(text); err != nil {
		return v, nil, err
	}
	return v, written, yaml.Unmarshal(text, &written)
}

func listDifference(name string, from, to any) []Difference {
	if reflect.DeepEqual(from, to) {
		return nil
	}
	a, b := shown(from), shown(to)
	if a == b { // they differ beyond the part shown
		b += " (rest differs)"
	}
	return []Difference{{name, a, b}}
}

// shown is a part of a document on one line.
func shown(part any) string {
	if part == nil {
		return "none"
	}
	text, err := json.Marshal(part)
	if err != nil { // keys that are not names: Parse refuses them
		return "unreadable"
	}
	if len(text) > longestShown {
		return strings.ToValidUTF8(string(text[:longestShown]), "") + "…"
	}
	return string(text)
}
