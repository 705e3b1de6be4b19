package report_test

import (
	"testing"

	"gpuledger/internal/store/report"
	"gpuledger/test/storetest"
)

// Each gate at its bound, and with unknown values.
func TestGatesOfAPilot(t *testing.T) {
	s := storetest.SmallLedger(t)
	gate, reasons, alarm := report.PilotSQL()
	for _, c := range []struct{ worstWeek, worstHour, recovery, interruptions, recovered, days, gate, reasons, alarm string }{
		{"2", "2", "899", "2", "2", "7", "pass", "", "false"},
		{"3", "3", "60", "3", "3", "3", "fail", "3 interruptions in the worst week, 3 are too many", "false"},
		{"2", "2", "900", "2", "2", "7", "fail", "recovery takes 15 minutes on average, 15 are too many", "false"},
		{
			"6", "6", "60", "6", "6", "7", "fail",
			"6 interruptions in the worst week, 3 are too many; 6 interruptions in one hour: alarm", "true",
		},
		{"null", "null", "null", "null", "0", "7", "pass", "", "false"},
		{"null", "null", "null", "null", "0", "6.9", "unknown", "less than a week of data", "false"},
		{"1", "1", "null", "1", "0", "null", "unknown", "no recovery time is known; less than a week of data", "false"},
	} {
		var gotGate, gotReasons, gotAlarm string
		text := "select pilot_gate, coalesce(" + reasons + ", ''), (" + alarm + ")::text from (values (" +
			c.worstWeek + "::numeric, " + c.worstHour + "::bigint, " + c.recovery + "::numeric, " + c.interruptions +
			"::bigint, " + c.recovered + "::bigint, " + c.days + "::numeric)) " +
			"b (worst_week, worst_hour, recovery_mean, interruptions, recovered, seen_days) cross join lateral (select " + gate +
			" as pilot_gate) g"
		if err := s.Pool.QueryRow(t.Context(), text).Scan(&gotGate, &gotReasons, &gotAlarm); err != nil {
			t.Fatal(err)
		}
		if gotGate != c.gate || gotReasons != c.reasons || gotAlarm != c.alarm {
			t.Errorf("%+v: %s, %q, alarm %s", c, gotGate, gotReasons, gotAlarm)
		}
	}
}
