package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/bench/rig"
	"gpuledger/internal/localpg"
)

// pgRig is the server that both sides work on.
type pgRig struct {
	server *localpg.Server
	cpu    rig.Processor
}

func (r *pgRig) dsn(database string) string { return r.server.DSN(database) }

// with runs f on a separate connection.
func (r *pgRig) with(ctx context.Context, database string, f func(*pgx.Conn) error) (err error) {
	conn, err := pgx.Connect(ctx, r.dsn(database))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	return f(conn)
}

// on runs statements, each in a separate transaction.
func (r *pgRig) on(ctx context.Context, database string, statements ...string) error {
	return r.with(ctx, database, func(conn *pgx.Conn) error {
		for _, sql := range statements {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
}

func (r *pgRig) admin(ctx context.Context, statements ...string) error {
	return r.on(ctx, "postgres", statements...)
}
