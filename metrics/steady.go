package metrics

import "fmt"

// How steadily a team must hold machines for a class of demand, in percent of the
// hours since it first did (docs/figures.md, 22.2). What is less steady, or was there
// for less than SteadyDays of a longer window, is bursty.
const (
	AlwaysOnPercent = 95
	BaselinePercent = 60 // from here on a commitment can be worth it
	SteadyDays      = 3
)

// demandClasses says the same in words.
var demandClasses = fmt.Sprintf("always_on: held in at least %d %% of the hours from the first that the team held "+
	"to the window's last usage; baseline: %d %%; else bursty, "+
	"and where these hours are fewer than %d days of a longer window.", AlwaysOnPercent, BaselinePercent, SteadyDays)
