package schedule

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// Keeper brings the ledger up to date by itself when telemetry has arrived, at
// most once per Every. An allocation that another process runs is waited for by
// Allocate.
type Keeper struct {
	Every time.Duration
	// Waiting reports whether node-days wait to be allocated; telemetry of
	// machines that the ledger does not know yet marks none, and is told by
	// Arrived.
	Waiting  func(ctx context.Context) (bool, error)
	Allocate func(ctx context.Context) error
	Log      *slog.Logger
	// Tick replaces the clock, in tests.
	Tick <-chan time.Time

	arrived atomic.Bool
}

// Arrived says that telemetry was stored.
func (k *Keeper) Arrived() { k.arrived.Store(true) }

// Run keeps on until ctx ends. What fails is tried again the next time. The
// first look takes what a process before it may have left.
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
			k.warn(ctx, "looking for what waits to be allocated", err)
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
		k.Log.Warn("the ledger is not brought up to date", "while", what, "error", err)
	}
}
