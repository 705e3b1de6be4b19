package main

import (
	"context"
	"sync"
	"time"

	"gpuledger/internal/config"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

// How often serve summarises samples and drops old ones.
const (
	summariseEvery = time.Minute
	retainEvery    = 24 * time.Hour
)

// keepSamples summarises hours of samples as they end and drops old minutes
// until stop, which waits for running work.
func (a *app) keepSamples(s *store.Store, cfg *config.Config) (stop func()) {
	keep := time.Duration(0)
	if cfg != nil {
		keep = time.Duration(cfg.Retention.Samples)
	}
	if keep == 0 {
		keep = config.DefaultKeepSamples
	}
	ctx, cancel := context.WithCancel(a.ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(summariseEvery)
		defer tick.Stop()
		var retained time.Time
		for {
			now := time.Now()
			a.summarise(ctx, s, now)
			if now.Sub(retained) >= retainEvery {
				retained = now
				a.retain(ctx, s, now, keep)
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}

func (a *app) summarise(ctx context.Context, s *store.Store, now time.Time) {
	if _, err := s.Summarise(ctx, period.FromTime(now)); err != nil && ctx.Err() == nil {
		a.log.ErrorContext(ctx, "samples could not be summarised; retrying", "error", err)
	}
}

// retain drops minutes that are old enough, and logs the result for each month.
func (a *app) retain(ctx context.Context, s *store.Store, now time.Time, keep time.Duration) {
	months, err := s.DropSamples(ctx, period.FromTime(now), period.Second(keep/time.Second))
	if err != nil && ctx.Err() == nil {
		a.log.ErrorContext(ctx, "old samples could not be dropped; retrying tomorrow", "error", err)
	}
	for _, m := range months {
		switch {
		case !m.Dropped:
			a.log.WarnContext(ctx, "minutes of samples are kept beyond the retention time", "month", m.Month, "reason", m.Reason)
		case m.Bytes > emptyMonth:
			a.log.InfoContext(ctx, "minutes of samples dropped; their summaries stay", "month", m.Month, "bytes", m.Bytes)
		}
	}
}

// emptyMonth is the most bytes that a month without samples takes: its empty indexes.
const emptyMonth = 128 << 10
