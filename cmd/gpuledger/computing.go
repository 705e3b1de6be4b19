package main

import (
	"fmt"
	"strings"
	"sync"

	"gpuledger/internal/analysis"
)

// computing is what a server that was opened early still computes, for a line on its pages. The zero value computes
// nothing.
type computing struct {
	mu    sync.Mutex
	steps []string // all of them, in order; nil: nothing is computed
	done  map[string]bool
}

// verifying is the step after those of analysis.
const verifying = "verify"

// begin says that everything is to be computed.
func (c *computing) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.steps, c.done = append(analysis.Steps(), verifying), map[string]bool{}
}

// finish marks a step as done; after the last one pages say nothing.
func (c *computing) finish(step string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done[step] = true; len(c.done) == len(c.steps) {
		c.steps = nil
	}
}

// line is the sentence on pages; empty once everything is computed.
func (c *computing) line() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.steps == nil {
		return ""
	}
	var rest []string
	for _, step := range c.steps { // verify is the last one
		if name := shownSteps[step]; name != "" && !c.done[step] {
			rest = append(rest, name)
		}
	}
	return fmt.Sprintf("Costs are complete. Still being computed: %s (%d of %d steps are done).",
		strings.Join(rest, ", "), len(c.done), len(c.steps))
}

// shownSteps are the steps whose results pages show, in the words of the pages. Roll-ups show the same figures sooner.
var shownSteps = map[string]string{
	"spot": "spot savings", "serving": "inference", "use": "requests", "layouts": "MIG layouts", "waste": "waste",
	"advice": "recommendations", verifying: "the check that the ledger adds up",
}
