package main

import (
	"bytes"
	"strings"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/closing"
	"gpuledger/internal/folder"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
)

// Nouns agree with their counts.
func TestOneThingIsNoPlural(t *testing.T) {
	a := &app{stderr: new(bytes.Buffer)}
	reasons := []string{"a", "b"}
	faults := []folder.Fault{{What: "a"}, {What: "b"}}
	for _, c := range []struct{ text, want string }{
		{a.listReasons(&closing.RefusedError{What: "close 2026-10", Reasons: reasons[:1]}).Error(), ": 1 reason, listed"},
		{a.listReasons(&closing.RefusedError{What: "close 2026-10", Reasons: reasons}).Error(), ": 2 reasons, listed"},
		{(&applyCmd{}).refuse(a, faults[:1]).Error(), ": 1 fault, so"},
		{(&applyCmd{}).refuse(a, faults).Error(), ": 2 faults, so"},
		{importText(&ingest.Summary{Files: 1, RowsRead: 1}), ". 1 file, 1 row read ="},
		{importText(&ingest.Summary{Files: 2, RowsRead: 1234567}), ". 2 files, 1234567 rows read ="},
		{resultOf(&outgoing.Run{Totals: outgoing.Totals{Rows: 1, Written: 1}}), "1 row, 1 file written"},
		{allocateText(&posting.AllocationSummary{Chunks: 1, UsageRows: 1, Postings: 1, Nodes: 1, FleetNodes: 1, GPUs: 1,
			Runs: 1, Attempts: 1, Workloads: 1, Deliveries: 1}), "allocate: 1 node-day, 1 usage row, 1 posting in 0.0 s\n" +
			"  1 node, 1 of them with 1 GPU; 1 run, 1 attempt, 1 workload; 1 delivery, 0 cut again\n"},
		{allocateText(&posting.AllocationSummary{Postings: 1234567}), "0 node-days, 0 usage rows, 1234567 postings in"},
		{allocation(store.Health{Uncut: 1}), "and so does 1 delivery:"},
		{allocation(store.Health{Uncut: 1, Newer: 1}), "1 delivery and the data of 1 import:"},
		{daysWait(1), "1 node-day waits"},
		{daysWait(2), "2 node-days wait"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%q, want %q", c.text, c.want)
		}
	}
}

// A check that finds nothing says so.
func TestNothingBlocksClosing(t *testing.T) {
	for account, want := range map[string]string{
		"": "nothing blocks closing 2026-10\n", "1\n2": `nothing blocks closing 2026-10 of billing account 1\u000a2` + "\n",
	} {
		if got := (&closeCmd{Period: "2026-10", Account: account}).unblocked(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
