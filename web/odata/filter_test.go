package odata

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/metrics"
)

func dataset(t testing.TB, name string) *metrics.Dataset {
	t.Helper()
	d, err := metrics.LookupDataset(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func columnsOf(t testing.TB, name string) properties {
	t.Helper()
	c, err := Columns(dataset(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A filter of OData becomes a filter of reports. In OData an unknown text equals nothing, and a function of it stays
// unknown under not.
func TestFilters(t *testing.T) {
	known := columnsOf(t, "runs")
	for text, want := range map[string]string{
		"team eq 'speech'":          "team = speech",
		"'speech' eq team":          "team = speech",
		"team ne 'speech'":          "team != speech",
		"team eq null":              "team is null",
		"team ne null":              "team is not null",
		"null eq team":              "team is null",
		"team lt null":              "team is null and team is not null",
		"team eq ''":                "team is null and team is not null",
		"team ne ''":                "team is null or team is not null",
		"team gt ''":                "team is not null",
		"team eq 'it''s'":           "team = 'it''s'",
		"team in ('a','b')":         "team in (a, b)",
		"team in ('', null, 'a')":   "team in ('', a)",
		"team in ('')":              "team is null and team is not null",
		"not (team in ('a'))":       "team not in (a)",
		"startswith(team,'50%_\\')": `team like '50\%\_\\%'`,
		"endswith(team,'x') or contains(team,'y')":      "team like '%x' or team like '%y%'",
		"not startswith(team,'x')":                      "team not like 'x%' and team is not null",
		"not (startswith(team,'x') or team eq 'a')":     "team not like 'x%' and team is not null and not team = a",
		"not (team eq 'a' and not (team eq 'b'))":       "not team = a or team = b",
		"effective_cost gt 1.5":                         "effective_cost > 1.5",
		"1e3 le effective_cost":                         "effective_cost >= 1e3",
		"attempts ge 2 and attempts lt 5":               "attempts >= 2 and attempts < 5",
		"started_at ge 2026-11-01T01:00:00%2B01:00":     "started_at >= 2026-11-01T00:00:00Z",
		"started_at lt 2026-11-01":                      "started_at < 2026-11-01T00:00:00Z",
		"(team eq 'a' or team eq 'b') and kind eq 'x'":  "(team = a or team = b) and kind = x",
		"team eq 'a' or team eq 'b' and kind eq 'x'":    "team = a or (team = b and kind = x)",
		"team eq 'or' and kind eq 'x) or (team ne null": "",
	} {
		plain, err := url.QueryUnescape(strings.ReplaceAll(text, "+", "%2B"))
		if err != nil || strings.Contains(text, "%_") {
			plain = text
		}
		e, err := parseFilter(plain, known)
		switch {
		case want == "" && err == nil:
			t.Errorf("%s is taken as %s", text, metrics.FilterText(e))
		case want == "":
		case err != nil:
			t.Errorf("%s: %v", text, err)
		default:
			if got := metrics.FilterText(e); got != want {
				t.Errorf("%s becomes %s, want %s", text, got, want)
			}
			if _, err := metrics.Parse("runs", metrics.Options{Filter: metrics.FilterText(e)}); err != nil {
				t.Errorf("%s: reports refuse it: %v", text, err)
			}
		}
	}
}

func TestFaultsOfFiltersNameTheirPlace(t *testing.T) {
	known := columnsOf(t, "runs")
	for text, want := range map[string]string{
		"team eq 5": "character 9", "taem eq 'a'": "character 1", "team eq": "character 8", "team eq 'a": "character 9",
		"effective_cost eq 'a'": "a number", "team like 'a'": "expected eq", "team eq 'a' and": "expected eq",
		"team eq 'a') ": "expected and, or", "started_at gt 5": "a time", "team eq \"a\"": "character 9",
		"startswith(attempts,'1')": "works on texts", "startswith(team)": "expected ,", "(team eq 'a'": "expected )",
		"5 eq 5": "expected a property", "": "expected eq", "team in ()": "a text in single quotes",
		strings.Repeat("not ", 100) + "team eq 'a'": "deeper", strings.Repeat("( ", 6000): "words",
	} {
		if _, err := parseFilter(text, known); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"year(started_at) eq 2026", "team eq kind", "tolower(team) eq 'a'"} {
		_, err := parseFilter(text, known)
		if unsupported, ok := errors.AsType[*UnsupportedError](err); !ok || unsupported.Option != "$filter" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Any filter that is taken is one of reports, and no text breaks the parser.
func TestAnyTextIsTakenOrRefused(t *testing.T) {
	known := columnsOf(t, "runs")
	words := []string{"team", "eq", "ne", "and", "or", "not", "(", ")", "'a'", "''", "null", "5", "in", ",", "startswith",
		"effective_cost", "2026-11-01", "'", "attempts", "true", "\\", "lt"}
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(r, "words"), " ")
		e, err := parseFilter(text, known)
		if err != nil {
			return
		}
		if _, err := metrics.Parse("runs", metrics.Options{Filter: metrics.FilterText(e)}); err != nil &&
			!strings.Contains(err.Error(), "whole number") {
			r.Fatalf("%s becomes %s: %v", text, metrics.FilterText(e), err)
		}
	})
}

// TestEveryGroupedDatasetHasAGrain: every set has an answer without options, and has an identifier.
func TestEveryGroupedDatasetHasAGrain(t *testing.T) {
	for _, d := range metrics.Datasets {
		if d.Grouped && len(grains[d.Name]) == 0 {
			t.Errorf("%s has no keys", d.Name)
		}
		q, err := Parse(d, url.Values{})
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
			continue
		}
		if len(d.RowKey) == 0 || q.Properties[len(q.Properties)-1].Name != RowID {
			t.Errorf("%s: rows have no identifier", d.Name)
		}
		if slices.ContainsFunc(q.Query.Columns(), func(c metrics.Column) bool { return c.Name == RowID }) {
			t.Errorf("%s has a column %s", d.Name, RowID)
		}
	}
}
