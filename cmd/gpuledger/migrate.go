package main

import (
	"fmt"

	"gpuledger/internal/schedule"
	"gpuledger/internal/store"
	"gpuledger/migrations"
)

type migrateCmd struct{}

// Run implements the command.
func (c *migrateCmd) Run(a *app) error {
	dsn, closeServer, err := a.database()
	if err != nil {
		return err
	}
	defer closeServer()
	if err := store.MigrateDSN(a.ctx, dsn); err != nil {
		return err
	}
	if err := schedule.Migrate(a.ctx, dsn); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "schema version %d\n", migrations.Latest())
	return err
}
