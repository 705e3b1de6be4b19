package policy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Difference is one thing that two versions say differently.
type Difference struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// longestShown bounds what is shown of a list, in bytes.
const longestShown = 300

// Differences lists what a document says otherwise than the one before it, in the order
// of documents: settings and words as they count, lists as they are written, shortened.
// An empty document is the standard. Exchange rates add up: see RateDifferences.
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
	return out, nil
}

// mostRates bounds how many exchange rates are listed.
const mostRates = 20

// RateDifferences lists the exchange rates that come with a version, from what the others,
// in the order in which they were stored, say of the same pair and day.
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

// read is a document as it counts and as it is written.
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
	if a == b { // they differ behind what is shown
		b += " (others)"
	}
	return []Difference{{name, a, b}}
}

// shown is a part of a document on one line.
func shown(part any) string {
	if part == nil {
		return "none"
	}
	text, err := json.Marshal(part)
	if err != nil { // keys that are no names: Parse refuses them
		return "unreadable"
	}
	if len(text) > longestShown {
		return strings.ToValidUTF8(string(text[:longestShown]), "") + "…"
	}
	return string(text)
}
