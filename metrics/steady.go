package metrics

import "fmt"

// How steadily a team must hold machines for a class of demand, in percent of the
// hours (docs/figures.md, 22.2). What is less steady is bursty.
const (
	AlwaysOnPercent = 95
	BaselinePercent = 60 // from here on a commitment can be worth it
)

// demandClasses says the same in words.
var demandClasses = fmt.Sprintf("always_on: held in at least %d %% of the window's hours; baseline: %d %%; else bursty.", AlwaysOnPercent, BaselinePercent)
