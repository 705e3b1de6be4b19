package pg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/tern/v2/migrate"

	"gpuledger/migrations"
)

// VersionTable is where migrations keep the version of the schema.
const VersionTable = "public.schema_version"

// released is what the first migration writes on the version table. A database that
// an unreleased build made lacks it, whatever its number. Until the release it has
// the day of the last change to a migration that was already there, and which of that day it is.
const released = "Schema of gpuledger from its first release on, as of 2026-11-27, second draft."

// MigrateTables runs the migrations that a database lacks, and the steps after
// them in one transaction. A database that is newer than the binary is refused, and one
// of a build from before the first release.
func MigrateTables(ctx context.Context, conn *pgx.Conn, after ...func(ctx context.Context, tx pgx.Tx) error) error {
	m, err := migrate.NewMigrator(ctx, conn, VersionTable)
	if err != nil {
		return fmt.Errorf("prepare migration: %w", err)
	}
	if err := m.LoadMigrations(migrations.FS); err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	current, err := m.GetCurrentVersion(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	var line string
	if err := conn.QueryRow(ctx, Statement("schema.line")).Scan(&line); err != nil {
		return fmt.Errorf("schema.line: %w", err)
	}
	if current > 0 && line != released {
		return fmt.Errorf("the database was made by an unreleased build (schema version %d), which nothing upgrades: "+
			"import again into a new one, in another folder (--data-dir) or server (--database-url)", current)
	}
	if latest := migrations.Latest(); current > latest {
		return fmt.Errorf("the database has schema version %d, this gpuledger knows up to %d: use a newer gpuledger", current, latest)
	}
	if err := m.Migrate(ctx); err != nil {
		return fmt.Errorf("migrate schema from version %d: %w", current, err)
	}
	for try := 1; ; try++ {
		err := afterMigration(ctx, conn, after)
		if p, ok := errors.AsType[*pgconn.PgError](err); ok && try < tries && slices.Contains([]string{deadlock, lockTimeout}, p.Code) {
			slog.WarnContext(ctx, "others use the tables that are changed; tried again",
				slog.Int("try", try), slog.Any("error", err), slog.String("detail", p.Detail))
			continue
		}
		return err
	}
}

// Why the steps after migrations begin anew, and how often they are tried.
const (
	deadlock    = "40P01" // they and what goes on in the database waited for each other
	lockTimeout = "55P03" // somebody uses a table for longer than everybody else shall wait for it
	tries       = 6
)

func afterMigration(ctx context.Context, conn *pgx.Conn, steps []func(ctx context.Context, tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, name := range []string{"schema.steps", "schema.bound_waits"} { // two processes may migrate at once
			if _, err := tx.Exec(ctx, Statement(name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		for _, step := range steps {
			if err := step(ctx, tx); err != nil {
				return fmt.Errorf("after migration: %w", err)
			}
		}
		return nil
	})
}
