package main

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/ingest/live"
	"gpuledger/internal/store"
)

// writePath is where Prometheus sends samples to.
const writePath = "/api/v1/write"

// startLive takes telemetry as it comes until stop, which publishes what waits.
func (a *app) startLive(s *store.Store, metrics prometheus.Registerer) (r *live.Receiver, stop func() error) {
	r = live.New(live.Options{Store: s, Now: time.Now, Log: a.log, Metrics: metrics})
	// It outlives the command's context: requests under way are answered first.
	ctx, cancel := context.WithCancel(context.WithoutCancel(a.ctx))
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	return r, func() error {
		cancel()
		return <-done
	}
}

// receivers are the addresses that telemetry is sent to.
func receivers(r *live.Receiver) map[string]http.Handler {
	return map[string]http.Handler{writePath: r.Handler()}
}
