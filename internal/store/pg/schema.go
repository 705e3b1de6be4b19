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

// VersionTable has the schema version that migrations maintain.
const VersionTable = "public.schema_version"

// released is the comment that the first migration puts on the version table. A database of an unreleased build lacks
// it, whatever its version. Until the release, it names the day of the last change to an existing migration.
const released = "Schema of gpuledger from its first release on, as of 2026-11-28."

// Into decides whether to migrate a database that has tables of other programs and none of gpuledger.
type Into bool

// OwnDatabase refuses such a database; AnyDatabase accepts it.
const (
	OwnDatabase Into = false
	AnyDatabase Into = true
)

// MigrateTables runs the missing migrations, then the steps after them in one transaction. It refuses a database newer
// than the binary, one of an unreleased build, and one of other programs. Processes that migrate at once wait for each
// other.
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
			slog.WarnContext(ctx, "the tables to change are in use, trying again",
				slog.Int("try", try), slog.Any("error", err), slog.String("detail", p.Detail))
			continue
		}
		return err
	}
}

// clash returns an error if other programs already use a name that migrations need.
func clash(ctx context.Context, conn *pgx.Conn) error {
	ours, err := migrations.Relations()
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	taken, err := Value[[]string](ctx, conn, "schema.taken", ours)
	if err != nil || len(taken) == 0 {
		return err
	}
	return fmt.Errorf("the database already has %s, and gpuledger needs these names: nothing was changed. "+
		"Make a separate database: create database gpuledger", strings.Join(taken, ", "))
}

// Errors after which the steps after migrations are repeated, and how often they are tried.
const (
	deadlock    = "40P01" // with other work in the database
	lockTimeout = "55P03" // a table was in use longer than others should wait behind us
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
