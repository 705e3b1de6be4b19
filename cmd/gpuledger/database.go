package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/localpg"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
)

// databaseName is the database on gpuledger's own server.
const databaseName = "gpuledger"

// database finds the database: the one given, else gpuledger's own server,
// started if need be. close gives it back.
func (a *app) database() (dsn string, close func(), err error) {
	if a.flags.DatabaseURL != "" {
		// The parser's own error shows what it was given, which may hold a password.
		if _, err := pgconn.ParseConfig(a.flags.DatabaseURL); err != nil {
			return "", nil, errors.New("--database-url or DATABASE_URL is no address of a PostgreSQL, such as postgres://user:password@host:5432/database or " +
				"host=… port=5432 user=… dbname=…; it is not shown because it may hold a password")
		}
		return a.flags.DatabaseURL, func() {}, nil
	}
	server, err := localpg.Start(a.ctx, localpg.Options{DataDir: a.flags.DataDir, Log: a.log})
	if err != nil {
		return "", nil, fmt.Errorf("no --database-url is given, and gpuledger's own PostgreSQL does not start: %w", err)
	}
	close = func() {
		if err := server.Close(); err != nil {
			a.log.Warn("giving back the local database", "error", err)
		}
	}
	if err := createDatabase(a.ctx, server.DSN("postgres")); err != nil {
		close()
		return "", nil, err
	}
	return server.DSN(databaseName), close, nil
}

// createDatabase makes gpuledger's database unless it is there.
func createDatabase(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect to the local database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is pending
	var exists bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", databaseName).Scan(&exists); err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "create database "+databaseName)
	const duplicate = "42P04" // another process was faster
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) && pg.Code == duplicate {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create the local database: %w", err)
	}
	return nil
}

// withStore runs f on a store whose schema is current.
func (a *app) withStore(f func(s *store.Store) error) error {
	return a.withDatabase(pg.Options{}, func(s *store.Store, _ string) error { return f(s) })
}

// withDatabase runs f on a store whose schema is current, with its address.
func (a *app) withDatabase(o pg.Options, f func(s *store.Store, dsn string) error) error {
	dsn, closeServer, err := a.database()
	if err != nil {
		return err
	}
	defer closeServer()
	if err := store.MigrateDSN(a.ctx, dsn); err != nil {
		return err
	}
	s, err := store.Open(a.ctx, dsn, o)
	if err != nil {
		return err
	}
	defer s.Close()
	return f(s, dsn)
}
