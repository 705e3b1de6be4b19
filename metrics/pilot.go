package metrics

import "fmt"

// Limits of a pilot on spot machines (docs/figures.md, 20.3).
const (
	PilotWeek     = 3       // interruptions in a week that are too many
	PilotRecovery = 15 * 60 // seconds of mean recovery that are too many
	PilotAlarm    = 5       // interruptions in an hour; more are an alarm
	PilotDays     = 7       // days of data that a verdict needs: a week, in words
)

// PilotGates are the limits in words.
var PilotGates = fmt.Sprintf("under %d interruptions in any week, and under %d minutes of recovery on average",
	PilotWeek, PilotRecovery/60)
