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

// workerSilence is after how many seconds without a sign of life a worker counts
// as dead, and what it has is given to others. It is less than silence: a planner
// that counts as dead has no workers in its process that do not.
const workerSilence = 10

// SignWorker says that a worker is there and works on so many nodes at once.
func (s *Book) SignWorker(ctx context.Context, worker string, slots int) error {
	_, err := s.Pool.Exec(ctx, pg.Statement("workers.sign"), pg.Tenant, worker, slots)
	if err != nil {
		return fmt.Errorf("workers.sign: %w", err)
	}
	return nil
}

// LeaveWorker says that a worker is no longer there.
func (s *Book) LeaveWorker(ctx context.Context, worker string) error {
	if _, err := s.Pool.Exec(ctx, pg.Statement("workers.leave"), pg.Tenant, worker); err != nil {
		return fmt.Errorf("workers.leave: %w", err)
	}
	return nil
}

// OtherWorkers reports whether any but the named worker is there.
func (s *Book) OtherWorkers(ctx context.Context, worker string) (any bool, err error) {
	if err := s.Pool.QueryRow(ctx, pg.Statement("workers.others"), pg.Tenant, worker, workerSilence).Scan(&any); err != nil {
		return false, fmt.Errorf("workers.others: %w", err)
	}
	return any, nil
}

// PutBatches shares out batches of a calculation, numbered from first on.
func (s *Book) PutBatches(ctx context.Context, calculation ledger.ID, first int, batches []posting.Batch) error {
	var numbers, days []int32
	var work [][]byte
	for i := range batches {
		numbers, days, work = append(numbers, int32(first+i)), append(days, int32(batches[i].NodeDays)), append(work, batches[i].Work)
	}
	return s.InTx(ctx, "share out node-days", func(tx pgx.Tx) error {
		_, err := pg.Exec(ctx, tx, "workers.put_batches", pg.Tenant, calculation, numbers, days, work)
		return err
	})
}

// TakeBatch gives a batch to a worker; ok is false when it is done, or its
// calculation has ended.
func (s *Book) TakeBatch(ctx context.Context, calculation ledger.ID, batch int, worker string) (work []byte, c posting.Calculation, ok bool, err error) {
	c.ID = calculation
	err = s.Pool.QueryRow(ctx, pg.Statement("workers.take"), pg.Tenant, calculation, batch, worker).Scan(&work, &c.Mark)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, c, false, nil
	}
	if err != nil {
		return nil, c, false, fmt.Errorf("workers.take: %w", err)
	}
	return work, c, true, nil
}

// SettleBatch keeps what came of a batch, or why it failed.
func (s *Book) SettleBatch(ctx context.Context, calculation ledger.ID, batch int, r posting.BatchResult, failed error) error {
	var result, message *string
	if failed != nil {
		text := failed.Error()
		message = &text
	} else {
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("result of a batch: %w", err)
		}
		all := string(text)
		result = &all
	}
	if _, err := s.Pool.Exec(ctx, pg.Statement("workers.settle"), pg.Tenant, calculation, batch, result, message); err != nil {
		return fmt.Errorf("workers.settle: %w", err)
	}
	return nil
}

// CollectBatches hands each result to done once, and returns how many batches
// are left. The error is that of a batch that failed as many times as tries.
func (s *Book) CollectBatches(ctx context.Context, calculation ledger.ID, tries int, done func(posting.BatchResult)) (left int, err error) {
	var results []posting.BatchResult
	err = pg.Query(ctx, s.Pool, "workers.collect", func(rows pgx.Rows) error {
		var r posting.BatchResult
		var text []byte
		if err := rows.Scan(&text); err != nil {
			return err
		}
		err := json.Unmarshal(text, &r)
		results = append(results, r)
		return err
	}, pg.Tenant, calculation)
	if err != nil {
		return 0, err
	}
	for _, r := range results {
		done(r)
	}
	var message string
	if err := s.Pool.QueryRow(ctx, pg.Statement("workers.waiting"), pg.Tenant, calculation, tries).Scan(&left, &message); err != nil {
		return 0, fmt.Errorf("workers.waiting: %w", err)
	}
	if message != "" {
		return left, errors.New(message)
	}
	return left, nil
}

// LostWorkers returns those of the named workers that give no sign of life. What
// they were saving is broken off.
func (s *Book) LostWorkers(ctx context.Context, workers []string) (list []string, err error) {
	err = pg.Query(ctx, s.Pool, "workers.lost", func(rows pgx.Rows) error {
		var worker string
		err := rows.Scan(&worker)
		list = append(list, worker)
		return err
	}, pg.Tenant, workers, workerSilence)
	return list, err
}

// DropBatches forgets the batches of a calculation, and of those that have
// ended.
func (s *Book) DropBatches(ctx context.Context, calculation ledger.ID) error {
	if _, err := s.Pool.Exec(ctx, pg.Statement("workers.drop_batches"), pg.Tenant, calculation); err != nil {
		return fmt.Errorf("workers.drop_batches: %w", err)
	}
	return nil
}
