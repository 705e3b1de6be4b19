package main

import (
	"testing"

	"github.com/alecthomas/kong"

	"gpuledger/metrics"
)

// Each option of a report is a flag, and the flag reaches the option.
func TestEveryReportOptionIsAFlag(t *testing.T) {
	for _, o := range metrics.OptionList {
		var c reportCmd
		parser, err := kong.New(&c, optionVars())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse([]string{"costs", "--" + o.Name, "typed"}); err != nil {
			t.Errorf("%s: %v", o.Name, err)
			continue
		}
		if options := c.options(); *o.Get(&options) != "typed" {
			t.Errorf("--%s does not reach the report", o.Name)
		}
	}
}
