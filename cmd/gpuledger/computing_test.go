package main

import (
	"strings"
	"testing"

	"gpuledger/internal/analysis"
)

// TestComputingNamesWhatIsMissing: every page of a demo that is served early says which figures are still to come.
func TestComputingNamesWhatIsMissing(t *testing.T) {
	var c computing
	if got := c.line(); got != "" {
		t.Errorf("a server that computes nothing says %q", got)
	}
	c.begin()
	for step := range shownSteps {
		if !strings.Contains(c.line(), shownSteps[step]) {
			t.Errorf("%q does not name %s", c.line(), shownSteps[step])
		}
	}
	c.finish("waste")
	if got := c.line(); strings.Contains(got, "waste") || !strings.Contains(got, "1 of ") {
		t.Errorf("after waste pages say %q", got)
	}
	for _, step := range analysis.Steps() {
		c.finish(step)
	}
	if got := c.line(); !strings.Contains(got, "computed: the check that the ledger adds up (") {
		t.Errorf("before verify pages say %q", got)
	}
	if c.finish(verifying); c.line() != "" {
		t.Errorf("in the end pages say %q", c.line())
	}
}
