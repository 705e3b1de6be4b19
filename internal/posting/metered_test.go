package posting

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// A training job that was interrupted once: its service's hourly charges go to the attempt with most of the hour.
func TestMeteredPartsFindTheirJob(t *testing.T) {
	const arn = "arn:aws:sagemaker:us-east-1:1:training-job/tune"
	s := &scene{managed: map[string][]*ledger.Workload{}, attempts: map[ledger.ID][]*ledger.Attempt{}}
	for i, span := range []period.Interval{{From: 0, To: 5000}, {From: 6000, To: 9000}} {
		w := &ledger.Workload{ID: ledger.ID{byte(i + 1)}, UID: arn + []string{"", "#2"}[i], RunID: "run"}
		s.manage(w)
		s.attempts[w.ID] = []*ledger.Attempt{{ID: ledger.ID{byte(i + 11)}, RunID: "run", Number: i + 1, Span: span}}
	}
	charge := ledger.ID{7}
	payer := s.payer(map[ledger.ID]string{
		charge: "arn:aws:sagemaker:us-east-1:1:Training-Job/tune", {8}: "arn:other", {9}: "",
	})
	for _, c := range []struct {
		charge            ledger.ID
		hour              period.Second
		workload, attempt byte
		found             bool
	}{
		{charge, 0, 1, 11, true},
		{charge, 3600, 1, 11, true}, // 1,400 s of the first, 1,200 s of the second
		{charge, 7200, 2, 12, true},
		{charge, 36_000, 1, 0, true}, // billed after it ended: goes to the run
		{ledger.ID{8}, 0, 0, 0, false},
		{ledger.ID{9}, 0, 0, 0, false},
	} {
		who, found := payer(&ledger.Part{ChargeID: c.charge, Hour: c.hour})
		if found != c.found || who.Workload != (ledger.ID{c.workload}) || who.Attempt != (ledger.ID{c.attempt}) || found &&
			who.Run != "run" {
			t.Errorf("%v at %d: %+v %v", c.charge[0], c.hour, who, found)
		}
	}
	if (&scene{}).payer(nil) != nil {
		t.Error("without jobs nobody is asked")
	}
}
