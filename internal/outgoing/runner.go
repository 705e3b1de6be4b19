package outgoing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/blob"
)

// Store keeps schedules and the outcomes of their runs.
type Store interface {
	// List returns all schedules, each with its newest run.
	List(ctx context.Context) ([]Stored, error)
	// Schedule returns one schedule.
	Schedule(ctx context.Context, name string) (Stored, error)
	// Lock takes the lock of a target; ok is false if another export writes to it.
	Lock(ctx context.Context, target string) (unlock func(), ok bool, err error)
	// Start and Finish record a run.
	Start(ctx context.Context, name string, tick, at time.Time) error
	Finish(ctx context.Context, of *Stored, r *Run) error
}

// Runner runs schedules when they are due. Several processes may run the same schedules: the lock of the target lets
// one of them do it.
type Runner struct {
	Store    Store
	Exporter Exporter
	Folder   func(uri string) (blob.Folder, error)
	Log      *slog.Logger
	Now      func() time.Time

	// Every is how often the runner looks for schedules that are due.
	Every time.Duration
	// Tick replaces the clock of Every, in tests.
	Tick <-chan time.Time
}

// Run runs until ctx ends. A run that is aborted then is due again at the next start.
func (r *Runner) Run(ctx context.Context) {
	tick := r.Tick
	if tick == nil {
		ticker := time.NewTicker(r.Every)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		r.Look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// Look runs every schedule that is due, one after the other.
func (r *Runner) Look(ctx context.Context) {
	all, err := r.Store.List(ctx)
	if err != nil {
		if ctx.Err() == nil {
			r.Log.Warn("export schedules could not be read and are read again soon", "error", err)
		}
		return
	}
	for i := range all {
		if _, due := all[i].Due(r.Now()); !due || ctx.Err() != nil {
			continue
		}
		run, err := r.one(ctx, all[i].Name, false)
		switch {
		case err == nil && run != nil:
			r.Log.Info("exported", "schedule", run.Name, "to", blob.Redact(all[i].Target), "written", run.Written,
				"kept", run.Kept, "removed", run.Removed, "rows", run.Rows)
		case err != nil && ctx.Err() == nil:
			r.Log.Warn("export failed", "schedule", all[i].Name, "error", err)
		}
	}
}

// ErrBusy means that another export writes to the target.
var ErrBusy = errors.New("another export is writing to the same target: try again when it has ended")

// RunNow runs a schedule at once, due or not.
func (r *Runner) RunNow(ctx context.Context, name string) error {
	_, err := r.one(ctx, name, true)
	return err
}

// one runs a schedule if it is due, or if it is forced. It returns nil for a schedule that need not run now.
func (r *Runner) one(ctx context.Context, name string, forced bool) (*Run, error) {
	s, err := r.Store.Schedule(ctx, name)
	if err != nil {
		return nil, err
	}
	unlock, ok, err := r.Store.Lock(ctx, s.Folder())
	if err != nil {
		return nil, err
	}
	if !ok {
		if forced {
			return nil, ErrBusy
		}
		return nil, nil // by another process, or until the next look
	}
	defer unlock()
	if s, err = r.Store.Schedule(ctx, name); err != nil { // as it is now that no one else works on it
		return nil, err
	}
	tick, due := s.Due(r.Now())
	if !due && !forced {
		return nil, nil
	}
	run := &Run{Name: name, Tick: tick, StartedAt: r.Now()}
	if err := r.Store.Start(ctx, name, tick, run.StartedAt); err != nil {
		return nil, err
	}
	failed := r.export(ctx, &s, run)
	if failed != nil && ctx.Err() != nil {
		failed = errors.New("the process stopped before the export ended; the next try continues it")
	}
	at := r.Now()
	run.EndedAt, run.State = &at, Done
	if failed != nil {
		run.State, run.Error = Failed, failed.Error()
	}
	return run, errors.Join(failed, r.Store.Finish(context.WithoutCancel(ctx), &s, run))
}

func (r *Runner) export(ctx context.Context, s *Stored, run *Run) error {
	to, err := r.Folder(s.Target)
	if err != nil {
		return err
	}
	ctx = access.As(ctx, &access.Viewer{Name: "export " + s.Name, Role: access.RoleAuditor})
	if run.Totals, err = r.Exporter.Schedule(ctx, s.Schedule, to, r.Now()); err != nil {
		return fmt.Errorf("export %s to %s: %w", s.Dataset, blob.Redact(s.Target), err)
	}
	return nil
}
