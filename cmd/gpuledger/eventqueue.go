package main

import (
	"context"
	"sync"

	"gpuledger/ingest/eventqueue"
	"gpuledger/internal/config"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
)

// startEventQueues reads queues of spot events until stop is called. It calls arrived
// after each new event.
func (a *app) startEventQueues(s *store.Store, queues []config.EventQueue, arrived func()) (stop func(), err error) {
	ctx, cancel := context.WithCancel(a.ctx)
	var consumers []*eventqueue.Consumer
	for _, q := range queues {
		client, err := eventqueue.Connect(ctx, eventqueue.Options{
			URL: q.QueueURL, Region: q.Region, RoleARN: q.RoleARN, ExternalID: q.ExternalID, Endpoint: q.Endpoint,
		})
		if err != nil {
			cancel()
			return nil, err
		}
		consumers = append(consumers, &eventqueue.Consumer{URL: q.QueueURL, Queue: client, Arrived: arrived, Log: a.log,
			Publish: func(ctx context.Context, events []ledger.InstanceEvent) (int64, error) {
				return s.PublishEvents(ctx, ledger.ID{}, events)
			}})
	}
	var running sync.WaitGroup
	for _, c := range consumers {
		running.Go(func() { c.Run(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
	}, nil
}
