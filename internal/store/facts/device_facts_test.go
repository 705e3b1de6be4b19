package facts_test

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

// Changed facts about a device affect all days of its node; seeing it a while longer does not.
func TestDeviceFactsMarkWhatTheyMove(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	storetest.Clean(t, s)
	card := func(index int32, mig, registered bool, last period.Second) *ledger.Telemetry {
		return &ledger.Telemetry{
			Devices: []ledger.DeviceFact{
				{
					Cluster: "c", Node: "a", UUID: "GPU-5", Index: index, InMIG: mig,
					Registered: registered, First: storetest.At(1, 3), Last: last,
				},
			},
		}
	}
	storetest.PublishTelemetry(t, s, card(0, false, true, storetest.At(1, 4)))
	whole := storetest.DirtyDays(t, s, names)
	if whole == "" {
		t.Fatal("a new card marks nothing")
	}
	storetest.Clean(t, s)
	for _, c := range []struct {
		name string
		f    *ledger.Telemetry
		want string
	}{
		{"again", card(0, false, true, storetest.At(1, 4)), ""},
		{"seen later", card(0, false, true, storetest.At(2, 4)), ""},
		{"MIG mode by another source", card(-1, true, false, storetest.At(1, 4)), whole},
		{"which says nothing of the register", card(-1, false, false, storetest.At(1, 4)), ""},
		{"another index", card(3, false, true, storetest.At(1, 4)), whole},
	} {
		storetest.PublishTelemetry(t, s, c.f)
		if got := storetest.DirtyDays(t, s, names); got != c.want {
			t.Errorf("%s: marks %q, want %q", c.name, got, c.want)
		}
		storetest.Clean(t, s)
	}
}
