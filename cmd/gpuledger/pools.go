package main

import (
	"context"
	"errors"
	"time"

	"gpuledger/internal/config"
	"gpuledger/internal/store"
	"gpuledger/web/api"
	"gpuledger/web/limit"
)

// Connections to the database by use: each use has its own pool, so that none waits for another.
// Pages and API have one for each answer that may be made at once, at once or later.
const (
	workConns   = 10 // imports with their locks, allocation, operators
	ingestConns = 4  // pushed telemetry and its flush
	// healthConns is two for each scrape of the server's own metrics, and two for probes.
	healthConns = 2*limit.Scrapes + 2
)

// limitsOf are the configured limits, with defaults for those that are not set.
func limitsOf(cfg *config.Config) limit.Limits {
	l := cfg.Limits
	return limit.Limits{
		Questions: l.Questions, Exports: l.Exports, Connections: l.Connections, Rate: l.Rate,
	}.WithDefaults()
}

// pools are stores on one database, each with its own connections.
type pools struct{ readers, ingest, health *store.Store }

func openPools(ctx context.Context, s *store.Store, l limit.Limits) (*pools, error) {
	var p pools
	var faults []error
	for _, pool := range []struct {
		at    **store.Store
		conns int
	}{{&p.readers, l.Questions + l.Exports + api.DeferredAtOnce}, {&p.ingest, ingestConns}, {&p.health, healthConns}} {
		var err error
		*pool.at, err = s.Beside(ctx, int32(pool.conns))
		faults = append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		p.close()
		return nil, err
	}
	return &p, nil
}

// close closes the connections.
func (p *pools) close() {
	for _, s := range []*store.Store{p.readers, p.ingest, p.health} {
		if s != nil {
			s.Close()
		}
	}
}

// Times of the shutdown of serve: how long running answers may take, and how long
// the whole shutdown may. Stored data survives a cut at any time.
const (
	shutdownTimeout = 8 * time.Second
	cutTimeout      = 2 * time.Second // for handlers to notice that they are cut off
	longestEnd      = 18 * time.Second
)
