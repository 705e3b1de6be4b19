package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
)

//go:embed sql/figures.sql
var figuresSQL string

// fillFigures invents what the datasets with days of their own add up to, before
// months are made of the days.
func fillFigures(ctx context.Context, server *localpg.Server, from, to time.Time) error {
	conn, err := pgx.Connect(ctx, server.DSN("year"))
	if err != nil {
		return err
	}
	if _, err = conn.Exec(ctx, figuresSQL, pgx.QueryExecModeSimpleProtocol, from, to); err != nil {
		err = fmt.Errorf("figures: %w", err)
	}
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}

// ofRollUps reports whether a table is what days and months are added up to.
func ofRollUps(table string) bool {
	return strings.HasSuffix(table, "_hours") || strings.HasSuffix(table, "_days") || strings.HasSuffix(table, "_months") || slices.Contains([]string{"serving_services", "findings", "finding_costs"}, table)
}
