package workers

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"

	"gpuledger/internal/ledger"
	"gpuledger/internal/posting"
)

// batchArgs is one batch of one calculation: one job, ever.
type batchArgs struct {
	Calculation string `json:"calculation" river:"unique"`
	Batch       int    `json:"batch" river:"unique"`
}

// Kind implements river.JobArgs.
func (batchArgs) Kind() string { return "node_days" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (batchArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queue, MaxAttempts: maxTries, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

type batchWorker struct {
	river.WorkerDefaults[batchArgs]
	crew *Crew
}

// Work implements river.Worker.
func (w *batchWorker) Work(ctx context.Context, job *river.Job[batchArgs]) error {
	c := w.crew
	id, err := ledger.ParseID(job.Args.Calculation)
	if err != nil {
		return river.JobCancel(err)
	}
	work, calc, ok, err := c.Store.TakeBatch(ctx, id, job.Args.Batch, c.name)
	if err != nil || !ok {
		return err
	}
	result, err := posting.WorkBatch(ctx, c.Store, calc, c.name, work)
	if ctx.Err() != nil {
		return err // the process stops; others go on
	}
	if err != nil {
		c.Log.Warn("a batch failed", "calculation", id, "batch", job.Args.Batch, "error", err)
	}
	if settled := c.Store.SettleBatch(ctx, id, job.Args.Batch, result, err); settled != nil {
		return settled
	}
	return err
}

// quiet passes on what River finds worth a warning.
func quiet(log *slog.Logger) *slog.Logger {
	return slog.New(&atLeast{log.Handler(), slog.LevelError})
}

type atLeast struct {
	slog.Handler
	level slog.Level
}

// Enabled implements slog.Handler.
func (h *atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level && h.Handler.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (h *atLeast) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &atLeast{h.Handler.WithAttrs(attrs), h.level}
}

// WithGroup implements slog.Handler.
func (h *atLeast) WithGroup(name string) slog.Handler {
	return &atLeast{h.Handler.WithGroup(name), h.level}
}
