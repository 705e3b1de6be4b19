package schedule

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// Keeper brings the ledger up to date when telemetry has arrived, at most once per Every. Allocate waits for an
// allocation that another process runs.
type Keeper struct {
	Every time.Duration
	// Waiting reports whether node-days wait to be allocated, or days to be added up again. Telemetry of machines that
	// the ledger does not know yet marks no node-days; Arrived reports it instead.
	Waiting  func(ctx context.Context) (bool, error)
	Allocate func(ctx context.Context) error
	Log      *slog.Logger
	// Tick replaces the clock, in tests.
	Tick <-chan time.Time

	arrived atomic.Bool
}

// Arrived reports that telemetry was stored.
func (k *Keeper) Arrived() { k.arrived.Store(true) }

// Run runs until ctx ends. It retries failures at the next tick. The first tick picks up work that an earlier process
// left.
func (k *Keeper) Run(ctx context.Context) {
	k.Arrived()
	tick := k.Tick
	if tick == nil {
		ticker := time.NewTicker(k.Every)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			k.look(ctx)
		}
	}
}

func (k *Keeper) look(ctx context.Context) {
	arrived := k.arrived.Swap(false)
	if !arrived {
		waiting, err := k.Waiting(ctx)
		if err != nil {
			k.warn(ctx, "checking for pending node-days", err)
			return
		}
		if !waiting {
			return
		}
	}
	if err := k.Allocate(ctx); err != nil {
		k.arrived.Store(true)
		k.warn(ctx, "allocation failed and is tried again", err)
	}
}

func (k *Keeper) warn(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		k.Log.Warn("the ledger is not up to date", "while", what, "error", err)
	}
}
