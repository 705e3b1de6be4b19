package report

import (
	"fmt"

	"gpuledger/metrics"
)

// The gates of a pilot (metrics.PilotGates) over row b of report.spot, a group's figures other than money:
// worst_week, worst_hour, recovery_mean, interruptions, recovered, seen_days. A comparison with an unknown value is
// not a failure.
var (
	tooMany  = fmt.Sprintf("b.worst_week >= %d", metrics.PilotWeek)
	tooLong  = fmt.Sprintf("b.recovery_mean >= %d", metrics.PilotRecovery)
	alarming = fmt.Sprintf("b.worst_hour > %d", metrics.PilotAlarm)
	tooShort = fmt.Sprintf("coalesce(b.seen_days, 0) < %d", metrics.PilotDays)
)

const noRecovery = "b.interruptions > 0 and b.recovered = 0"

// pilotGate is "pass", "fail" or "unknown".
func pilotGate() string {
	return "case when " + tooMany + " or " + tooLong + " or " + alarming + " then 'fail' when " + tooShort + " or " +
		noRecovery + " then 'unknown' else 'pass' end"
}

// pilotReasons explains why the gate, g.pilot_gate, is not "pass".
func pilotReasons() string {
	reason := func(when, text string) string { return ", case when " + when + " then " + text + " end" }
	return "nullif(concat_ws('; '" +
		reason(tooMany, fmt.Sprintf("b.worst_week || ' interruptions in the worst week, %d are too many'",
			metrics.PilotWeek)) +
		reason(tooLong, fmt.Sprintf("'recovery takes ' || round(b.recovery_mean / 60) || ' minutes on average, %d are "+
			"too many'", metrics.PilotRecovery/60)) +
		reason(alarming, "b.worst_hour || ' interruptions in one hour: alarm'") +
		reason("g.pilot_gate = 'unknown' and "+noRecovery, "'no recovery time is known'") +
		reason("g.pilot_gate = 'unknown' and "+tooShort, "'less than a week of data'") + "), '')"
}

func pilotAlarm() string { return "coalesce(" + alarming + ", false)" }
