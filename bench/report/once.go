package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
)

// fillOnce makes the data that do not come day by day, if they are missing.
func fillOnce(ctx context.Context, server *localpg.Server) error {
	for _, one := range []struct {
		table, sql string
		args       []any
	}{
		{"findings", statement("findings"), nil},
		{"star.device_months", statement("devices"), []any{yearFrom, yearTo}},
	} {
		there, err := hasRows(ctx, server, one.table)
		if err != nil {
			return err
		}
		if there {
			continue
		}
		if err := invent(ctx, server, one.sql, one.args...); err != nil {
			return fmt.Errorf("%s: %w", one.table, err)
		}
		if err := run(ctx, server, "year", "vacuum analyze"); err != nil {
			return err
		}
	}
	return nil
}

// hasRows reports whether a table of the year has any row.
func hasRows(ctx context.Context, server *localpg.Server, table string) (there bool, err error) {
	conn, err := pgx.Connect(ctx, server.DSN("year"))
	if err != nil {
		return false, err
	}
	err = conn.QueryRow(ctx, "select exists (select from "+table+")").Scan(&there)
	return there, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}
