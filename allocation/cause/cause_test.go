package cause

import (
	"testing"

	"gpuledger/internal/ledger"
)

func TestHeldPrecedence(t *testing.T) {
	for _, c := range []struct {
		name string
		held Held
		want ledger.Cause
	}{
		{
			"lost beats everything",
			Held{Lost: true, Gang: true, CrashLoop: true, IdleRun: true, Activity: ledger.ActivityUnknown}, ledger.Lost,
		},
		{"an incomplete gang is overhead even while active", Held{Gang: true, Activity: ledger.Active}, ledger.Overhead},
		{
			"an incomplete gang is overhead even without telemetry",
			Held{Gang: true, Activity: ledger.ActivityUnknown}, ledger.Overhead,
		},
		{"starting idle is overhead", Held{Start: true, IdleRun: true, Activity: ledger.Idle}, ledger.Overhead},
		{"starting without telemetry is unobserved", Held{Start: true, Activity: ledger.ActivityUnknown}, ledger.Unobserved},
		{"a crash loop is overhead", Held{CrashLoop: true, Activity: ledger.ActivityUnknown}, ledger.Overhead},
		{"a minute without sample is unobserved", Held{Activity: ledger.ActivityUnknown}, ledger.Unobserved},
		{"a long idle run is held idle", Held{IdleRun: true, Activity: ledger.Idle}, ledger.HeldIdle},
		{"a short idle stretch is used", Held{Activity: ledger.Idle}, ledger.Used},
		{"active is used", Held{Activity: ledger.Active}, ledger.Used},
	} {
		if got := c.held.Cause(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestUnheldPrecedence(t *testing.T) {
	for _, c := range []struct {
		name   string
		unheld Unheld
		want   ledger.Cause
	}{
		{"active and nobody there", Unheld{Activity: ledger.Active, Down: true}, ledger.Used},
		{
			"active because of another holder's share",
			Unheld{Activity: ledger.Active, Shared: true, Observed: true}, ledger.Free,
		},
		{"cordoned beats unobserved", Unheld{Activity: ledger.Idle, Down: true}, ledger.Unavailable},
		{"source down", Unheld{Activity: ledger.Idle}, ledger.Unobserved},
		{"source down beats stranded", Unheld{Stranded: true}, ledger.Unobserved},
		{"stranded", Unheld{Stranded: true, Observed: true}, ledger.Stranded},
		{"free", Unheld{Activity: ledger.Idle, Observed: true}, ledger.Free},
		{"free without samples", Unheld{Activity: ledger.ActivityUnknown, Observed: true}, ledger.Free},
	} {
		if got := c.unheld.Cause(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestOutsidePrecedence(t *testing.T) {
	for _, c := range []struct {
		name    string
		outside Outside
		want    ledger.Cause
	}{
		{"nobody saw it", Outside{}, ledger.Unobserved},
		{"others of its cluster reported", Outside{Witness: true}, ledger.Unavailable},
		{"an event ended it", Outside{Ended: true}, ledger.Unavailable},
		{"accounting covers it and names no job", Outside{Accounted: true}, ledger.Free},
		{"a witness beats accounting", Outside{Witness: true, Accounted: true}, ledger.Unavailable},
	} {
		if got := c.outside.Cause(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
