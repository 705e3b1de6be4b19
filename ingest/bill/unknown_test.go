package bill

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

func TestUnknownAcceleratedMachinesAreNamed(t *testing.T) {
	u := unknownTypes{}
	for name, want := range map[string]bool{
		"": false, "m5.large": false, "p5.48xlarge": false, "p9.48xlarge": true, "ml.p5.48xlarge": false,
	} {
		for range 2 {
			if got := u.note(&ledger.Charge{Provider: "aws", InstanceType: name}); (got != "") != want || want &&
				!strings.HasSuffix(got, ": "+name) {
				t.Errorf("%q: %q", name, got)
			}
		}
	}
	notes := map[string]bool{}
	for i := range 20_000 {
		notes[u.note(&ledger.Charge{Provider: "aws", InstanceType: fmt.Sprintf("p9.%dxlarge", i)})] = true
	}
	if len(notes) > maxUnknown+2 || len(u) > 100*maxUnknown {
		t.Errorf("%d notes, %d types remembered", len(notes), len(u))
	}
}
