package book

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/pg"
)

// workerSilence is after how many seconds without a sign of life a worker counts as dead and its batches go to others.
// It is less than silence, so that a planner is never declared dead before the workers of its process.
const workerSilence = 10

// SignWorker gives a sign of life of a worker.
func (s *Book) SignWorker(ctx context.Context, worker string) error {
	_, err := s.Pool.Exec(ctx, pg.Statement("workers.sign"), pg.Tenant, worker)
	if err != nil {
		return fmt.Errorf("workers.sign: %w", err)
	}
	return nil
}

// LeaveWorker removes a worker and frees its batches.
func (s *Book) LeaveWorker(ctx context.Context, worker string) error {
	if _, err := s.Pool.Exec(ctx, pg.Statement("workers.leave"), pg.Tenant, worker); err != nil {
		return fmt.Errorf("workers.leave: %w", err)
	}
	return nil
}

// OtherWorkers reports whether there are workers other than the named one.
func (s *Book) OtherWorkers(ctx context.Context, worker string) (bool, error) {
	return pg.Value[bool](ctx, s.Pool, "workers.others", pg.Tenant, worker, workerSilence)
}

// UnderWay is the work of processes that are alive.
type UnderWay struct {
	Workers      int64 // processes with workers
	Calculations int64 // 0 or 1
}

// UnderWay counts live workers and calculations.
func (s *Book) UnderWay(ctx context.Context) (UnderWay, error) {
	return pg.One[UnderWay](ctx, s.Pool, "workers.under_way", pg.Tenant, workerSilence, silence)
}

// PutBatches offers batches of a calculation to workers, numbered from first.
func (s *Book) PutBatches(ctx context.Context, calculation ledger.ID, first int, batches []posting.Batch) error {
	var numbers, days []int32
	var work [][]byte
	for i := range batches {
		numbers, days, work = append(numbers, int32(first+i)), append(days, int32(batches[i].NodeDays)),
			append(work, batches[i].Work)
	}
	return s.InTx(ctx, "share out node-days", func(tx pgx.Tx) error {
		_, err := pg.Exec(ctx, tx, "workers.put_batches", pg.Tenant, calculation, numbers, days, work)
		return err
	})
}

// TakeBatch gives a slot of a worker a free batch, or again the batch that the slot has but does not know of; ok is
// false if there is none.
func (s *Book) TakeBatch(ctx context.Context, worker string, slot int) (posting.TakenBatch, bool, error) {
	return pg.Found(pg.One[posting.TakenBatch](ctx, s.Pool, "workers.take", pg.Tenant, worker, slot))
}

// SettleBatch stores the result of a batch, or its failure, which frees the batch.
func (s *Book) SettleBatch(
	ctx context.Context, calculation ledger.ID, batch int, r posting.BatchResult, failed error,
) error {
	name, text := "workers.fail", ""
	if failed != nil {
		text = failed.Error()
	} else {
		result, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("result of a batch: %w", err)
		}
		name, text = "workers.settle", string(result)
	}
	if _, err := s.Pool.Exec(ctx, pg.Statement(name), pg.Tenant, calculation, batch, text); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// CollectBatches passes each result to done once and returns how many batches are left. It returns the error of a batch
// that failed tries times.
func (s *Book) CollectBatches(
	ctx context.Context, calculation ledger.ID, tries int, done func(posting.BatchResult),
) (left int, err error) {
	results, err := pg.Values[posting.BatchResult](ctx, s.Pool, "workers.collect", pg.Tenant, calculation)
	if err != nil {
		return 0, err
	}
	for _, r := range results {
		done(r)
	}
	waiting, err := pg.One[struct {
		Batches int
		Message string
	}](ctx, s.Pool, "workers.waiting", pg.Tenant, calculation, tries)
	if err == nil && waiting.Message != "" {
		err = errors.New(waiting.Message)
	}
	return waiting.Batches, err
}

// FreeBatches frees the batches of workers that give no sign of life and terminates their saves.
func (s *Book) FreeBatches(ctx context.Context, calculation ledger.ID) (batches int64, err error) {
	tag, err := s.Pool.Exec(ctx, pg.Statement("workers.free"), pg.Tenant, calculation, workerSilence)
	if err != nil {
		return 0, fmt.Errorf("workers.free: %w", err)
	}
	return tag.RowsAffected(), nil
}

// DropBatches deletes the batches of a calculation and of ended calculations.
func (s *Book) DropBatches(ctx context.Context, calculation ledger.ID) error {
	if _, err := s.Pool.Exec(ctx, pg.Statement("workers.drop_batches"), pg.Tenant, calculation); err != nil {
		return fmt.Errorf("workers.drop_batches: %w", err)
	}
	return nil
}
