package upkeep

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"gpuledger/internal/analysis"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// Store is the stages' access to the database.
type Store interface {
	posting.AllocationStore
	analysis.Store
	// Summarise brings the summaries of sample hours that ended before now up to date, and returns how many rows it
	// wrote.
	Summarise(ctx context.Context, now period.Second) (int64, error)
	// RefreshStatistics refreshes the planner's statistics of tables with many changes.
	RefreshStatistics(ctx context.Context) error
	// RefreshScopes computes the members of scopes again, after owners or machines changed.
	RefreshScopes(ctx context.Context) error
}

// Upkeep runs the stages.
type Upkeep struct {
	Store     Store
	Now       func() time.Time
	Log       *slog.Logger
	Crew      posting.Crew // other processes that help to allocate; nil: none
	Workers   int          // node-days at once; 0: the default of posting.Allocator
	ShareFrom int          // fewest node-days to share; 0: the default of posting.Allocator
	// Progress reports the current stage ("allocate", "analyse: waste") and how far it is, in node-days or days; may
	// be nil.
	Progress func(what string, done, total int)
	// Finished is called with each step of analysis that has ended; may be nil.
	Finished func(step string)
}

// Run is Post followed by Analyse.
func (u *Upkeep) Run(ctx context.Context, within period.Interval) (*posting.AllocationSummary, error) {
	sum, err := u.Post(ctx, within)
	if err != nil {
		return sum, err
	}
	return sum, u.Analyse(ctx)
}

// Post brings the ledger up to date for node-days that overlap within, without the figures derived from it. It is
// separate because months are closed in between.
func (u *Upkeep) Post(ctx context.Context, within period.Interval) (*posting.AllocationSummary, error) {
	a := &posting.Allocator{Store: u.Store, Log: u.Log, Crew: u.Crew, Workers: u.Workers, ShareFrom: u.ShareFrom}
	if u.Progress != nil {
		a.Progress = func(done, total int) { u.Progress("allocate", done, total) }
	}
	sum, err := a.Run(ctx, within)
	if err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		_, err := u.Store.Summarise(ctx, period.FromTime(u.Now()))
		return err
	})
	group.Go(func() error { return u.Store.RefreshStatistics(ctx) })
	group.Go(func() error { return u.Store.RefreshScopes(ctx) })
	return sum, group.Wait()
}

// Analyse computes derived figures for the days that changed.
func (u *Upkeep) Analyse(ctx context.Context) error {
	a := &analysis.Analyst{Store: u.Store, Log: u.Log, Finished: u.Finished}
	if u.Progress != nil {
		a.Progress = func(step string, done, total int) { u.Progress("analyse: "+step, done, total) }
	}
	_, err := a.Run(ctx)
	return err
}
