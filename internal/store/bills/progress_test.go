package bills_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestProgressOfARunningImport(t *testing.T) {
	s := storetest.New(t)
	rec := ingest.ImportRecord{
		ID: ledger.NewID("import", "p"), Source: "aws-cur", URI: "folder",
		State: ingest.ImportRunning, StartedAt: storetest.At(0, 0).Time(),
	}
	if err := s.StartImport(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	for _, p := range []ingest.Progress{
		{Phase: "survey", Files: 3, FilesDone: 1, Bytes: 90, BytesDone: 30},
		{Phase: "read", Files: 3, FilesDone: 2, Bytes: 90, BytesDone: 60, Rows: 500},
	} {
		if err := s.SaveProgress(t.Context(), rec.ID, p); err != nil {
			t.Fatal(err)
		}
	}
	const row = "select concat_ws('|', phase, files, files_done, bytes, bytes_done, rows_done, phase_since <= " +
		"progress_at) from imports where tenant_id = 1"
	if got := storetest.Dump(t, s, row); got != "read|3|2|90|60|500|t" {
		t.Errorf("progress is %q", got)
	}
	storetest.MustExec(t, s, "update imports set phase_since = '2026-10-05 10:00', progress_at = '2026-10-05 10:01'")
	storetest.Wants(t, storetest.Table(t, s, "imports", metrics.Options{})[0], map[string]string{
		"phase": "read", "files_done": "2", "bytes_done": "60",
		"rows_done": "500", "eta_seconds": "30", "restated_changed": "",
	})
	rec.State, rec.FinishedAt, rec.Files, rec.Bytes, rec.FilesDone, rec.BytesDone, rec.RowsRead,
		rec.Accepted = ingest.ImportPublished, storetest.At(0, 1).Time(), 3, 90, 3, 90, 712, 700
	if err := s.FinishImport(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveProgress(t.Context(), rec.ID, ingest.Progress{Phase: "late"}); err != nil {
		t.Fatal(err)
	}
	if got := storetest.Dump(t, s, row); got != "read|3|3|90|90|712|t" {
		t.Errorf("progress after the end is %q", got)
	}
	storetest.Wants(t, storetest.Table(t, s, "imports", metrics.Options{})[0], map[string]string{
		"phase": "", "eta_seconds": "", "state": "published", "files_done": "3", "bytes_done": "90", "rows_done": "712",
	})
}

// Counters rise by 60 J a minute. A gap of two minutes is spread; a gap of four and a fall count as unknown
// (docs/rules.md, 5.5).
func TestNodeEnergy(t *testing.T) {
	s := storetest.New(t)
	sample := func(device string, hour period.Second, values map[int]int64) ledger.SampleHour {
		var m ledger.Minutes
		for minute, joules := range values {
			minutes.Set(&m, minute, 1000, joules*1000)
		}
		return ledger.SampleHour{Cluster: "c", Node: "a", Device: device, Model: "NVIDIA A10G", SliceID: ledger.WholeDevice,
			Hour:    hour,
			Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalEnergy: m}, RowCount: int64(len(values))}
	}
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{Samples: []ledger.SampleHour{
		sample("GPU-0", storetest.At(1, 3), map[int]int64{57: 0, 58: 60, 59: 120}),
		sample("GPU-0", storetest.At(1, 4), map[int]int64{1: 240, 5: 480, 6: 540, 7: 10, 8: 70}),
		sample("GPU-1", storetest.At(1, 4), map[int]int64{0: 5, 1: 6}),
	}})
	got, err := s.NodeEnergy(t.Context(), "c", "a", storetest.Day(1))
	if err != nil {
		t.Fatal(err)
	}
	want := map[period.Second]ledger.MeasuredEnergy{
		storetest.At(1, 3): {Joules: 120, DeviceSeconds: 2 * 60},
		storetest.At(1, 4): {Joules: 120 + 60 + 60 + 1, DeviceSeconds: (2 + 1 + 1 + 1) * 60},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("energy (-want +got):\n", diff)
	}
	if got, err = s.NodeEnergy(t.Context(), "c", "a", period.Interval{
		From: storetest.At(1, 4), To: storetest.At(1, 5),
	}); err != nil || got[storetest.At(1, 4)].Joules != 241 || len(got) != 1 {
		t.Errorf("of one hour alone: %v, %v", got, err)
	}
	if got, err = s.NodeEnergy(t.Context(), "other", "a", storetest.Day(1)); err != nil || len(got) != 0 {
		t.Errorf("of another cluster: %v, %v", got, err)
	}
}
