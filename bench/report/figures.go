package main

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
)

//go:embed sql/figures.sql
var figuresSQL string

// invent runs statements with values in their texts.
func invent(ctx context.Context, server *localpg.Server, sql string, args ...any) error {
	conn, err := pgx.Connect(ctx, server.DSN("year"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}

// ofRollUps reports whether a table is what days and months are added up to.
func ofRollUps(table string) bool {
	return strings.HasSuffix(table, "_hours") || strings.HasSuffix(table, "_days") || strings.HasSuffix(table, "_months") || slices.Contains([]string{"serving_services", "findings", "finding_costs"}, table)
}
