package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/tern/v2/migrate"

	"gpuledger/migrations"
)

// afterMigrate runs once the tables are current, in order: what is generated
// from definitions in Go: tables of facts, the bi_v1 views.
var afterMigrate = []func(ctx context.Context, tx pgx.Tx) error{refreshFacts, refreshViews}

// Migrate brings the schema of conn's database to the version of this binary.
// Concurrent calls wait for each other. A newer schema is refused.
func Migrate(ctx context.Context, conn *pgx.Conn) error {
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
		for _, step := range afterMigrate {
			if err := step(ctx, tx); err != nil {
				return fmt.Errorf("after migration: %w", err)
			}
		}
		return nil
	})
}

// MigrateDSN is Migrate on a connection of its own.
func MigrateDSN(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect to database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // nothing is pending
	return Migrate(ctx, conn)
}
