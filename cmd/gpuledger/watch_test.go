package main

import (
	"strings"
	"testing"
)

func TestARedrawnScreenIsNeverTallerThanTheTerminal(t *testing.T) {
	text := strings.Repeat("row\n", 30)
	for _, lines := range []int{3, 10, 24} {
		if got := redrawn("heading", text, lines); strings.Count(got, "\n") >= lines || !strings.Contains(got, "more lines") {
			t.Errorf("%d lines: %q", lines, got)
		}
	}
	got := redrawn("heading", "row\n", 24)
	if want := topLeft + "heading" + clearLine + "\n" + clearLine + "\nrow" + clearLine + "\n" + clearRest; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOnlyTablesAreWatched(t *testing.T) {
	for _, with := range []string{"--format=json", "--out=x.csv", "--explain-query", "--interval=10ms"} {
		if code, _, errs := gpuledger(t, "report", "costs", "--watch", with); code != exitUsage {
			t.Errorf("%s: status %d: %s", with, code, errs)
		}
	}
}

// A list of datasets, a table or an error that goes to no terminal has no escape sequences.
func TestNoStyleWithoutATerminal(t *testing.T) {
	t.Setenv("PAGER", "false") // is not run
	for _, args := range [][]string{{"report"}, {"report", "--help"}, {"report", "cost"}} {
		if _, out, errs := gpuledger(t, args...); strings.Contains(out+errs, "\x1b") {
			t.Errorf("%q: %q", args, out+errs)
		}
	}
}
