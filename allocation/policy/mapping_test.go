package policy

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/period"
)

// Mappings apply from their day until the next one of the same name, after the rules of the version in force.
func TestMappingsJoinTheVersions(t *testing.T) {
	mapping := func(text string) Mapping {
		t.Helper()
		m, err := ParseMapping([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	v, err := Parse([]byte("kind: policy\nversion: november\nvalid_from: 2026-11-01\n" +
		"values: [{key: team, from: [a], to: policy-team}]\nowners: [{set: {project: p}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	book, err := NewBook(v)
	if err != nil {
		t.Fatal(err)
	}
	plain := book.OwnerRules()
	book = book.WithMappings(
		mapping("name: renamed\nvalues: [{key: team, from: [a, b], to: c}]\nowners: [{set: {project: q, stage: s}}]\n"),
		mapping("name: renamed\nvalid_from: 2026-12-01\nallowed: [{namespace: x, dimension: team, values: [y]}]\n"),
		mapping("name: early\nvalid_from: 2026-10-01\nvalues: [{key: team, from: [b], to: early}]\n"),
	)
	for _, c := range []struct{ day, version, a, b, project, stage string }{
		{"2026-09-30", "default-1", "c", "c", "q", "s"},
		{"2026-10-01", "default-1", "c", "early", "q", "s"},
		{"2026-11-01", "november", "policy-team", "early", "p", "s"},
		{"2026-12-01", "november", "policy-team", "early", "p", ""},
	} {
		day, _ := period.ParseDay(c.day)
		at := book.At(day)
		set := at.Owner(Place{})
		got := fmt.Sprint(at.Settings.Version, at.Mapped("team", "a"), at.Mapped("team", "b"), set["project"], set["stage"])
		if want := fmt.Sprint(c.version, c.a, c.b, c.project, c.stage); got != want {
			t.Errorf("%s: %s, want %s", c.day, got, want)
		}
		if limited := at.MayClaim("x") != nil; limited != (c.day == "2026-12-01") {
			t.Errorf("%s: claims limited: %v", c.day, limited)
		}
	}
	documents := book.Documents()
	if n := len(book.Versions()); n != 4 || len(documents) != 1 || documents[0].Settings.Version != "november" {
		t.Errorf("%d versions, documents %v", n, documents)
	}
	if book.World().Version != "november" || book.OwnerRules() == plain || !book.ClaimsLimited() {
		t.Error("the settings of the newest version, or the digest of the rules, are wrong")
	}
	if again := book.WithMappings(); again.OwnerRules() != plain || len(again.Versions()) != 1 {
		t.Error("a book without mappings is not the book of its documents")
	}
}

// Contradictions between mappings are named; the policy comes first.
func TestMappingsThatClash(t *testing.T) {
	v, err := Parse([]byte("version: x\nvalues: [{key: team, from: [a], to: b}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ values, want string }{
		{"{key: team, from: [c], to: d}", ""},
		{"{key: project, from: [a], to: b}", ""},
		{"{key: team, from: [a], to: d}", "team a is mapped by policy x, too"},
		{"{key: team, from: [b], to: d}", "team b is what policy x maps to"},
		{"{key: team, from: [c], to: a}", "team a is mapped on by policy x"},
	} {
		m, err := ParseMapping([]byte("name: m\nvalues: [" + c.values + "]\n"))
		if err != nil {
			t.Fatal(err)
		}
		book, err := NewBook(v)
		if err != nil {
			t.Fatal(err)
		}
		clashes := book.WithMappings(m).Clashes()
		if (len(clashes) == 1) != (c.want != "") || c.want != "" && !strings.HasPrefix(clashes[0].What, c.want) {
			t.Errorf("%s: %v, want %q", c.values, clashes, c.want)
		}
	}
}

// Every fault of a document is listed with its line, not only the first.
func TestAllFaultsOfADocumentAreListed(t *testing.T) {
	const text = `kind: polcy
version: x
valid_from: 1 Nov
colour: red
settings:
  idel: 5
  idle: lt5
owners:
  - set: {colour: red}
  - wen: {namespace: a}
    set: {team: a}
allowed:
  - {namespace: a, dimension: b, values: []}
values:
  - {key: team, from: [a], to: b}
  - {key: team, from: [a], to: c}
redistribute:
  - {method: held}
  - {method: fair}
budget_steps: [5, 4]
`
	_, faults := Check([]byte(text))
	var got []string
	for _, f := range faults {
		got = append(got, fmt.Sprint(f.Line, " ", f.Text))
	}
	for _, want := range []string{
		`1 kind is "polcy"`, "3 valid_from:", `4 "colour" is not a field`, `6 setting "idel" is unknown (did you mean idle?)`,
		`7 idle: "lt5" is not a preset`, `9 owner rule 1: set: "colour"`, `10 "wen" is not a field (did you mean when?)`,
		"13 allowed 1", `16 values 2: "a" of team is given twice`, `19 redistribute 2: method "fair"`, "20 budget_steps",
	} {
		found := false
		for _, line := range got {
			found = found || strings.HasPrefix(line, want)
		}
		if !found {
			t.Errorf("%q is missing in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if len(got) != 11 {
		t.Errorf("%d faults:\n%s", len(got), strings.Join(got, "\n"))
	}
	for text, want := range map[string]string{
		"":                         "1 the document is empty",
		"name: a\n---\nname: b":    "2 more than one document",
		"name: a b":                `1 name is "a b"`,
		"name: a\nvalues: x":       "2 cannot unmarshal",
		"name: a\n  values: [":     "2 ",
		"kind: policy\nname: a":    `1 kind is "policy": write mapping`,
		"name: a\nvalue: [{a: b}]": `2 "value" is not a field (did you mean values?)`,
	} {
		_, faults := CheckMapping([]byte(text))
		if len(faults) != 1 || !strings.HasPrefix(fmt.Sprint(faults[0].Line, " ", faults[0].Text), want) {
			t.Errorf("%q: %v, want %q", text, faults, want)
		}
	}
}
