package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store/access"
	"gpuledger/internal/store/figures"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
)

// Migrate brings the schema of conn's database to the version of this binary.
// Concurrent calls wait for each other. A newer schema is refused, that of a
// build from before the first release, and a database of others. Once the tables are
// current, what is generated from definitions in Go follows: tables of facts, the bi_v1
// views, and who may read what of them.
func Migrate(ctx context.Context, conn *pgx.Conn) error {
	return pg.MigrateTables(ctx, conn, pg.OwnDatabase, figures.RefreshFacts, report.RefreshViews, access.RefreshRights)
}

// MigrateDSN is Migrate on a connection of its own.
func MigrateDSN(ctx context.Context, dsn string) error { return connected(ctx, dsn, Migrate) }

// MigrateInto is MigrateDSN which keeps the ledger beside tables of others, too.
func MigrateInto(ctx context.Context, dsn string) error {
	return connected(ctx, dsn, func(ctx context.Context, conn *pgx.Conn) error {
		return pg.MigrateTables(ctx, conn, pg.AnyDatabase, figures.RefreshFacts, report.RefreshViews, access.RefreshRights)
	})
}

func connected(ctx context.Context, dsn string, f func(ctx context.Context, conn *pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect to database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // nothing is pending
	return f(ctx, conn)
}

// Settled is an error unless the database is one that this binary migrated to the end:
// what commands that only read ask first. It changes nothing.
func (s *Store) Settled(ctx context.Context) error { return s.DB.Settled(ctx, figures.CheckFacts) }
