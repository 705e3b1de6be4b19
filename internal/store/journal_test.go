package store_test

import (
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// TestJournalDatasets reads the datasets of imports, their refusals and the reasons.
func TestJournalDatasets(t *testing.T) {
	s := storetest.SmallLedger(t)
	rec := ingest.ImportRecord{
		ID: ledger.NewID("import", "journal"), Source: "openmetrics", URI: "m.txt",
		State: ingest.ImportRunning, StartedAt: time.Unix(1793577600, 0),
	}
	if err := s.StartImport(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	rec.State, rec.FinishedAt = ingest.ImportPublished, rec.StartedAt.Add(time.Second)
	rec.RejectedByReason, rec.IgnoredByReason = map[string]int64{"not a number": 2, "bad labels": 3},
		map[string]int64{"some_metric": 7}
	rec.Rejections = []ledger.Rejection{
		{File: "m.txt", Line: 3, Column: "value", Reason: "not a number", Detail: "found x"},
		{File: "m.txt", Reason: "bad labels"},
	}
	if err := s.FinishImport(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	rows := storetest.Table(t, s, "import_counts", metrics.Options{Filter: "source = openmetrics"})
	if len(rows) != 3 {
		t.Fatalf("%d counts: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"kind": "rejected", "reason": "bad labels", "rows": "3", "import_id": rec.ID.String(),
	})
	storetest.Wants(t, rows[2], map[string]string{"kind": "ignored", "reason": "some_metric", "rows": "7"})
	rows = storetest.Table(t, s, "rejections", metrics.Options{})
	if len(rows) != 2 {
		t.Fatalf("%d rejections: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"ordinal": "1", "file": "m.txt", "line": "3", "column": "value", "reason": "not a number", "detail": "found x",
	})
	storetest.Wants(t, rows[1], map[string]string{"ordinal": "2", "line": "", "column": "", "detail": ""})
	rows = storetest.Table(t, s, "deliveries", metrics.Options{Filter: "state = current"})
	if len(rows) != 1 {
		t.Fatalf("%d current deliveries: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"source": "aws-cur", "role": "book", "partition": "2026-11", "superseded_by": "",
	})
}

// TestDatasetsOfWhatHappened reads the datasets of facts.
func TestDatasetsOfWhatHappened(t *testing.T) {
	s := storetest.New(t)
	w, _ := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	f := storetest.SampleTelemetry()
	f.Checkpoints[1].Pod = "u1"
	storetest.PublishTelemetry(t, s, f)
	if _, err := s.PublishEvents(t.Context(), ledger.NewID("import", "e"), []ledger.InstanceEvent{
		{
			Provider: "aws", Account: "111", Region: "us-east-1", InstanceID: "i-a",
			Kind: ledger.EventInterruption, Detail: "terminate", At: storetest.At(1, 4),
		}}); err != nil {
		t.Fatal(err)
	}
	rows := storetest.Table(t, s, "workloads", metrics.Options{From: "2026-10-06", To: "2026-10-07"})
	if len(rows) != 1 {
		t.Fatalf("%d workloads: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0],
		map[string]string{"cluster": "c", "system": "slurm", "namespace": "ns", "name": "p1", "node": "a",
			"owner_kind": "Job", "requests": "nvidia_com_gpu=1",
			"created_at": storetest.At(1, 2).String(), "eligible_at": storetest.At(1, 2.5).String(), "ended_at": "",
			"hold_to": storetest.At(2, 5).String(), "outcome": "preempted",
			"reason": "scheduler", "run_id": "run-1", "class": "run"})
	if rows := storetest.Table(t, s, "workloads", metrics.Options{From: "2026-10-08"}); len(rows) != 0 {
		t.Errorf("after its end: %v", rows)
	}
	rows = storetest.Table(t, s, "events", metrics.Options{From: "2026-10-06", To: "2026-10-07"})
	if len(rows) != 2 {
		t.Fatalf("%d events: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"subject": "Pod", "event": "restarted", "detail": "Error",
		"namespace": "ns", "name": "p1", "uid": "u1", "provider": "",
	})
	storetest.Wants(t, rows[1], map[string]string{
		"subject": "Instance", "event": "interruption_warning", "detail": "terminate",
		"name": "i-a", "node": "a", "cluster": "c", "account": "111",
	})
	rows = storetest.Table(t, s, "checkpoints", metrics.Options{Order: "workload"})
	if len(rows) != 2 {
		t.Fatalf("%d checkpoints: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{"workload": "u1", "run_id": "", "step": "", "namespace": "ns"})
	storetest.Wants(t, rows[1], map[string]string{
		"workload": "", "run_id": "run-1", "step": "100", "at": storetest.At(1, 3).String(),
	})
}

func TestConflictsDataset(t *testing.T) {
	s := storetest.New(t)
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry())
	other := storetest.SampleTelemetry()
	other.Workloads[0].Node, other.Workloads[0].OwnerName = "b", "other"
	other.Samples = []ledger.SampleHour{storetest.HourOfSamples("b", "GPU-0", storetest.At(1, 3), 9, 1)}
	other.Nodes[0].ProviderID = "aws:///us-east-1a/i-z"
	other.Nodes[0].FirstSeen += 1800
	storetest.PublishTelemetry(t, s, other)
	rows := storetest.Table(t, s, "conflicts", metrics.Options{})
	if len(rows) != 4 {
		t.Fatalf("%d conflicts: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"what": "device_node", "subject": "GPU-0", "kept": "b", "other": "a",
		"first_seen": storetest.At(1, 3).String(), "last_seen": storetest.At(1, 4).String(),
	})
	storetest.Wants(t, rows[1], map[string]string{
		"what": "node_machine", "subject": "a", "kept": "aws:///us-east-1a/i-z", "other": "aws:///us-east-1a/i-a",
		"first_seen": (storetest.At(1, 3) + 1800).String(), "last_seen": storetest.At(1, 4).String(),
	})
	storetest.Wants(t, rows[2], map[string]string{
		"what": "workload_node", "subject": "u1", "name": "ns/p1", "kept": "b", "other": "a",
		"first_seen": storetest.At(1, 2).String(), "last_seen": storetest.At(1, 4).String(),
	})
	storetest.Wants(t, rows[3], map[string]string{"what": "workload_owner", "kept": "Job/train", "other": "Job/other"})
	h, err := s.Health(t.Context())
	if err != nil || h.Conflicts != 4 {
		t.Errorf("doctor counts %d conflicts, %v", h.Conflicts, err)
	}
}

func TestLLMUsageByHourAndDay(t *testing.T) {
	s := storetest.New(t)
	a, b, c, d := storetest.LLMCall("a", 3), storetest.LLMCall("b", 3), storetest.LLMCall("c", 5),
		storetest.LLMCall("d", 30)
	b.SpendUSD, b.PromptTokens, b.CompletionTokens, b.CachedTokens, b.Failed = nil, -1, -1, -1, true
	c.CacheHit, c.Tags = true, nil
	d.Team = "other"
	storetest.PublishCalls(t, s, a, b, c, d)
	rows := storetest.Table(t, s, "llm_usage", metrics.Options{})
	if len(rows) != 3 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0],
		map[string]string{"period_start": storetest.At(1, 3).String(), "source": "litellm", "team": "ml", "requests": "2",
			"failed": "1", "prompt_tokens": "100", "cached_tokens": "10",
			"completion_tokens": "20", "requests_without_tokens": "1",
			"gateway_list_spend": "0.00125", "requests_without_spend": "1", "currency": "USD"})
	rows = storetest.Table(t, s, "llm_usage", metrics.Options{Granularity: "day", Filter: "team = ml"})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"period_start": storetest.At(1, 0).String(), "requests": "3", "cache_hits": "1", "gateway_list_spend": "0.0025",
	})
	if rows := storetest.Table(t, s, "llm_usage", metrics.Options{
		From: "2026-10-06T04:00", To: "2026-10-06T06:00",
	}); len(rows) != 1 || rows[0]["requests"] != "1" {
		t.Errorf("in the window: %v", rows)
	}
	if _, err := metrics.Parse("llm_usage", metrics.Options{Granularity: "total"}); err == nil {
		t.Error("a total of rows by time")
	}
}
