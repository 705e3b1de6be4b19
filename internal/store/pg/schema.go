package pg

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
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
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, step := range after {
			if err := step(ctx, tx); err != nil {
				return fmt.Errorf("after migration: %w", err)
			}
		}
		return nil
	})
}
