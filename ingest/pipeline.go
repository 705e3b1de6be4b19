package ingest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// errStopped is what an emitter gets after the pipeline failed elsewhere.
var errStopped = errors.New("the import was stopped")

// pipeline reads n inputs, a few at once, and passes their output to write, one batch at a
// time. Batches do not queue up: an emitter waits until its batch is written. The first error
// of either side stops the others and is returned. write keeps the caller's context, so that a
// fault of the input does not break the connection that it writes to.
func pipeline[T any](
	ctx context.Context, parsers, n int, read func(ctx context.Context, i int, emit func(T) error) error,
	write func(context.Context, T) error,
) error {
	group, gctx := errgroup.WithContext(ctx)
	batches := make(chan T)
	emit := func(v T) error {
		select {
		case batches <- v:
			return nil
		case <-gctx.Done():
			return errStopped
		}
	}
	var next atomic.Int64
	var readers sync.WaitGroup
	for range min(parsers, n) {
		readers.Add(1)
		group.Go(func() error {
			defer readers.Done()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := read(gctx, i, emit); err != nil {
					return err
				}
			}
		})
	}
	group.Go(func() error {
		readers.Wait()
		close(batches)
		return nil
	})
	group.Go(func() error {
		for v := range batches {
			if err := write(ctx, v); err != nil {
				return err
			}
		}
		return nil
	})
	return group.Wait()
}
