package costs

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// A partly observed period says so first, with what to connect. A period with at most a
// tenth unobserved does not, and a bill alone has its own sentence.
func TestAPartlyObservedPeriodSaysSoFirst(t *testing.T) {
	seen := func(used, unseen string) *sums {
		t := &sums{}
		for cause, hours := range map[ledger.Cause]string{ledger.Used: used, ledger.Unobserved: unseen} {
			amount := money.MustParse(hours)
			t.add(costRow{Cause: cause, Cost: &amount, Capacity: amount})
		}
		return t
	}
	p := &page.Context{
		Extent: metrics.Extent{Stored: period.Interval{From: 0, To: period.Day}, Data: period.Day}, Currency: "USD",
	}
	sentence, sub := overviewSentence(p, seen("12", "84"))
	if !strings.HasPrefix(sentence, "Only 12.0 of 96.0 GPU-hours were observed (12.5") ||
		!strings.Contains(sub, "docs/start/your-data.md") {
		t.Errorf("%q %q", sentence, sub)
	}
	if sentence, _ := overviewSentence(p, seen("90", "10")); strings.Contains(sentence, "observed") {
		t.Errorf("a tenth was not observed: %q", sentence)
	}
	if sentence, _ := overviewSentence(p, seen("0", "96")); !strings.HasPrefix(sentence, "The bill is in.") {
		t.Errorf("nothing was observed: %q", sentence)
	}
}
