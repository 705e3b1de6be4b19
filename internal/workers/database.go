package workers

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// Schema is where River's tables of batches lie. They are not those of the
// schedule: the process that River elects throws away stuck jobs of kinds that
// it does not know.
const Schema = "river_workers"

// migrate brings River's own tables to the version of this binary. Concurrent
// calls wait for each other.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("connect to database: %w", err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // only the lock hangs on it
	if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtext('gpuledger workers migration'))"); err != nil {
		return fmt.Errorf("migrate the jobs of workers: %w", err)
	}
	if _, err := pool.Exec(ctx, "create schema if not exists "+Schema); err != nil {
		return fmt.Errorf("migrate the jobs of workers: %w", err)
	}
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: Schema})
	if err != nil {
		return fmt.Errorf("migrate the jobs of workers: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the jobs of workers: %w", err)
	}
	return nil
}

// busy names the workers that have jobs of a calculation.
const busy = `select distinct attempted_by[array_upper(attempted_by, 1)] from ` + Schema + `.river_job
where kind = 'node_days' and args->>'calculation' = $1 and state = 'running'`

// takeUp makes the jobs of a calculation available that lost workers left, and
// those that failed.
const takeUp = `update ` + Schema + `.river_job set state = 'available', scheduled_at = now(), max_attempts = greatest(max_attempts, attempt + 1)
where kind = 'node_days' and args->>'calculation' = $1
  and (state in ('retryable', 'discarded') or state = 'running' and attempted_by[array_upper(attempted_by, 1)] = any ($2::text[]))`

// forget drops the jobs of a calculation that nobody has begun.
const forget = `delete from ` + Schema + `.river_job
where kind = 'node_days' and args->>'calculation' = $1 and state in ('available', 'retryable', 'scheduled', 'pending')`

// openPool opens River's own connections.
func openPool(ctx context.Context, dsn string) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	c.MaxConns = poolSize
	c.ConnConfig.RuntimeParams["application_name"] = "gpuledger workers"
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("open database for workers: %w", err)
	}
	return pool, nil
}
