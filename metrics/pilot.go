package metrics

import "fmt"

// What a pilot on spot machines must hold (docs/figures.md, 20.3).
const (
	PilotWeek     = 3       // interruptions in a week that are too many
	PilotRecovery = 15 * 60 // seconds of recovery in the mean that are too many
	PilotAlarm    = 5       // interruptions in an hour; more are an alarm
	PilotDays     = 7       // days that must have been seen: a week, in words
)

// PilotGates says the same in words.
var PilotGates = fmt.Sprintf("under %d interruptions in any week, and under %d minutes of recovery in the mean",
	PilotWeek, PilotRecovery/60)
