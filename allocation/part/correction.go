package part

import (
	"bytes"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// corrections are the effects of correcting lines on machine time (rule 8.28): how much time was reversed, which
// machines other lines bill, and which lines bill time again.
type corrections struct {
	back   map[backKey]int64
	billed map[ledger.ID]bool
	again  map[backKey][]rebill
	own    map[ledger.ID]int64 // for each line that bills time again, once finished
}

type backKey struct {
	node ledger.ID
	at   period.Interval
}

// rebill is a correction that bills time.
type rebill struct {
	id      ledger.ID
	seconds int64
}

// correction is the class of lines that correct others.
const correction = "Correction"

func newCorrections() corrections {
	return corrections{map[backKey]int64{}, map[ledger.ID]bool{}, map[backKey][]rebill{}, map[ledger.ID]int64{}}
}

// timeOf is the machine time that a line states.
func timeOf(ch *ledger.Charge, t target) (seconds int64, said bool) {
	of := ch.InstanceSeconds
	if unit, _ := ledger.ReadUnit(ch.UsageUnit); unit == ledger.CountsGPU && of == nil && ch.InstanceHours {
		of, _ = ledger.MachineSeconds(ch.UsageAmount, ch.UsageUnit, t.gpus()) // only the fleet has the number of GPUs
	}
	if of == nil || !billsTime(ch) {
		return 0, false
	}
	return *of, true
}

// within bounds the time that a line bills one machine: no more than the length of the line (rule 8.1). A reversal
// reverses no more, either.
func within(ch *ledger.Charge, t target, seconds int64) int64 {
	if most := ch.Period.Seconds(); t.node != nil && most > 0 {
		return max(min(seconds, most), -most)
	}
	return seconds
}

// observeTime records the time of a compute line of a machine.
func (c *Cutter) observeTime(ch *ledger.Charge, t target) {
	seconds, said := timeOf(ch, t)
	if t.node == nil || !said {
		return
	}
	seconds = within(ch, t, seconds)
	key := backKey{t.node.ID, ch.Period}
	if seconds < 0 {
		c.corrected.back[key] -= seconds
	}
	if ch.Class == correction {
		c.current.others = true
		if seconds > 0 {
			c.corrected.again[key] = append(c.corrected.again[key], rebill{ch.ID, seconds})
		}
		return
	}
	c.corrected.billed[t.node.ID] = true
}

// finish divides the time that corrections may bill again, in order of charge ids: together no more than was reversed.
// If no time of a machine was reversed and no other line bills the machine, the corrections' time counts once.
func (c *corrections) finish() {
	for key, lines := range c.again {
		slices.SortFunc(lines, func(a, b rebill) int { return bytes.Compare(a.id[:], b.id[:]) })
		left := c.back[key]
		if left == 0 && !c.billed[key.node] {
			left = max(key.at.Seconds(), lines[0].seconds)
		}
		for _, l := range lines {
			c.own[l.id] = min(l.seconds, left)
			left -= c.own[l.id]
		}
	}
}

// ownTime is how much of its stated time a line bills.
func (c *corrections) ownTime(ch *ledger.Charge, t target, seconds int64) int64 {
	if ch.Class != correction || seconds <= 0 || t.node == nil {
		return seconds
	}
	return c.own[ch.ID]
}
