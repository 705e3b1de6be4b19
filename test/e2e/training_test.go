package e2e

import (
	"context"
	"testing"
	"time"

	"gpuledger/web/api/client"
	"gpuledger/web/api/client/training"
)

// A launcher in Go with a token that may only send: checkpoint and result are in the ledger, and the cost, with a token
// that may read, is the report's.
func TestATrainingRunInGo(t *testing.T) {
	db := smallLedger(t)
	url, _ := serveLedger(t, db, "--auth", "on")
	want := reportRows(t, db, "runs", "--limit=1", "--columns=run_id,effective_cost,currency")[0]
	run := training.Start(t.Context(), client.New(url, tokenFor(t, db, "ingest")), want["run_id"], training.Options{})
	run.Checkpoint(4711, 3*time.Second)
	run.Metric("launcher-v1", "bleu", "31.2")
	if rows, err := run.Cost(t.Context()); err == nil {
		t.Errorf("role ingest reads %v", rows)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if counts, err := run.Close(ctx); err != nil || counts.Sent != 2 {
		t.Errorf("%+v, %v", counts, err)
	}
	run = training.Start(t.Context(), client.New(url, tokenFor(t, db, "auditor")), want["run_id"], training.Options{})
	rows, err := run.Cost(t.Context())
	if err != nil || len(rows) == 0 || rows[0].EffectiveCost == nil || *rows[0].EffectiveCost != want["effective_cost"] {
		t.Errorf("the run costs %v, %v; want %s", rows, err, want["effective_cost"])
	}
	sql := connect(t, db)
	until(t, "the checkpoint of the run", func() bool {
		return scan[int](t, sql, "select count(*) from checkpoint_facts where run = $1 and step = 4711 and took = 3000",
			want["run_id"]) == 1
	})
	if got := reportRows(t, db, "experiments", "--filter=experiment = 'launcher-v1'"); len(got) != 1 ||
		got[0]["value"] != "31.2" {
		t.Errorf("results: %v", got)
	}
}
