package main

import (
	"testing"

	"gpuledger/internal/period"
)

func TestOffsetsInWords(t *testing.T) {
	for o, want := range map[period.Second][2]string{
		-period.Hour: {"1:00 h earlier", "UTC+01:00"}, 8 * period.Hour: {"8:00 h later", "UTC-08:00"},
		-5*period.Hour - period.Hour/2: {"5:30 h earlier", "UTC+05:30"},
	} {
		if got := [2]string{moved(o), zoneOf(o)}; got != want {
			t.Errorf("%d: %q, want %q", o, got, want)
		}
	}
}
