package metrics

import (
	"strings"
	"testing"

	"gpuledger/internal/money"
)

// Explained spot shows the known facts of a posting and leaves out unknown ones.
func TestExplainedSpotInWords(t *testing.T) {
	text := func(s string) *string { return &s }
	s := ExplainedSpot{Count: 4, Agrees: true,
		Sums: []SpotSum{
			{Currency: "USD", Gross: money.MustParse("5"), Net: money.MustParse("5")},
			{Currency: "EUR", Unknown: money.MustParse("2")},
		},
		Listed: []SpotPosting{
			{
				PostingID: "a", Effective: text("3"), Rate: text("16"), GPUHours: text("4"),
				MachineGPUs: text("8"), OnDemand: text("8"), Source: text("bill"), Lost: text("0"),
			},
			{
				PostingID: "b", Effective: text("1"), Rate: text("16"), MachineGPUs: text("8"),
				OnDemand: text("0"), Source: text("bill"), Lost: text("0"),
			},
			{
				PostingID: "c", Effective: text("2"), GPUHours: text("4"), MachineGPUs: text("8"),
				Source: text("unknown"), Detail: text("why"), Lost: text("0"),
			},
			{PostingID: "d", Lost: text("7")},
		}}
	var b strings.Builder
	s.writeText(&b)
	for _, want := range []string{
		"effective 0\n", "effective 0, plus 2 without a known on-demand price\n",
		"cost 3, on demand 16/h × 4/8 = 8 (bill), lost 0",
		"cost 1, on demand 0: another posting has the hours (bill), lost 0",
		"cost 2, on demand unknown (unknown, why), lost 0", ": lost 7",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
