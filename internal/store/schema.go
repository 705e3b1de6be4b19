package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/tern/v2/migrate"

	"gpuledger/migrations"
)

// versionTable is where migrations keep the version of the schema.
const versionTable = "public.schema_version"

// migrateTables runs the migrations that a database lacks, and the steps after
// them in one transaction. A database that is newer than the binary is refused.
func migrateTables(ctx context.Context, conn *pgx.Conn, after ...func(ctx context.Context, tx pgx.Tx) error) error {
	m, err := migrate.NewMigrator(ctx, conn, versionTable)
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
