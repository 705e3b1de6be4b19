package openmetrics

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

func discard(*ledger.Telemetry) error { return nil }

// parse reads text and gathers everything emitted.
func parse(t testing.TB, text string, opt Options) (*ledger.Telemetry, Stats) {
	t.Helper()
	all := &ledger.Telemetry{}
	st, err := Parse(context.Background(), strings.NewReader(text), "fixture.om", opt, func(x *ledger.Telemetry) error {
		gather(all, x)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checkStats(t, st)
	return all, st
}

func gather(all, x *ledger.Telemetry) {
	all.Samples = append(all.Samples, x.Samples...)
	all.Evidence = append(all.Evidence, x.Evidence...)
	all.Nodes = append(all.Nodes, x.Nodes...)
	all.Devices = append(all.Devices, x.Devices...)
	all.NodeStates = append(all.NodeStates, x.NodeStates...)
	all.Sources = append(all.Sources, x.Sources...)
	all.Workloads = append(all.Workloads, x.Workloads...)
	all.PodStates = append(all.PodStates, x.PodStates...)
	all.Objects = append(all.Objects, x.Objects...)
	all.Placements = append(all.Placements, x.Placements...)
	all.Events = append(all.Events, x.Events...)
	all.Checkpoints = append(all.Checkpoints, x.Checkpoints...)
	all.Counters = append(all.Counters, x.Counters...)
}

// checkStats proves that no line is lost: each is a fact, absent, ignored or
// rejected, and rejections and ignored names add up.
func checkStats(t testing.TB, st Stats) {
	t.Helper()
	if st.Samples != st.Accepted+st.Absent+st.Ignored+st.Rejected {
		t.Errorf("lines are lost: %+v", st)
	}
	var rejected, ignored int64
	for _, n := range st.RejectedBy {
		rejected += n
	}
	for _, n := range st.IgnoredBy {
		ignored += n
	}
	if rejected != st.Rejected || ignored != st.Ignored {
		t.Errorf("counts by reason do not add up: %+v", st)
	}
	if want := min(st.Rejected, maxRejections); int64(len(st.Rejections)) != want {
		t.Errorf("%d rejections kept of %d", len(st.Rejections), st.Rejected)
	}
}

func TestGeneratedDay(t *testing.T) {
	for _, interleaved := range []bool{false, true} {
		got, st := parse(t, string(exposition{2, 1440, interleaved}.text()), Options{})
		if st.Rejected != 0 || st.Accepted != 2*1440*8 || len(got.Samples) != 2*24 {
			t.Fatalf("%+v, %d hours", st, len(got.Samples))
		}
		h := got.Samples[0]
		if len(h.Vectors) != 8 || h.Vectors[ledger.SignalPower].Known != 1<<60-1 || h.RowCount != 480 ||
			h.Model != "NVIDIA H100 80GB HBM3" {
			t.Errorf("%+v", h)
		}
		if len(got.Evidence) != 48 || got.Evidence[0].Minutes != 1<<60-1 {
			t.Errorf("%d evidence rows", len(got.Evidence))
		}
	}
}

func TestBoundedPending(t *testing.T) {
	most := 0
	text := exposition{4, 1440, false}.text()
	_, err := Parse(t.Context(), bytes.NewReader(text), "f", Options{MaxPending: 100}, func(x *ledger.Telemetry) error {
		most = max(most, len(x.Samples))
		return nil
	})
	if err != nil || most == 0 || most > 100 {
		t.Fatalf("%d hours in one batch, %v", most, err)
	}
}
