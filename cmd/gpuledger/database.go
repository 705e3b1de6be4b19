package main

import (
	"cmp"
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

// database returns the given database, else gpuledger's own server,
// started if need be. close releases it.
func (a *app) database() (dsn string, close func(), err error) {
	if a.flags.DatabaseURL != "" {
		// The parser's own error shows what it was given, which may hold a password.
		if _, err := pgconn.ParseConfig(a.flags.DatabaseURL); err != nil {
			return "", nil, errors.New("--database-url or DATABASE_URL is not a PostgreSQL address, such as " +
				"postgres://user:password@host:5432/database or " +
				"host=… port=5432 user=… dbname=…; it is not shown because it may contain a password")
		}
		return a.flags.DatabaseURL, func() {}, nil
	}
	server, err := localpg.Start(a.ctx, localpg.Options{DataDir: a.flags.DataDir, Log: a.log})
	if err != nil {
		return "", nil, fmt.Errorf("no --database-url is given, and gpuledger's own PostgreSQL did not start: %w", err)
	}
	close = func() {
		if err := server.Close(); err != nil {
			a.log.Warn("could not release the local database", "error", err)
		}
	}
	if err := createDatabase(a.ctx, server.DSN("postgres")); err != nil {
		close()
		return "", nil, err
	}
	return server.DSN(databaseName), close, nil
}

// createDatabase creates gpuledger's database if it does not exist. Concurrent processes
// wait for each other.
func createDatabase(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect to the local database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is pending
	// the lock ends with the connection
	if _, err := conn.Exec(ctx, "select pg_advisory_lock(hashtext('gpuledger database'))"); err != nil {
		return fmt.Errorf("wait for others who create the local database: %w", err)
	}
	var exists bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)",
		databaseName).Scan(&exists); err != nil || exists {
		return err
	}
	if _, err := conn.Exec(ctx, "create database "+databaseName); err != nil {
		return fmt.Errorf("create the local database: %w", err)
	}
	return nil
}

// use is how a command uses its database.
type use int

const (
	// reads: the command changes nothing and creates no database.
	reads use = iota
	// continues: the command changes a ledger that must already have data.
	continues
	// begins: the command may be the first, and creates the database.
	begins
)

// errNothing says that the ledger is empty, and which command comes next.
var errNothing = errors.New("nothing has been imported yet: begin with `gpuledger import auto FOLDER` (bills, " +
	"telemetry, jobs: docs/start/your-data.md), or see a simulated fleet with `gpuledger demo`")

// withStore runs f on a store whose schema is current, and which may be empty.
func (a *app) withStore(f func(s *store.Store) error) error {
	return a.withDatabase(begins, pg.Options{}, func(s *store.Store, _ string) error { return f(s) })
}

// withLedger runs f on a store whose schema is current, and not empty.
func (a *app) withLedger(f func(s *store.Store) error) error {
	return a.withDatabase(continues, pg.Options{}, func(s *store.Store, _ string) error { return f(s) })
}

// readStore runs f, which only reads, on a store whose schema has to be current.
func (a *app) readStore(f func(s *store.Store) error) error {
	return a.withDatabase(reads, pg.Options{}, func(s *store.Store, _ string) error { return f(s) })
}

// withDatabase runs f on a store whose schema is current, with the store's address. A command
// that only reads does not migrate: an older schema is refused.
func (a *app) withDatabase(u use, o pg.Options, f func(s *store.Store, dsn string) error) error {
	if u != begins {
		if fresh, err := a.fresh(); fresh || err != nil {
			return cmp.Or(err, errNothing)
		}
	}
	dsn, closeServer, err := a.database()
	if err != nil {
		return err
	}
	defer closeServer()
	if u == begins {
		if err := store.MigrateDSN(a.ctx, dsn); err != nil {
			return err
		}
	}
	s, err := store.Open(a.ctx, dsn, o)
	if err != nil {
		return err
	}
	defer s.Close()
	if u != begins {
		err = s.Settled(a.ctx)
	}
	switch {
	case errors.Is(err, pg.ErrEmpty):
		return errNothing
	case err != nil && u == continues:
		err = store.MigrateDSN(a.ctx, dsn)
	}
	if err != nil {
		return err
	}
	return f(s, dsn)
}

// fresh reports whether the command would create a local PostgreSQL.
func (a *app) fresh() (bool, error) {
	if a.flags.DatabaseURL != "" {
		return false, nil
	}
	return localpg.Fresh(a.flags.DataDir)
}
