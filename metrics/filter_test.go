package metrics

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFilterMeaning(t *testing.T) {
	row := map[string]string{"team": "research", "run": "a/b/c", "label:x y": "1", "note": "it's"}
	get := func(k string) (string, bool) { v, ok := row[k]; return v, ok }
	for text, want := range map[string]bool{
		`team = research`:                            true,
		`team = "research" and run = a/b/c`:          true,
		`TEAM = research`:                            false,
		`team != research or run like 'a/%'`:         true,
		`not team = research`:                        false,
		`not not team = research`:                    true,
		`team in (x, research, y)`:                   true,
		`team in (x)`:                                false,
		`queue = ''`:                                 true,
		`queue != ''`:                                false,
		`queue != gold`:                              true,
		`not queue = gold`:                           true,
		`queue in ('', gold)`:                        true,
		`queue like '%'`:                             false,
		`not queue like '%'`:                         true,
		`team = x or team = research and run = none`: false,
		`(team = x or team = research) AND run LIKE '_/b/_'`: true,
		`"label:x y" = 1`:     true,
		`note = 'it''s'`:      true,
		`note = "it's"`:       true,
		`team like 'r\%'`:     false,
		`team like 'res%ch'`:  true,
		`team not in (x, y)`:  true,
		`team not like 'r%'`:  false,
		`team is null`:        false,
		`queue is null`:       true,
		`team IS NOT NULL`:    true,
		`queue is not null`:   false,
		`team > rese`:         true,
		`team >= research`:    true,
		`team < research`:     false,
		`team <= 'resz'`:      true,
		`queue < x`:           false,
		`not queue < x`:       true,
		`team<z and team>a`:   true,
		`is = '' and null=''`: true,
	} {
		e, err := ParseFilter(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := Matches(e, get); got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

func TestFilterRefuses(t *testing.T) {
	for _, text := range []string{"", " ", "team", "team =", "= x", "team == x", "team = x y", "team in x", "team in ()",
		"team in (a", "team in (a,)",
		"(team = x", "team = x)", "team = x and", "not", "team = 'x", `team = "x`, "team = and",
		"and = x", "team > ", "team is", "team is not", "team is x", "team not = x", "team not",
		"team >< x", "not null", "team not not in (a)", "team = x; drop", "team like 'a\\'",
		"team = é", "team = x\x00", "team = \xff",
		strings.Repeat("(", 500) + "a = b" + strings.Repeat(")", 500), strings.Repeat("not ", 200) + "a = b",
		strings.Repeat("a = b and ", 3000) + "a = b"} {
		if e, err := ParseFilter(text); err == nil {
			t.Errorf("%.40q is read as %s", text, FilterText(e))
		}
	}
}

// TestConditionsApplyToBaseRowsOrTheAnswer: conditions on keys choose base rows, conditions on measures rows of the
// answer; values are read as their kind is written.
func TestConditionsApplyToBaseRowsOrTheAnswer(t *testing.T) {
	for _, c := range []struct {
		dataset, groupBy, filter string
		base, answer             string
	}{
		{"costs", "team", "team = a and effective_cost > 12.50", "team = a", "effective_cost > 12.5"},
		{
			"costs", "team", "not (gpu_hours <= 1 or team is null) and cause in (free, lost)",
			"cause in (free, lost)", "not (gpu_hours <= 1 or team is null)",
		},
		{"costs", "", "cost_center not like 'x%'", "cost_center not like 'x%'", ""},
		{
			"runs", "", "started_at >= 2026-11-01 and status = failed",
			"started_at >= 2026-11-01T00:00:00Z and status = failed", "",
		},
		{
			"imports", "", "finished_at < '2026-11-23T23:19:59.852984+01:00'",
			"finished_at < 2026-11-23T22:19:59.852984Z", "",
		},
		{"runs", "", "queue_wait_seconds > 2h", "", "queue_wait_seconds > 7200"},
		{"runs", "team", "attempts > 2 and completed_runs >= 3", "attempts > 2", "completed_runs >= 3"},
	} {
		q, err := Parse(c.dataset, Options{GroupBy: c.groupBy, Filter: c.filter})
		if err != nil {
			t.Errorf("%s: %v", c.filter, err)
			continue
		}
		if base, answer := FilterText(q.Filter), FilterText(q.Having); base != c.base || answer != c.answer {
			t.Errorf("%s: %s of base rows, %s of the answer", c.filter, base, answer)
		}
	}
}

// TestErrorsNameTheNearest: an error suggests the right name for a mistyped one.
func TestErrorsNameTheNearest(t *testing.T) {
	for want, o := range map[string]struct {
		dataset string
		o       Options
	}{
		"did you mean team?":            {"costs", Options{Filter: "taem = x"}},
		"did you mean effective_cost?":  {"runs", Options{Filter: "efective_cost > 1"}},
		"did you mean gpu_model?":       {"costs", Options{GroupBy: "gpu-modl"}},
		"did you mean gpu_hours?":       {"costs", Options{Order: "-gpuhours"}},
		"did you mean recommendations?": {"recomendation", Options{}},
	} {
		if _, err := Parse(o.dataset, o.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
	if _, err := Parse("costs", Options{Filter: "zzzzzz = 1"}); err == nil ||
		strings.Contains(err.Error(), "did you mean") {
		t.Errorf("a name like none: %v", err)
	}
}

func TestLikeAgreesWithRegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(rapid.RuneFrom([]rune(`ab%_\é`)), 0, 8, -1).Draw(t, "pattern")
		if strings.HasSuffix(strings.ReplaceAll(pattern, `\\`, ""), `\`) {
			return
		}
		text := rapid.StringOfN(rapid.RuneFrom([]rune(`ab%_\é`)), 0, 8, -1).Draw(t, "text")
		var re strings.Builder
		for rs := []rune(pattern); len(rs) > 0; rs = rs[1:] {
			switch rs[0] {
			case '%':
				re.WriteString(`(?s:.*)`)
			case '_':
				re.WriteString(`(?s:.)`)
			case '\\':
				rs = rs[1:]
				fallthrough
			default:
				re.WriteString(regexp.QuoteMeta(string(rs[0])))
			}
		}
		want := regexp.MustCompile("^(?:" + re.String() + ")$").MatchString(text)
		if got := matchLike(text, pattern); got != want {
			t.Fatalf("%q like %q is %v", text, pattern, got)
		}
	})
}

func FuzzParseFilter(f *testing.F) {
	for _, s := range []string{
		"team = x", "a in (b, 'c') and not d like 'e%'", `"tag:x" != "y""z"`, "((a = b) or c = d)", "a like '\\\\'",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseFilter(s)
		if err != nil {
			return
		}
		again, err := ParseFilter(FilterText(e))
		if err != nil {
			if len(FilterText(e)) <= maxFilterBytes && !strings.Contains(err.Error(), "nested") {
				t.Fatalf("%q → %q: %v", s, FilterText(e), err)
			}
			return
		}
		if fmt.Sprint(again) != fmt.Sprint(e) {
			t.Fatalf("%q reads back as %q", s, FilterText(again))
		}
		Matches(e, func(k string) (string, bool) { return k, len(k)%2 == 0 })
	})
}
