package part

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// corrections are what lines that set others right say of the time of machines
// (rule 8.28): how much was taken back, and which machines other lines bill.
type corrections struct {
	back   map[backKey]int64
	billed map[ledger.ID]bool
}

type backKey struct {
	node ledger.ID
	at   period.Interval
}

// correction is the class of lines that set others right.
const correction = "Correction"

// observeTime takes down what a compute line of a machine says of its time.
func (c *Cutter) observeTime(ch *ledger.Charge, t target) {
	if t.node == nil || ch.InstanceSeconds == nil || !billsTime(ch) {
		return
	}
	if *ch.InstanceSeconds < 0 {
		c.corrected.back[backKey{t.node.ID, ch.Period}] -= *ch.InstanceSeconds
	}
	if ch.Class == correction {
		c.current.others = true
		return
	}
	c.corrected.billed[t.node.ID] = true
}

// ownTime is what a line bills of the time that it says: a correction gives no
// more back than was taken, since the time of a machine that other lines bill is
// theirs.
func (c *Cutter) ownTime(ch *ledger.Charge, t target, seconds int64) int64 {
	if ch.Class != correction || seconds <= 0 || t.node == nil || !c.corrected.billed[t.node.ID] {
		return seconds
	}
	return min(seconds, c.corrected.back[backKey{t.node.ID, ch.Period}])
}
