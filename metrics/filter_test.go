package metrics

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// format writes a filter so that ParseFilter reads it back.
func format(e Expr) string {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	switch e := e.(type) {
	case And:
		return "(" + format(e.Left) + " and " + format(e.Right) + ")"
	case Or:
		return "(" + format(e.Left) + " or " + format(e.Right) + ")"
	case Not:
		return "not " + format(e.Of)
	case Compare:
		if e.Op == In {
			var v []string
			for _, s := range e.Values {
				v = append(v, quote(s))
			}
			return quote(e.Key) + " in (" + strings.Join(v, ", ") + ")"
		}
		return quote(e.Key) + " " + string(e.Op) + " " + quote(e.Values[0])
	}
	return ""
}

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
		`"label:x y" = 1`:    true,
		`note = 'it''s'`:     true,
		`note = "it's"`:      true,
		`team like 'r\%'`:    false,
		`team like 'res%ch'`: true,
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
	for _, text := range []string{"", " ", "team", "team =", "= x", "team == x", "team = x y", "team in x", "team in ()", "team in (a", "team in (a,)",
		"(team = x", "team = x)", "team = x and", "not", "team = 'x", `team = "x`, "team = and", "and = x", "team > 3", "team = x; drop", "team like 'a\\'",
		"team = é", "team = x\x00", "team = \xff", strings.Repeat("(", 500) + "a = b" + strings.Repeat(")", 500), strings.Repeat("not ", 200) + "a = b",
		strings.Repeat("a = b and ", 3000) + "a = b"} {
		if e, err := ParseFilter(text); err == nil {
			t.Errorf("%.40q is read as %s", text, format(e))
		}
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
	for _, s := range []string{"team = x", "a in (b, 'c') and not d like 'e%'", `"tag:x" != "y""z"`, "((a = b) or c = d)", "a like '\\\\'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseFilter(s)
		if err != nil {
			return
		}
		again, err := ParseFilter(format(e))
		if err != nil {
			if len(format(e)) <= maxFilterBytes && !strings.Contains(err.Error(), "nested") {
				t.Fatalf("%q → %q: %v", s, format(e), err)
			}
			return
		}
		if fmt.Sprint(again) != fmt.Sprint(e) {
			t.Fatalf("%q reads back as %q", s, format(again))
		}
		Matches(e, func(k string) (string, bool) { return k, len(k)%2 == 0 })
	})
}
