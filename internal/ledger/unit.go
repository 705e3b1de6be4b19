package ledger

import (
	"math/big"
	"strconv"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Counted is the kind of quantity of a line.
type Counted int

// Kinds of quantities.
const (
	CountsElse    Counted = iota // gigabytes, requests, anything except time
	CountsMachine                // time of the whole machine
	CountsGPU                    // time of one of its GPUs
	CountsPart                   // time of one of its cores
)

// timeWords are the names of lengths of time on bills, longest first.
var timeWords = []struct {
	word    string
	seconds int64
}{
	{"minutes", 60}, {"seconds", 1}, {"minute", 60}, {"second", 1}, {"months", month},
	{"month", month}, {"hours", period.Hour}, {"hour", period.Hour},
	{"days", period.Day}, {"mins", 60}, {"secs", 1}, {"hrs", period.Hour},
	{"day", period.Day}, {"min", 60}, {"sec", 1}, {"hr", period.Hour},
}

// month is the month of price lists: 730 hours.
const month = 730 * period.Hour

// ReadUnit returns the kind of quantity of a bill's unit and, for time, the seconds of one unit: "Hrs", "GPU-Hours",
// "GPU PER HOUR", "100 Hours", "OCPU Per Hour".
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
	if card, many := cardIn(unit); many {
		return CountsMachine, seconds
	} else if card {
		return CountsGPU, seconds
	}
	switch {
	case strings.Contains(rest, "gpu") && !strings.Contains(rest, "gpumemory"), strings.HasPrefix(rest, "accelerator"):
		return CountsGPU, seconds
	case strings.HasSuffix(rest, "cpu"), strings.HasSuffix(rest, "cpus"), rest == "core", rest == "cores":
		return CountsPart, seconds
	}
	switch strings.TrimSuffix(rest, "s") {
	case "", "instance", "node", "machine", "vm", "virtualmachine", "server", "host", "baremetal", "compute", "usage",
		"unit":
		return CountsMachine, seconds
	}
	return CountsElse, 0
}

// cardIn reports whether a unit names a GPU model (H100 Hours), and whether it is a machine with several of them
// (8xH100 Hours).
func cardIn(unit string) (card, many bool) {
	times := 1
	for word := range strings.FieldsFuncSeq(strings.ToLower(unit), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}) {
		if before, after, found := strings.Cut(word, "x"); found && before != "" && strings.Trim(before, "0123456789") == "" {
			if n, err := strconv.Atoi(before); err == nil {
				times = n
			}
			word = after
		}
		card = card || cardName(word)
	}
	return card, card && times > 1
}

// Cards lists the GPU models named in a text, in lower case and without their variants: h100 in "8x H100 SXM nodes",
// l40 in gd-4xl40s-i64.
func Cards(text string) []string {
	var cards []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	}) {
		if before, after, found := strings.Cut(word, "x"); found && before != "" && strings.Trim(before, "0123456789") == "" {
			word = after
		}
		if cardName(word) {
			cards = append(cards, strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz"))
		}
	}
	return cards
}

// cardSeries are the letters that begin names of data-centre GPUs, followed by a number of at least two digits.
var cardSeries = map[string]bool{
	"a": true, "b": true, "h": true, "l": true, "v": true, "gb": true, "gh": true, "mi": true, "rtx": true,
}

// cardName reports whether a word is the name of a GPU model: h100, a10g, l40s, t4, mi300x.
func cardName(word string) bool {
	switch word {
	case "l4", "t4", "p4", "p40", "p100", "k80":
		return true
	}
	digits := strings.IndexAny(word, "0123456789")
	if digits < 0 || !cardSeries[word[:digits]] {
		return false
	}
	rest := strings.TrimLeft(word[digits:], "0123456789")
	return len(word)-digits-len(rest) >= 2 && len(rest) <= 3
}

// MachineSeconds is the time for which a line bills a machine of so many GPUs; nil if its unit does not tell, or if
// the number of GPUs is needed and unknown (rule 8.1). ok is false if the seconds are out of range.
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
