package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"gpuledger/ingest/kubernetes/watch"
	"gpuledger/ingest/live"
	"gpuledger/internal/config"
)

// watchEvery is how often observations of clusters are handed on. A watch that fails is
// started again after watchAgain.
const (
	watchEvery = 5 * time.Second
	watchAgain = time.Minute
)

// startWatches watches the configured Kubernetes clusters until stop, which
// waits for the watches to end. An unreachable cluster is retried: it
// must not keep the server from starting.
func (a *app) startWatches(clusters []config.Kubernetes, to *live.Receiver) (stop func()) {
	ctx, cancel := context.WithCancel(a.ctx)
	var running sync.WaitGroup
	for _, k := range clusters {
		running.Go(func() {
			for ctx.Err() == nil {
				err := a.watch(ctx, k, to)
				if ctx.Err() != nil {
					if err != nil && !errors.Is(err, context.Canceled) {
						a.log.Error("the last facts of a Kubernetes cluster were not stored; the next start lists it again",
							"cluster", k.Cluster, "error", err)
					}
					return
				}
				a.log.Error("a Kubernetes cluster cannot be watched; it will be retried", "cluster", k.Cluster,
					"again_in", watchAgain, "error", err)
				select {
				case <-ctx.Done():
				case <-time.After(watchAgain):
				}
			}
		})
	}
	return func() {
		cancel()
		running.Wait()
	}
}

func (a *app) watch(ctx context.Context, k config.Kubernetes, to *live.Receiver) error {
	client, api, err := watch.Connect(k.Kubeconfig, k.Context)
	if err != nil {
		return fmt.Errorf("connect to %s: %w", k.Cluster, err)
	}
	ticks := time.NewTicker(watchEvery)
	defer ticks.Stop()
	return watch.Run(ctx, watch.Options{
		Cluster: k.Cluster, Client: client, API: api, Out: to.Put, Now: time.Now, Ticks: ticks.C, Log: a.log,
	})
}
