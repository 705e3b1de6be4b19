package schedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"gpuledger/ingest"
	"gpuledger/internal/config"
)

// Store is the schedule's access to the database.
type Store interface {
	// SourceState returns the stored state of a source.
	SourceState(ctx context.Context, name string) (ingest.SourceState, error)
	// SaveSourceState stores the state of a source.
	SaveSourceState(ctx context.Context, st ingest.SourceState) error
	// LockSource takes the lock of a source; ok is false if another process has it.
	LockSource(ctx context.Context, name string) (unlock func(), ok bool, err error)
}

// Options configure the schedule.
type Options struct {
	DSN     string // of the database; River opens separate connections
	Store   Store
	Sources []config.Source // only those with a schedule run
	Log     *slog.Logger
	Now     func() time.Time

	// Import imports a source. If its listing equals that of last, it reads nothing and reports ingest.SourceSkipped.
	// It returns the state to store (without name and tick) even if it fails.
	Import func(ctx context.Context, source config.Source, last ingest.SourceState) (ingest.SourceState, error)
	// Allocate brings the ledger up to date.
	Allocate func(ctx context.Context) error

	// RetryAfter is the wait before the second try of a failed import, doubled each time; 0: one minute.
	RetryAfter time.Duration
}

// Bounds of jobs.
const (
	importers  = 2 // imports at the same time
	maxTries   = 6 // for one scheduled time
	rescue     = 10 * time.Minute
	busyWait   = time.Minute
	poolSize   = 6
	ahead      = 5 * time.Second // the clock of the elected process may lag
	stopWithin = 20 * time.Second
)

// Schedule is a running schedule.
type Schedule struct {
	client *river.Client[pgx.Tx]
	pool   *pgxpool.Pool
}

// Start runs the schedule until Stop. Without scheduled sources it returns nil
// and starts nothing.
func Start(ctx context.Context, o Options) (s *Schedule, err error) {
	var scheduled []config.Source
	for _, src := range o.Sources {
		if !src.Schedule.IsZero() {
			scheduled = append(scheduled, src)
		}
	}
	if len(scheduled) == 0 {
		return nil, nil //nolint:nilnil // documented
	}
	if o.RetryAfter == 0 {
		o.RetryAfter = time.Minute
	}
	if err := Migrate(ctx, o.DSN); err != nil {
		return nil, err
	}
	pool, err := openPool(ctx, o.DSN)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			pool.Close()
		}
	}()
	workers := river.NewWorkers()
	if err := errors.Join(river.AddWorkerSafely(workers, newImportWorker(o, scheduled)),
		river.AddWorkerSafely(workers, &allocateWorker{allocate: o.Allocate, log: o.Log, now: o.Now})); err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Schema: Schema,
		Queues: map[string]river.QueueConfig{
			queueImport: {MaxWorkers: importers}, queueAllocate: {MaxWorkers: 1},
		},
		Workers:              workers,
		PeriodicJobs:         periodic(o, scheduled),
		Logger:               quiet(o.Log),
		JobTimeout:           -1, // a bill may take any time; Stop ends it
		RescueStuckJobsAfter: rescue,
	})
	if err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	if err := revive(ctx, client, o, scheduled); err != nil {
		return nil, err
	}
	// The client runs until Stop, not until the caller's context ends, because it must still store the outcome of its
	// jobs.
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	return &Schedule{client: client, pool: pool}, nil
}

// Stop aborts jobs in progress and waits until they have ended. A nil Schedule has nothing to stop.
func (s *Schedule) Stop(ctx context.Context) error {
	if s == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	defer s.pool.Close()
	if err := s.client.StopAndCancel(ctx); err != nil {
		return fmt.Errorf("stop the schedule: %w", err)
	}
	return nil
}

// openPool opens River's connections.
func openPool(ctx context.Context, dsn string) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	c.MaxConns = poolSize
	c.ConnConfig.RuntimeParams["application_name"] = "gpuledger schedule"
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("open database for the schedule: %w", err)
	}
	return pool, nil
}

// periodic creates a job for each tick of each source. The first comes at once: it is the last tick, which the worker
// drops if it is done.
func periodic(o Options, sources []config.Source) []*river.PeriodicJob {
	jobs := make([]*river.PeriodicJob, len(sources))
	for i, src := range sources {
		jobs[i] = river.NewPeriodicJob(src.Schedule,
			func() (river.JobArgs, *river.InsertOpts) {
				return importArgs{Source: src.Name, Tick: src.Schedule.Tick(o.Now().Add(ahead)).Unix()}, nil
			},
			&river.PeriodicJobOpts{RunOnStart: true})
	}
	return jobs
}

// quiet passes on only River's warnings and errors.
func quiet(log *slog.Logger) *slog.Logger {
	return slog.New(&atLeast{log.Handler(), slog.LevelWarn})
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
