package workers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/posting"
)

// Store is what workers need of the database in addition to the inputs of their computation.
type Store interface {
	posting.ChunkStore
	// SignWorker records that a worker is alive; LeaveWorker that it has left, and frees its batches.
	SignWorker(ctx context.Context, worker string) error
	LeaveWorker(ctx context.Context, worker string) error
	// OtherWorkers reports whether any worker except the named one is alive.
	OtherWorkers(ctx context.Context, worker string) (bool, error)
	// PutBatches offers batches to all workers, numbered from first on.
	PutBatches(ctx context.Context, calculation ledger.ID, first int, batches []posting.Batch) error
	// TakeBatch gives a slot of a worker a free batch, or again the batch that it has; ok is false if there is none.
	TakeBatch(ctx context.Context, worker string, slot int) (b posting.TakenBatch, ok bool, err error)
	// SettleBatch stores the result of a batch, or its error, which frees the batch.
	SettleBatch(ctx context.Context, calculation ledger.ID, batch int, r posting.BatchResult, failed error) error
	// CollectBatches passes each result to done once, and returns how many batches are left, and the error of a batch
	// that has failed tries times.
	CollectBatches(ctx context.Context, calculation ledger.ID, tries int,
		done func(posting.BatchResult)) (left int, err error)
	// FreeBatches frees the batches of workers that have stopped signing, and aborts what they were saving.
	FreeBatches(ctx context.Context, calculation ledger.ID) (batches int64, err error)
	// DropBatches deletes the batches of a calculation.
	DropBatches(ctx context.Context, calculation ledger.ID) error
}

type Options struct {
	Store Store
	Slots int // batches at once; at least 1
	Log   *slog.Logger
}

// Bounds.
const (
	signEvery  = 2 * time.Second        // five may be missed
	lookEvery  = 100 * time.Millisecond // for results
	takeEvery  = 500 * time.Millisecond // batches of other processes
	freeEvery  = time.Second
	putAtOnce  = 32 // batches
	maxTries   = 3  // for a failing batch
	stopWithin = 20 * time.Second
)

// Crew is this process's workers. It implements posting.Crew.
type Crew struct {
	Options
	name string

	mu   sync.Mutex
	use  int    // active calls of Start and Work
	stop func() // ends the slots and the signing
	idle chan struct{}
}

// New returns an idle crew.
func New(o Options) *Crew {
	o.Slots = max(o.Slots, 1)
	return &Crew{Options: o, name: "worker-" + strings.ToLower(rand.Text())[:16]}
}

// Start takes batches of any process's calculations until Stop.
func (c *Crew) Start(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.use > 0 {
		c.use++
		return nil
	}
	if err := c.Store.SignWorker(ctx, c.name); err != nil {
		return err
	}
	c.use = 1
	// The slots run until Stop, not until the caller's context ends.
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var group sync.WaitGroup
	group.Go(func() { c.sign(lasting) })
	for slot := range c.Slots {
		group.Go(func() { c.slot(lasting, slot) })
	}
	c.stop, c.idle = cancel, make(chan struct{})
	go func(idle chan struct{}) {
		group.Wait()
		close(idle)
	}(c.idle)
	return nil
}

// sign signs the worker until ctx ends.
func (c *Crew) sign(ctx context.Context) {
	tick := time.NewTicker(signEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := c.Store.SignWorker(ctx, c.name); err != nil && ctx.Err() == nil {
			c.Log.Warn("cannot record that the workers are alive", "error", err)
		}
	}
}

// slot works on one batch after another until ctx ends.
func (c *Crew) slot(ctx context.Context, slot int) {
	tick := time.NewTicker(takeEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		worked, err := c.workOne(ctx, slot)
		if err != nil && ctx.Err() == nil {
			c.Log.Warn("cannot take or settle a batch", "error", err)
		}
		if worked && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// workOne takes a batch, computes and settles it; worked is false if there was none.
func (c *Crew) workOne(ctx context.Context, slot int) (worked bool, err error) {
	b, ok, err := c.Store.TakeBatch(ctx, c.name, slot)
	if err != nil || !ok {
		return false, err
	}
	result, failed := posting.WorkBatch(ctx, c.Store, b.Calculation, c.name, b.Work)
	if ctx.Err() != nil {
		return true, ctx.Err() // the process stops; others take over
	}
	if failed != nil {
		c.Log.Warn("a batch failed", "calculation", b.Calculation.ID, "batch", b.Number, "error", failed)
	}
	return true, c.Store.SettleBatch(ctx, b.Calculation.ID, b.Number, result, failed)
}

// Stop aborts work in progress, once for each Start, and waits until it has ended. Others can take it over at once.
func (c *Crew) Stop(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.use == 0 {
		return nil
	}
	if c.use--; c.use > 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	c.stop()
	var err error
	select {
	case <-c.idle:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err = errors.Join(err, c.Store.LeaveWorker(ctx, c.name)); err != nil {
		return fmt.Errorf("stop the workers: %w", err)
	}
	return nil
}

// Others implements posting.Crew.
func (c *Crew) Others(ctx context.Context) (bool, error) {
	return c.Store.OtherWorkers(ctx, c.name)
}

// Work implements posting.Crew. Workers of this process take part.
func (c *Crew) Work(
	ctx context.Context, calc posting.Calculation, batches iter.Seq2[posting.Batch, error], done func(posting.BatchResult),
) (err error) {
	if err := c.Start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop(ctx)) }()
	defer func() { err = errors.Join(err, c.Store.DropBatches(context.WithoutCancel(ctx), calc.ID)) }()
	if err := c.put(ctx, calc, batches); err != nil {
		return err
	}
	look, free := time.NewTicker(lookEvery), time.NewTicker(freeEvery)
	defer look.Stop()
	defer free.Stop()
	for {
		left, err := c.Store.CollectBatches(ctx, calc.ID, maxTries, done)
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-look.C:
		case <-free.C:
			n, err := c.Store.FreeBatches(ctx, calc.ID)
			if err != nil {
				return err
			}
			if n > 0 {
				c.Log.Info("batches of lost workers freed", "batches", n)
			}
		}
	}
}

// put offers batches to all workers.
func (c *Crew) put(ctx context.Context, calc posting.Calculation, batches iter.Seq2[posting.Batch, error]) error {
	number := 0
	var list []posting.Batch
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		err := c.Store.PutBatches(ctx, calc.ID, number, list)
		number += len(list)
		list = list[:0]
		return err
	}
	for b, err := range batches {
		if err != nil {
			return err
		}
		if list = append(list, b); len(list) == putAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
