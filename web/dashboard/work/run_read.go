package work

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/timeline"
	"gpuledger/web/dashboard/page"
)

// attemptRow is one attempt.
type attemptRow struct {
	ID             ledger.ID
	Number         int64
	Task           string
	Started, Ended period.Second
	Outcome        string
	Reason         string
	Pricing        string
	Nodes, GPUs    int64
	GPUHours       money.Amount
	Cost           *money.Amount // in the chosen basis
	Lost           money.Amount
	LostSeconds    int64
	Basis          ledger.LossBasis
	Checkpoint     period.Second
	Currency       string
}

func readAttempts(ctx context.Context, reader page.Reader, basis, runID string) ([]attemptRow, error) {
	var out []attemptRow
	err := page.Each(ctx, reader, "attempts", metrics.Options{Basis: basis, Filter: "run_id = " + page.Quote(runID)}, nil,
		func(r page.Record) error {
			a := attemptRow{
				Number: r.Count("attempt"), Task: r.Text("task"), Started: r.Second("started_at"), Ended: r.Second("ended_at"),
				Outcome: r.Text("outcome"), Reason: r.Text("reason"),
				Pricing: r.Text("pricing"), Nodes: r.Count("nodes"), GPUs: r.Count("gpus"),
				GPUHours: r.Known("gpu_hours"), Cost: r.Amount(basis + "_cost"),
				Lost: r.Known("lost_cost"), LostSeconds: r.Count("lost_seconds"),
				Basis:      ledger.LossBasis(r.Text("loss_basis")),
				Checkpoint: r.Second("last_checkpoint_at"), Currency: r.Text("currency"),
			}
			if id := r.Text("attempt_id"); id != "" {
				parsed, err := ledger.ParseID(id)
				if err != nil {
					return err
				}
				a.ID = parsed
			}
			out = append(out, a)
			return nil
		})
	return out, err
}

// readOneRun returns the run's rows, one per currency; no rows if the run is unknown.
func readOneRun(ctx context.Context, reader page.Reader, basis, id string) ([]Run, error) {
	var out []Run
	err := page.Each(ctx, reader, "runs", metrics.Options{Basis: basis, Filter: "run_id = " + page.Quote(id)}, nil,
		func(r page.Record) error {
			out = append(out, readRun(r, basis))
			return nil
		})
	return out, err
}

// pickRun returns the row of a currency, else the first, which is the costliest.
func pickRun(rows []Run, currency string) Run {
	for _, r := range rows {
		if r.Currency == currency && currency != "" {
			return r
		}
	}
	return rows[0]
}

// runReading holds what the pages of one run read; each part may fail alone.
type runReading struct {
	rows                                []Run
	attempts                            []attemptRow
	line                                timeline.Run
	extent                              metrics.Extent
	runErr, attemptErr, lineErr, extErr error
}

// readRunPage reads all parts in parallel, together with also.
func (d *room) readRunPage(ctx context.Context, basis, id string, also ...func()) *runReading {
	f := &runReading{}
	page.Parallel(append(also,
		func() { f.rows, f.runErr = readOneRun(ctx, d.Reader, basis, id) },
		func() { f.attempts, f.attemptErr = readAttempts(ctx, d.Reader, basis, id) },
		func() { f.line, f.lineErr = d.Reader.RunTimeline(ctx, id) },
		func() { f.extent, f.extErr = d.Reader.Extent(ctx) },
	)...)
	return f
}
