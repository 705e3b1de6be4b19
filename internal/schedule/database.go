package schedule

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"gpuledger/internal/config"
)

// Schema is the schema of River's tables.
const Schema = "river"

// Migrate brings River's tables to the version of this binary. Concurrent calls wait for each other.
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
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // releases the lock; nothing was written
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

// revive requeues imports that a killed process left running. River rescues them only after a while, and they then
// find that they are done. The lock of the source shows at once that no process works on it.
func revive(ctx context.Context, client *river.Client[pgx.Tx], o Options, sources []config.Source) error {
	left, err := client.JobList(ctx,
		river.NewJobListParams().Kinds(importArgs{}.Kind()).States(rivertype.JobStateRunning).First(mostLeft))
	if err != nil {
		return fmt.Errorf("look for interrupted imports: %w", err)
	}
	again := o.Now().UnixNano()
	for _, job := range left.Jobs {
		var args importArgs
		if err := json.Unmarshal(job.EncodedArgs, &args); err != nil {
			return fmt.Errorf("job %d: %w", job.ID, err)
		}
		if !slices.ContainsFunc(sources, func(s config.Source) bool { return s.Name == args.Source }) {
			continue
		}
		unlock, free, err := o.Store.LockSource(ctx, args.Source)
		if err == nil && free {
			args.Again = again
			_, err = client.Insert(ctx, args, nil)
			unlock()
		}
		if err != nil {
			return fmt.Errorf("resume the import of %s: %w", args.Source, err)
		}
	}
	return nil
}

// mostLeft exceeds the number of imports that killed processes can leave before River rescues them.
const mostLeft = 1000
