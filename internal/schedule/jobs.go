package schedule

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"gpuledger/ingest"
	"gpuledger/internal/config"
)

// Queues.
const (
	queueImport   = "ingest"
	queueAllocate = "allocate"
)

// importArgs is one scheduled time of one source: exactly one job, plus one for each process that finds it left by a
// dead process.
type importArgs struct {
	Source string `json:"source" river:"unique"`
	Tick   int64  `json:"tick" river:"unique"`            // unix seconds
	Again  int64  `json:"again,omitempty" river:"unique"` // when it was requeued, unix nanoseconds
}

// Kind implements river.JobArgs.
func (importArgs) Kind() string { return "import" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (importArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueImport, MaxAttempts: maxTries, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// allocateArgs requests an allocation of everything pending. Each import that published requests a separate one: an
// allocation that runs already may have looked before.
type allocateArgs struct {
	After string `json:"after"` // the source that was imported
}

// Kind implements river.JobArgs.
func (allocateArgs) Kind() string { return "allocate" }

// InsertOpts implements river.JobArgsWithInsertOpts.
func (allocateArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueAllocate, MaxAttempts: maxTries}
}

type importWorker struct {
	river.WorkerDefaults[importArgs]
	o       Options
	sources map[string]config.Source
}

func newImportWorker(o Options, sources []config.Source) *importWorker {
	w := &importWorker{o: o, sources: map[string]config.Source{}}
	for _, s := range sources {
		w.sources[s.Name] = s
	}
	return w
}

// NextRetry implements river.Worker.
func (w *importWorker) NextRetry(job *river.Job[importArgs]) time.Time {
	return time.Now().Add(w.o.RetryAfter << (max(job.Attempt, 1) - 1)) //nolint:forbidigo // River compares it with its own clock
}

// Work implements river.Worker.
func (w *importWorker) Work(ctx context.Context, job *river.Job[importArgs]) error {
	source, known := w.sources[job.Args.Source]
	if !known {
		return nil // it is no longer configured
	}
	unlock, free, err := w.o.Store.LockSource(ctx, source.Name)
	if err != nil {
		return err
	}
	if !free {
		return river.JobSnooze(busyWait)
	}
	defer unlock()
	last, err := w.o.Store.SourceState(ctx, source.Name)
	if err != nil {
		return err
	}
	tick := time.Unix(job.Args.Tick, 0).UTC()
	if !last.Tick.Before(tick) {
		return nil // done before
	}
	return w.deal(ctx, job, source, last, tick)
}

func (w *importWorker) deal(
	ctx context.Context, job *river.Job[importArgs], source config.Source, last ingest.SourceState, tick time.Time,
) error {
	log := w.o.Log.With("source", source.Name, "scheduled", tick.Format(time.RFC3339))
	state, failed := w.o.Import(ctx, source, last)
	if ctx.Err() != nil {
		return failed // the process stops; the next start resumes it
	}
	// A killed job may have published without reaching this line. Its repetition then finds no new data, but the
	// ledger still waits.
	if state.State == string(ingest.ImportPublished) || failed == nil && (job.Attempt > 1 || job.Args.Again != 0) {
		if _, err := river.ClientFromContext[pgx.Tx](ctx).Insert(ctx, allocateArgs{After: source.Name}, nil); err != nil {
			return err
		}
	}
	if refused, _ := ingest.Final(failed); failed != nil && job.Attempt < job.MaxAttempts && !refused {
		log.Warn("import failed, trying again", "try", job.Attempt, "error", failed)
		return failed
	}
	state.Name, state.Tick, state.LookedAt = source.Name, tick, w.o.Now()
	if failed != nil {
		state.Message = failed.Error()
		log.Error("import failed", "state", state.State, "error", failed)
	} else {
		log.Info("import", "state", state.State)
	}
	if err := w.o.Store.SaveSourceState(ctx, state); err != nil {
		return err
	}
	if failed != nil {
		return river.JobCancel(failed)
	}
	return nil
}

type allocateWorker struct {
	river.WorkerDefaults[allocateArgs]
	allocate func(ctx context.Context) error
	log      *slog.Logger
	now      func() time.Time
}

// Work implements river.Worker.
func (w *allocateWorker) Work(ctx context.Context, job *river.Job[allocateArgs]) error {
	started := w.now()
	if err := w.allocate(ctx); err != nil {
		if ctx.Err() == nil {
			w.log.Error("allocation failed", "after", job.Args.After, "error", err)
		}
		return err
	}
	w.log.Info("allocated", "after", job.Args.After, "seconds", w.now().Sub(started).Seconds())
	return nil
}
