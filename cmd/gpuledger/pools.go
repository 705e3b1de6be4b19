package main

import (
	"context"
	"errors"
	"time"

	"gpuledger/internal/config"
	"gpuledger/internal/store"
	"gpuledger/web/limit"
)

// Connections to the database, by who uses them: nobody waits for another's.
// Pages and API have as many as answers are made at once.
const (
	workConns   = 10 // imports with their locks, allocation, operators
	ingestConns = 4  // what is sent in, and its flush
	// healthConns is two for each scrape of our own metrics, and two for probes.
	healthConns = 2*limit.Scrapes + 2
)

// limitsOf are the limits of a configuration.
func limitsOf(cfg *config.Config) limit.Limits {
	l := cfg.Limits
	return limit.Limits{
		Questions: l.Questions, Exports: l.Exports, Connections: l.Connections, Rate: l.Rate,
	}.WithDefaults()
}

// pools are the database as seen by those who are served.
type pools struct{ readers, ingest, health *store.Store }

func openPools(ctx context.Context, s *store.Store, l limit.Limits) (*pools, error) {
	var p pools
	var faults []error
	for _, pool := range []struct {
		at    **store.Store
		conns int
	}{{&p.readers, l.Questions + l.Exports}, {&p.ingest, ingestConns}, {&p.health, healthConns}} {
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

// close gives the connections back.
func (p *pools) close() {
	for _, s := range []*store.Store{p.readers, p.ingest, p.health} {
		if s != nil {
			s.Close()
		}
	}
}

// Times of the end of serve: how long answers under way may take, and how long
// all of it may. What is stored may be cut off at any time.
const (
	shutdownTimeout = 8 * time.Second
	cutTimeout      = 2 * time.Second // until those that are cut off have noticed
	longestEnd      = 18 * time.Second
)
