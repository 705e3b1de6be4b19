package main

import (
	"fmt"

	"gpuledger/internal/schedule"
	"gpuledger/internal/store"
	"gpuledger/migrations"
)

type migrateCmd struct {
	IntoThisDatabase bool `name:"into-this-database" help:"Keep the ledger in a database that already has other tables."`
}

// Run implements the command.
func (c *migrateCmd) Run(a *app) error {
	dsn, closeServer, err := a.database()
	if err != nil {
		return err
	}
	defer closeServer()
	migrate := store.MigrateDSN
	if c.IntoThisDatabase {
		migrate = store.MigrateInto
	}
	if err := migrate(a.ctx, dsn); err != nil {
		return err
	}
	if err := schedule.Migrate(a.ctx, dsn); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "schema version %d\n", migrations.Latest())
	return err
}
