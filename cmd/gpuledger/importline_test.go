package main

import (
	"testing"
	"time"

	"gpuledger/ingest"
)

func TestImportLine(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	read := ingest.Progress{Source: "aws-cur", Phase: "read", PhaseNumber: 2, Phases: 3, PhaseStart: start,
		Files: 12, FilesDone: 3, Bytes: 4_000_000_000, BytesDone: 1_000_000_000, Rows: 1_234_567, PhaseRows: 1_234_567}
	publish := read
	publish.Phase, publish.PhaseNumber, publish.BytesDone = "publish", 3, 0
	survey := ingest.Progress{
		Source: "focus", Phase: "survey", PhaseNumber: 1, Phases: 3, PhaseStart: start, Files: 1, Bytes: 999,
	}
	hours := ingest.Progress{
		Source: "prometheus", Phase: "read", PhaseNumber: 1, Phases: 1, PhaseStart: start,
		Unit: "hours", Files: 720, FilesDone: 30, Rows: 600_000, PhaseRows: 600_000,
	}
	for _, c := range []struct {
		p     ingest.Progress
		after time.Duration
		want  string
	}{
		{
			read, 20 * time.Second, "aws-cur 2/3 read: 1.0 GB of 4.0 GB, 3 of 12 files, 1,234,567 rows, 50 MB/s, 61,728 " +
				"rows/s, 1:00 left",
		},
		{
			read, 20 * time.Hour, "aws-cur 2/3 read: 1.0 GB of 4.0 GB, 3 of 12 files, 1,234,567 rows, 14 kB/s, 17 rows/s, " +
				"60:00:00 left",
		},
		{read, 0, "aws-cur 2/3 read: 1.0 GB of 4.0 GB, 3 of 12 files, 1,234,567 rows"},
		{publish, 75 * time.Second, "aws-cur 3/3 publish: 1,234,567 rows, 1:15"},
		{hours, time.Minute, "prometheus 1/1 read: 30 of 720 hours, 600,000 rows, 10,000 rows/s, 23:00 left"},
		{survey, time.Minute, "focus 1/3 survey: 0 B of 999 B, 0 of 1 files, 0 B/s"},
	} {
		if got := importLine(c.p, start.Add(c.after)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	for n, want := range map[int64]string{
		0: "0 B", 1000: "1.0 kB", 9_949: "9.9 kB", 9_951: "10 kB", 999_600: "1.0 MB", 123_456_789: "123 MB",
	} {
		if got := size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
