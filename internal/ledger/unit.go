package ledger

import (
	"math/big"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Counted is what the quantity of a line counts.
type Counted int

// What quantities count.
const (
	CountsElse    Counted = iota // gigabytes, requests, anything that is no time
	CountsMachine                // time of the whole machine
	CountsGPU                    // time of one of its GPUs
	CountsPart                   // time of one of its cores
)

// timeWords are how bills name a length of time, longest first.
var timeWords = []struct {
	word    string
	seconds int64
}{
	{"minutes", 60}, {"seconds", 1}, {"minute", 60}, {"second", 1}, {"months", month}, {"month", month}, {"hours", period.Hour}, {"hour", period.Hour},
	{"days", period.Day}, {"mins", 60}, {"secs", 1}, {"hrs", period.Hour}, {"day", period.Day}, {"min", 60}, {"sec", 1}, {"hr", period.Hour},
}

// month is that of price lists: 730 hours.
const month = 730 * period.Hour

// ReadUnit tells what a unit of a bill counts, and of time how many seconds one
// of it is: "Hrs", "GPU-Hours", "GPU PER HOUR", "100 Hours", "OCPU Per Hour".
func ReadUnit(unit string) (of Counted, seconds int64) {
	var letters strings.Builder
	for _, c := range strings.ToLower(unit) {
		if c >= 'a' && c <= 'z' {
			letters.WriteRune(c)
		}
	}
	rest, found := letters.String(), false
	if rest == "h" || rest == "s" {
		seconds, rest, found = map[string]int64{"h": period.Hour, "s": 1}[rest], "", true
	}
	for _, t := range timeWords {
		if before, ok := strings.CutSuffix(rest, t.word); ok && !found {
			seconds, rest, found = t.seconds, before, true
		}
	}
	if !found {
		return CountsElse, 0
	}
	rest = strings.TrimSuffix(rest, "per")
	switch {
	case strings.Contains(rest, "gpu") && !strings.Contains(rest, "gpumemory"), strings.HasPrefix(rest, "accelerator"):
		return CountsGPU, seconds
	case strings.HasSuffix(rest, "cpu"), strings.HasSuffix(rest, "cpus"), rest == "core", rest == "cores":
		return CountsPart, seconds
	}
	switch strings.TrimSuffix(rest, "s") {
	case "", "instance", "node", "machine", "vm", "virtualmachine", "server", "host", "baremetal", "compute", "usage", "unit":
		return CountsMachine, seconds
	}
	return CountsElse, 0
}

// MachineSeconds is the time that a line bills a machine of so many GPUs: nil
// where its unit does not say, or the number of GPUs has to be known and is not
// (rule 8.1). ok is false when they are out of range.
func MachineSeconds(quantity *money.Amount, unit string, gpus int64) (seconds *int64, ok bool) {
	of, per := ReadUnit(unit)
	switch {
	case quantity == nil, of == CountsElse, of == CountsPart, of == CountsGPU && gpus <= 0:
		return nil, true
	case of == CountsMachine:
		gpus = 1
	}
	s, ok := InstanceSeconds(quantity.MulRat(big.NewRat(per, period.Hour*gpus)))
	return &s, ok
}
