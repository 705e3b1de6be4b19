package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
)

//go:embed sql
var files embed.FS

// statement is a text of sql/. An unknown name stops the program.
func statement(name string) string {
	list, err := pg.Named(files)
	if err != nil || list[name] == "" {
		panic(fmt.Sprintf("no statement is called %q: %v", name, err))
	}
	return list[name]
}

// copied makes a copy of the demo's database with so many postings at least, unless there is one, and returns its
// address.
func copied(ctx context.Context, server *localpg.Server, rows int64) (dsn string, err error) {
	name := fmt.Sprint("export_", rows)
	fresh, err := create(ctx, server, name, "template gpuledger")
	if err != nil {
		return "", err
	}
	dsn = server.DSN(name)
	if err := store.MigrateDSN(ctx, dsn); err != nil || !fresh {
		return dsn, err
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	// Without triggers: the demo's closed months refuse new rows.
	if _, err := conn.Exec(ctx, "set session_replication_role = replica; set synchronous_commit = off"); err != nil {
		return "", err
	}
	var own, have int64
	if err := conn.QueryRow(ctx, "select count(*) from posting_rows").Scan(&own); err != nil {
		return "", err
	}
	if own == 0 {
		return "", errors.New("the demo has no postings")
	}
	if _, err := conn.Exec(ctx, "create temporary table first as select * from posting_rows"); err != nil {
		return "", err
	}
	began := time.Now()
	for have = own; have < rows; have += min(own, rows-have) {
		if _, err := conn.Exec(ctx, statement("more"), fmt.Sprint(have), min(own, rows-have)); err != nil {
			return "", fmt.Errorf("more postings: %w", err)
		}
	}
	fmt.Fprintf(os.Stderr, "%d postings were made from %d in %s\n", have, own, time.Since(began).Round(time.Second))
	_, err = conn.Exec(ctx, "vacuum analyze posting_rows")
	return dsn, err
}

// day makes the ledger of a day, unless there is one.
func day(ctx context.Context, server *localpg.Server) (dsn string, err error) {
	fresh, err := create(ctx, server, "export_day", "")
	if err != nil {
		return "", err
	}
	dsn = server.DSN("export_day")
	if err := store.MigrateDSN(ctx, dsn); err != nil || !fresh {
		return dsn, err
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if _, err := conn.Exec(ctx, statement("day")); err != nil {
		return "", fmt.Errorf("a day: %w", err)
	}
	_, err = conn.Exec(ctx, "vacuum analyze")
	return dsn, err
}

// create makes a database, unless it exists.
func create(ctx context.Context, server *localpg.Server, name, how string) (fresh bool, err error) {
	conn, err := pgx.Connect(ctx, server.DSN("postgres"))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	err = conn.QueryRow(ctx, "select not exists (select from pg_database where datname = $1)", name).Scan(&fresh)
	if err == nil && fresh {
		_, err = conn.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize()+" "+how)
	}
	return fresh, err
}
