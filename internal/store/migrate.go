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

// Migrate brings the schema of conn's database to the version of this binary. Concurrent calls wait for each other. It
// refuses a newer schema, the schema of a build before the first release, and a database of other programs. After the
// tables it creates the objects that are generated from definitions in Go: tables of facts, the bi_v1 views, and access
// rights.
func Migrate(ctx context.Context, conn *pgx.Conn) error {
	return pg.MigrateTables(ctx, conn, pg.OwnDatabase, figures.RefreshFacts, report.RefreshViews, access.RefreshRights)
}

// MigrateDSN is Migrate on a new connection.
func MigrateDSN(ctx context.Context, dsn string) error { return connected(ctx, dsn, Migrate) }

// MigrateInto is MigrateDSN that also accepts a database with tables of other programs.
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
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // no work is pending
	return f(ctx, conn)
}

// Settled returns an error unless this binary's migrations of the database are complete. Read-only commands call it
// first. It changes nothing.
func (s *Store) Settled(ctx context.Context) error { return s.DB.Settled(ctx, figures.CheckFacts) }
