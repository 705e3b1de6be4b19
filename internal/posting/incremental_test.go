package posting_test

import (
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/store/verify"
	"gpuledger/test/tier"
)

// everyBill is a small world with every kind of bill, delivered once.
func everyBill(seed int64) fleetsim.Config {
	cfg := twoDays(seed).Everywhere()
	cfg.Restate = false
	return cfg
}

func (w *world) loadBills(between func()) {
	w.t.Helper()
	w.load("price-book", w.files.PriceBook)
	between()
	for _, day := range slices.Backward(w.files.GCP) { // each is a delivery; their lines depend on each other
		w.load("gcp-billing", day)
		between()
	}
	if len(w.files.Azure) > 0 {
		w.load("azure-cost", w.files.Azure...)
		between()
	}
	w.load("aws-cur", w.files.AWSCUR...)
	between()
}

// mustOnlyWait: imports since the last allocation are pending work, not a violation.
func (w *world) mustOnlyWait() {
	w.t.Helper()
	report, err := w.store.Verify(w.t.Context(), verify.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range report.Checks {
		if c.State == verify.CheckFailed {
			w.t.Errorf("before allocation: %s: %s", c.Name, strings.Join(c.Rows, "\n"))
		}
	}
}

// TestIncrementalIsFullOverEveryBill: everything outside its delivery that a line depends on (lives of machines, the
// end of facts, other deliveries of the bill) arrives piece by piece, with an allocation after each.
func TestIncrementalIsFullOverEveryBill(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "TestIncrementalIsFull asks it over one bill")
	once := simulate(t, everyBill(8))
	once.loadBills(func() {})
	once.load("openmetrics", once.files.Telemetry...)
	once.load("spot-events", once.files.Events...)
	once.allocate()

	step := once.separate()
	for _, file := range step.files.Telemetry[:1] {
		step.load("openmetrics", file)
	}
	next := func() {
		step.mustOnlyWait()
		step.allocate()
	}
	step.loadBills(next)
	for _, file := range step.files.Telemetry[1:] {
		step.load("openmetrics", file)
		next()
	}
	step.load("spot-events", step.files.Events...)
	next()
	sameLedger(t, "allocated after every file", once, step)
	if sum := step.allocate(); sum.Chunks != 0 || sum.Recut != 0 {
		t.Errorf("nothing changed, yet %+v", sum)
	}
}
