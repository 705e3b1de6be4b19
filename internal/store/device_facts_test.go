package store

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// What is said of a device moves all days of its node, but not that it was
// there a while longer.
func TestDeviceFactsMarkWhatTheyMove(t *testing.T) {
	s := newStore(t)
	w, names := smallWorld()
	saveWorld(t, s, w)
	clean(t, s)
	card := func(index int32, mig, registered bool, last period.Second) *ledger.Telemetry {
		return &ledger.Telemetry{Devices: []ledger.DeviceFact{{Cluster: "c", Node: "a", UUID: "GPU-5", Index: index, InMIG: mig, Registered: registered, First: at(1, 3), Last: last}}}
	}
	publishTelemetry(t, s, card(0, false, true, at(1, 4)))
	whole := dirtyDays(t, s, names)
	if whole == "" {
		t.Fatal("a new card marks nothing")
	}
	clean(t, s)
	for _, c := range []struct {
		name string
		f    *ledger.Telemetry
		want string
	}{
		{"again", card(0, false, true, at(1, 4)), ""},
		{"seen later", card(0, false, true, at(2, 4)), ""},
		{"MIG mode by another source", card(-1, true, false, at(1, 4)), whole},
		{"which says nothing of the register", card(-1, false, false, at(1, 4)), ""},
		{"another index", card(3, false, true, at(1, 4)), whole},
	} {
		publishTelemetry(t, s, c.f)
		if got := dirtyDays(t, s, names); got != c.want {
			t.Errorf("%s: marks %q, want %q", c.name, got, c.want)
		}
		clean(t, s)
	}
}
