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

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/posting"
)

// Store is what workers need of the database besides what they compute from.
type Store interface {
	posting.ChunkStore
	// SignWorker says that a worker is there; LeaveWorker that it is not.
	SignWorker(ctx context.Context, worker string, slots int) error
	LeaveWorker(ctx context.Context, worker string) error
	// OtherWorkers reports whether any but the named worker is there.
	OtherWorkers(ctx context.Context, worker string) (bool, error)
	// PutBatches shares out batches, numbered from first on.
	PutBatches(ctx context.Context, calculation ledger.ID, first int, batches []posting.Batch) error
	// TakeBatch gives a batch to a worker; ok is false when it is done, or its
	// calculation has ended.
	TakeBatch(ctx context.Context, calculation ledger.ID, batch int, worker string) (work []byte, c posting.Calculation, ok bool, err error)
	// SettleBatch keeps what came of a batch, or why it failed.
	SettleBatch(ctx context.Context, calculation ledger.ID, batch int, r posting.BatchResult, failed error) error
	// CollectBatches hands each result to done once, and returns how many batches
	// are left, and the error of one that failed as many times as tries.
	CollectBatches(ctx context.Context, calculation ledger.ID, tries int, done func(posting.BatchResult)) (left int, err error)
	// LostWorkers returns those of the named workers that give no sign of life;
	// what they were saving is broken off.
	LostWorkers(ctx context.Context, workers []string) ([]string, error)
	// DropBatches forgets the batches of a calculation.
	DropBatches(ctx context.Context, calculation ledger.ID) error
}

// Options say who works.
type Options struct {
	DSN   string // of the database; River has connections of its own
	Store Store
	Slots int // batches at once; at least 1
	Log   *slog.Logger
}

// Bounds.
const (
	poolSize    = 4
	signEvery   = 2 * time.Second        // five of them may be missed
	lookEvery   = 100 * time.Millisecond // for results
	rescueEvery = time.Second
	putAtOnce   = 32 // batches
	maxTries    = 3  // of a batch that fails
	stopWithin  = 20 * time.Second
	queue       = "node_days"
)

// Crew is the workers of this process. It implements posting.Crew.
type Crew struct {
	Options
	name string

	mu     sync.Mutex
	use    int // Start and Work that are under way
	client *river.Client[pgx.Tx]
	pool   *pgxpool.Pool
	end    func() // stops the signs of life
}

// New returns a crew that does nothing yet.
func New(o Options) *Crew {
	o.Slots = max(o.Slots, 1)
	return &Crew{Options: o, name: "worker-" + strings.ToLower(rand.Text())[:16]}
}

// Start takes batches of everybody's calculations until Stop.
func (c *Crew) Start(ctx context.Context) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.use++; c.use > 1 {
		return nil
	}
	defer func() {
		if err != nil {
			c.use--
		}
	}()
	pool, err := openPool(ctx, c.DSN)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			pool.Close()
		}
	}()
	if err := migrate(ctx, pool); err != nil {
		return err
	}
	list := river.NewWorkers()
	if err := river.AddWorkerSafely(list, &batchWorker{crew: c}); err != nil {
		return fmt.Errorf("workers: %w", err)
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		ID:                          c.name,
		Schema:                      Schema,
		Queues:                      map[string]river.QueueConfig{queue: {MaxWorkers: c.Slots}},
		Workers:                     list,
		Logger:                      quiet(c.Log),
		JobTimeout:                  -1, // signs of life tell who is stuck
		FetchCooldown:               50 * time.Millisecond,
		FetchPollInterval:           500 * time.Millisecond,
		CompletedJobRetentionPeriod: time.Hour,
	})
	if err != nil {
		return fmt.Errorf("workers: %w", err)
	}
	if err := c.Store.SignWorker(ctx, c.name, c.Slots); err != nil {
		return err
	}
	// The client runs until Stop, not until the caller's context ends: it must
	// still say in the database what became of its jobs.
	lasting := context.WithoutCancel(ctx)
	if err := client.Start(lasting); err != nil {
		return fmt.Errorf("workers: %w", err)
	}
	c.client, c.pool, c.end = client, pool, c.sign(lasting)
	return nil
}

// sign gives signs of life until the function that it returns is called.
func (c *Crew) sign(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(signEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if err := c.Store.SignWorker(ctx, c.name, c.Slots); err != nil && ctx.Err() == nil {
				c.Log.Warn("workers give no sign of life", "error", err)
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// Stop gives up what is under way, once for each Start, and waits until it has
// ended. Others take it up at once.
func (c *Crew) Stop(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.use--; c.use > 0 || c.client == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	err := c.client.StopAndCancel(ctx)
	c.end()
	err = errors.Join(err, c.Store.LeaveWorker(ctx, c.name))
	c.pool.Close()
	c.client, c.pool = nil, nil
	if err != nil {
		return fmt.Errorf("stop the workers: %w", err)
	}
	return nil
}

// Others implements posting.Crew.
func (c *Crew) Others(ctx context.Context) (bool, error) {
	return c.Store.OtherWorkers(ctx, c.name)
}

// Work implements posting.Crew. Workers of this process take part.
func (c *Crew) Work(ctx context.Context, calc posting.Calculation, batches iter.Seq2[posting.Batch, error], done func(posting.BatchResult)) (err error) {
	if err := c.Start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Stop(ctx)) }()
	defer func() {
		lasting := context.WithoutCancel(ctx)
		_, forgotten := c.pool.Exec(lasting, forget, calc.ID.String())
		err = errors.Join(err, c.Store.DropBatches(lasting, calc.ID), forgotten)
	}()
	if err := c.put(ctx, calc, batches); err != nil {
		return err
	}
	look, rescue := time.NewTicker(lookEvery), time.NewTicker(rescueEvery)
	defer look.Stop()
	defer rescue.Stop()
	for {
		left, err := c.Store.CollectBatches(ctx, calc.ID, maxTries, done)
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-look.C:
		case <-rescue.C:
			if err := c.rescue(ctx, calc); err != nil {
				return err
			}
		}
	}
}

// put shares batches out: first the batches, then the jobs that name them.
func (c *Crew) put(ctx context.Context, calc posting.Calculation, batches iter.Seq2[posting.Batch, error]) error {
	number := 0
	var list []posting.Batch
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		if err := c.Store.PutBatches(ctx, calc.ID, number, list); err != nil {
			return err
		}
		params := make([]river.InsertManyParams, len(list))
		for i := range list {
			params[i].Args = batchArgs{Calculation: calc.ID.String(), Batch: number + i}
		}
		if _, err := c.client.InsertMany(ctx, params); err != nil {
			return fmt.Errorf("share out node-days: %w", err)
		}
		number += len(list)
		list = list[:0]
		return nil
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

// rescue gives what lost workers had to others.
func (c *Crew) rescue(ctx context.Context, calc posting.Calculation) error {
	rows, err := c.pool.Query(ctx, busy, calc.ID.String())
	if err != nil {
		return fmt.Errorf("look for lost workers: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("look for lost workers: %w", err)
	}
	lost, err := c.Store.LostWorkers(ctx, names)
	if err != nil {
		return err
	}
	tag, err := c.pool.Exec(ctx, takeUp, calc.ID.String(), lost)
	if err != nil {
		return fmt.Errorf("take up batches of lost workers: %w", err)
	}
	if n := tag.RowsAffected(); n > 0 {
		c.Log.Info("batches taken up", "batches", n, "lost_workers", len(lost))
	}
	return nil
}
