package dashboard

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/timeline"
)

// attemptRow is one try.
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

func readAttempts(ctx context.Context, reader Reader, basis, runID string) ([]attemptRow, error) {
	var out []attemptRow
	err := each(ctx, reader, "attempts", metrics.Options{Basis: basis, Filter: "run_id = " + quote(runID)}, nil, func(r record) error {
		a := attemptRow{
			Number: r.count("attempt"), Task: r.text("task"), Started: r.second("started_at"), Ended: r.second("ended_at"),
			Outcome: r.text("outcome"), Reason: r.text("reason"), Pricing: r.text("pricing"), Nodes: r.count("nodes"), GPUs: r.count("gpus"),
			GPUHours: r.known("gpu_hours"), Cost: r.amount(basis + "_cost"), Lost: r.known("lost_cost"), LostSeconds: r.count("lost_seconds"),
			Basis: ledger.LossBasis(r.text("loss_basis")), Checkpoint: r.second("last_checkpoint_at"), Currency: r.text("currency"),
		}
		if id := r.text("attempt_id"); id != "" {
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

// readOneRun returns the run's rows, one per currency; none when it is unknown.
func readOneRun(ctx context.Context, reader Reader, basis, id string) ([]runRow, error) {
	var out []runRow
	err := each(ctx, reader, "runs", metrics.Options{Basis: basis, Filter: "run_id = " + quote(id)}, nil, func(r record) error {
		out = append(out, readRun(r, basis))
		return nil
	})
	return out, err
}

// pickRun chooses the row of the asked currency, else the first: the costliest.
func pickRun(rows []runRow, currency string) runRow {
	for _, r := range rows {
		if r.Currency == currency && currency != "" {
			return r
		}
	}
	return rows[0]
}

// runReading is what the pages of one run are made of; each part may fail alone.
type runReading struct {
	rows                                []runRow
	attempts                            []attemptRow
	line                                timeline.Run
	extent                              period.Interval
	runErr, attemptErr, lineErr, extErr error
}

// readRunPage reads them side by side, together with whatever also reads.
func (d *Dashboard) readRunPage(ctx context.Context, basis, id string, also ...func()) *runReading {
	f := &runReading{}
	parallel(append(also,
		func() { f.rows, f.runErr = readOneRun(ctx, d.reader, basis, id) },
		func() { f.attempts, f.attemptErr = readAttempts(ctx, d.reader, basis, id) },
		func() { f.line, f.lineErr = d.reader.RunTimeline(ctx, id) },
		func() { f.extent, f.extErr = d.reader.Extent(ctx) },
	)...)
	return f
}
