package metrics

import "fmt"

// Share of hours, in percent since the team's first held hour, for each class of demand (docs/figures.md, 22.2). Less
// steady demand, or demand for less than SteadyDays of a longer window, is bursty.
const (
	AlwaysOnPercent = 95
	BaselinePercent = 60 // from here on a commitment can be worth it
	SteadyDays      = 3
)

// demandClasses are the classes in words.
var demandClasses = fmt.Sprintf("always_on: held in at least %d %% of the hours from the first that the team held "+
	"to the window's last usage; baseline: in at least %d %%; bursty: in fewer, or if there are fewer than %d days of "+
	"these hours in a longer window.", AlwaysOnPercent, BaselinePercent, SteadyDays)
