package schedule

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"gpuledger/internal/config"
)

// Schema is where River's tables lie.
const Schema = "river"

// Migrate brings River's own tables to the version of this binary. Concurrent
// calls wait for each other.
func Migrate(ctx context.Context, dsn string) error {
	pool, err := openPool(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	tx, err := pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("connect to database: %w", err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // only the lock hangs on it
	if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtext('gpuledger schedule migration'))"); err != nil {
		return fmt.Errorf("migrate the schedule: %w", err)
	}
	if _, err := pool.Exec(ctx, "create schema if not exists "+Schema); err != nil {
		return fmt.Errorf("migrate the schedule: %w", err)
	}
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: Schema})
	if err != nil {
		return fmt.Errorf("migrate the schedule: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the schedule: %w", err)
	}
	return nil
}

// takeUp makes jobs available again that a dead process left running.
const takeUp = `update river.river_job set state = 'available', scheduled_at = now(), max_attempts = greatest(max_attempts, attempt + 1)
where kind = 'import' and state = 'running' and args->>'source' = $1`

// revive takes up imports that a killed process left behind. River would after
// a while; the lock of the source tells at once that nobody works on it.
func revive(ctx context.Context, pool *pgxpool.Pool, store Store, sources []config.Source) error {
	var faults []error
	for _, s := range sources {
		unlock, free, err := store.LockSource(ctx, s.Name)
		if err == nil && free {
			_, err = pool.Exec(ctx, takeUp, s.Name)
			unlock()
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("take up the import of %s: %w", s.Name, err))
		}
	}
	return errors.Join(faults...)
}
