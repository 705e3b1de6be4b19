package main

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
)

//go:embed sql/findings.sql
var findingsSQL string

// fillFindings makes the findings of the year, where there are none.
func fillFindings(ctx context.Context, server *localpg.Server) error {
	conn, err := pgx.Connect(ctx, server.DSN("year"))
	if err != nil {
		return err
	}
	var there bool
	err = conn.QueryRow(ctx, "select exists (select from findings where tenant_id = 1)").Scan(&there)
	if closeErr := conn.Close(ctx); err == nil {
		err = closeErr
	}
	if err != nil || there {
		return err
	}
	if err := run(ctx, server, "year", findingsSQL, "vacuum analyze"); err != nil {
		return fmt.Errorf("findings: %w", err)
	}
	return nil
}
