package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
)

type options struct {
	dir      string
	rate     int
	duration time.Duration
	only     string
	page     string
}

func main() {
	localpg.SuperviseIfAsked()
	var o options
	flag.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "gpuledger-bench-report"),
		"folder of the server; the year is kept between runs")
	flag.IntVar(&o.rate, "rate", 20, "questions a second")
	flag.DurationVar(&o.duration, "duration", time.Minute, "how long")
	flag.StringVar(&o.only, "only", "", "measure this alone: year, ledger")
	flag.StringVar(&o.page, "page", "", "of the year, run only page queries with this in their names")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-report:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, o options) (err error) {
	if o.rate < 1 || o.duration < time.Second {
		return fmt.Errorf("-rate %d -duration %s: at least 1 and 1s", o.rate, o.duration)
	}
	server, err := localpg.Start(ctx, localpg.Options{DataDir: filepath.Join(o.dir, "server")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if o.only == "" || o.only == "year" {
		if err := benchYear(ctx, server, o); err != nil {
			return fmt.Errorf("a year: %w", err)
		}
	}
	if o.only == "" || o.only == "ledger" {
		if err := benchLedger(ctx, server); err != nil {
			return fmt.Errorf("against postings: %w", err)
		}
	}
	return nil
}

// open makes a database if it is missing and returns it with the current schema; fresh reports that it was missing.
func open(ctx context.Context, server *localpg.Server, database string) (s *store.Store, fresh bool, err error) {
	conn, err := pgx.Connect(ctx, server.DSN("postgres"))
	if err != nil {
		return nil, false, err
	}
	err = conn.QueryRow(ctx, "select not exists (select from pg_database where datname = $1)", database).Scan(&fresh)
	if err == nil && fresh {
		_, err = conn.Exec(ctx, "create database "+pgx.Identifier{database}.Sanitize())
	}
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return nil, false, err
	}
	if err := store.MigrateDSN(ctx, server.DSN(database)); err != nil {
		return nil, false, err
	}
	s, err = store.Open(ctx, server.DSN(database), pg.Options{})
	return s, fresh, err
}

// run sends statements to a database, one after another.
func run(ctx context.Context, server *localpg.Server, database string, statements ...string) error {
	conn, err := pgx.Connect(ctx, server.DSN(database))
	if err != nil {
		return err
	}
	for _, sql := range statements {
		if _, err = conn.Exec(ctx, sql); err != nil {
			err = fmt.Errorf("%.60s…: %w", sql, err)
			break
		}
	}
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}

// invent runs statements in the year, with values substituted in their texts.
func invent(ctx context.Context, server *localpg.Server, sql string, args ...any) error {
	conn, err := pgx.Connect(ctx, server.DSN("year"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}
