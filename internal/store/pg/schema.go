package pg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/tern/v2/migrate"

	"gpuledger/migrations"
)

// VersionTable is where migrations keep the version of the schema.
const VersionTable = "public.schema_version"

// released is what the first migration writes on the version table. A database that
// an unreleased build made lacks it, whatever its number. Until the release it has
// the day of the last change to a migration that was already there, and which of that day it is.
const released = "Schema of gpuledger from its first release on, as of 2026-11-28."

// Into says what is done with a database that has tables of others, and none of gpuledger.
type Into bool

// Others' databases are refused unless that was asked for.
const (
	OwnDatabase Into = false
	AnyDatabase Into = true
)

// MigrateTables runs the migrations that a database lacks, and the steps after
// them in one transaction. A database that is newer than the binary is refused, one
// of a build from before the first release, and one of others. Processes that migrate at
// once wait for each other.
func MigrateTables(
	ctx context.Context, conn *pgx.Conn, into Into, after ...func(ctx context.Context, tx pgx.Tx) error,
) (err error) {
	if _, err := conn.Exec(ctx, Statement("schema.migrating")); err != nil {
		return fmt.Errorf("schema.migrating: %w", err)
	}
	defer func() {
		if _, unlock := conn.Exec(context.WithoutCancel(ctx), Statement("schema.migrated")); err == nil && unlock != nil {
			err = fmt.Errorf("schema.migrated: %w", unlock)
		}
	}()
	st, err := look(ctx, conn)
	if err != nil {
		return err
	}
	if err := st.refuse(); err != nil {
		if _, others := errors.AsType[*OthersError](err); !others || into != AnyDatabase {
			return err
		}
		if err := clash(ctx, conn); err != nil {
			return err
		}
	}
	m, err := migrate.NewMigrator(ctx, conn, VersionTable)
	if err != nil {
		return fmt.Errorf("prepare migration: %w", err)
	}
	if err := m.LoadMigrations(migrations.FS); err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	current := st.version
	if err := m.Migrate(ctx); err != nil {
		return fmt.Errorf("migrate schema from version %d: %w", current, err)
	}
	for try := 1; ; try++ {
		err := afterMigration(ctx, conn, after)
		if p, ok := errors.AsType[*pgconn.PgError](err); ok && try < tries &&
			slices.Contains([]string{deadlock, lockTimeout}, p.Code) {
			slog.WarnContext(ctx, "others use the tables that are changed; tried again",
				slog.Int("try", try), slog.Any("error", err), slog.String("detail", p.Detail))
			continue
		}
		return err
	}
}

// clash is an error where others have something of a name that migrations need.
func clash(ctx context.Context, conn *pgx.Conn) error {
	ours, err := migrations.Relations()
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	taken, err := Value[[]string](ctx, conn, "schema.taken", ours)
	if err != nil || len(taken) == 0 {
		return err
	}
	return fmt.Errorf("the database cannot hold the ledger beside what others have there: %s has a name that "+
		"gpuledger needs; nothing was changed. "+
		"Make a database for it: create database gpuledger", strings.Join(taken, ", "))
}

// Why the steps after migrations begin anew, and how often they are tried.
const (
	deadlock    = "40P01" // they and what goes on in the database waited for each other
	lockTimeout = "55P03" // somebody uses a table for longer than everybody else shall wait for it
	tries       = 6
)

func afterMigration(ctx context.Context, conn *pgx.Conn, steps []func(ctx context.Context, tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, name := range []string{"schema.steps", "schema.bound_waits"} { // two processes may migrate at once
			if _, err := tx.Exec(ctx, Statement(name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		for _, step := range steps {
			if err := step(ctx, tx); err != nil {
				return fmt.Errorf("after migration: %w", err)
			}
		}
		return nil
	})
}
