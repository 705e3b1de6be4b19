package visible_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/visible"
)

func TestWidthIsThatOfATerminal(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "team": 4, "Größe": 5, "東京": 4, "😀": 2, "e\u0301": 1, "ｗide": 5, "ｱ": 1, "…": 1,
	} {
		if got := visible.Width(text); got != want {
			t.Errorf("%q is %d wide, want %d", text, got, want)
		}
	}
}

func TestCutKeepsBothEndsOfANameAndTheBeginningOfASentence(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"short", 5, "short"},
		{"arn:aws:savingsplans/1234", 11, "arn:a…/1234"},
		{"held 11 h of 20 h", 8, "held 11…"},
		{"東京東京東京", 5, "東…京"},
		{"東京東京東京", 4, "東…"},
		{"abc", 1, "…"},
	} {
		if got := visible.Cut(c.text, c.columns); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.columns, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, columns := rapid.String().Draw(t, "text"), rapid.IntRange(1, 30).Draw(t, "columns")
		if got := visible.Width(visible.Cut(text, columns)); got > columns {
			t.Errorf("%d columns, wanted at most %d", got, columns)
		}
	})
}

func TestWrapBreaksBetweenWords(t *testing.T) {
	got := visible.Wrap("note: nothing is shared, so costs after sharing equal those before", "  ", 24)
	const want = "note: nothing is shared,\n  so costs after sharing\n  equal those before"
	if got != want {
		t.Errorf("%q", got)
	}
	if got := visible.Wrap("a "+strings.Repeat("x", 30), "", 10); got != "a\n"+strings.Repeat("x", 30) {
		t.Errorf("%q", got)
	}
}
