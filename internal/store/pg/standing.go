package pg

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/migrations"
)

// standing says whose database this is.
type standing struct {
	Line    string // the comment on the version table
	Own     bool   // has tables that unreleased builds also made
	Tables  int64
	Example string // one of the tables
	version int32
}

// marked begins the version table's comment in every build since the first nine migration files.
const marked = "Schema of gpuledger"

// ErrEmpty is the error for a database without tables.
var ErrEmpty = errors.New("the database is empty: nothing has been imported yet")

// OthersError is the error for a database with tables of other programs and none of gpuledger.
type OthersError struct {
	Tables  int64
	Example string
}

// Error implements error.
func (e *OthersError) Error() string {
	return fmt.Sprintf("the database has %d tables of other programs, such as %s, and none of gpuledger: nothing was "+
		"changed. Give another database (--database-url or DATABASE_URL), or run `gpuledger migrate "+
		"--into-this-database` to keep the ledger next to them",
		e.Tables, e.Example)
}

// OlderError is the error for a schema that lacks migrations.
type OlderError struct{ Version int32 }

// Error implements error.
func (e *OlderError) Error() string {
	return fmt.Sprintf("the database has schema version %d, this gpuledger needs %d, and a command that only reads "+
		"does not migrate: run `gpuledger migrate`", e.Version, migrations.Latest())
}

// look reads the state of a database without changing it.
func look(ctx context.Context, q Querier) (st standing, err error) {
	found, err := One[struct {
		standing
		Versioned bool
	}](ctx, q, "schema.standing")
	if st = found.standing; err != nil || !found.Versioned || !st.ours() && st.Tables > 0 {
		return st, err // another program's version table may have other columns
	}
	rows, err := q.Query(ctx, "select version from "+VersionTable)
	if err == nil {
		st.version, err = pgx.CollectOneRow(rows, pgx.RowTo[int32])
	}
	if err != nil {
		return st, fmt.Errorf("read schema version: %w", err)
	}
	return st, nil
}

func (st standing) ours() bool { return st.Own || strings.HasPrefix(st.Line, marked) }

// refuse returns an error if the database must not be migrated: it belongs to other programs, an unreleased build, or a
// newer gpuledger.
func (st standing) refuse() error {
	switch {
	case !st.ours() && st.Tables > 0:
		return &OthersError{Tables: st.Tables, Example: st.Example}
	case st.version > 0 && st.Line != released:
		return fmt.Errorf("the database was made by an unreleased build (schema version %d) and cannot be upgraded: "+
			"import again into a new one, in another folder (--data-dir) or server (--database-url)", st.version)
	case st.version > migrations.Latest():
		return fmt.Errorf("the database has schema version %d, but this gpuledger only knows versions up to %d: "+
			"use a newer gpuledger",
			st.version, migrations.Latest())
	}
	return nil
}

// SchemaVersion is the schema version of a database, 0 for an empty one; refusal says why this gpuledger must not
// migrate it. It changes nothing.
func SchemaVersion(ctx context.Context, q Querier) (version int32, refusal, err error) {
	st, err := look(ctx, q)
	if err != nil {
		return 0, nil, err
	}
	return st.version, st.refuse(), nil
}

// Settled returns an error unless the schema is that of this gpuledger: ErrEmpty, an OlderError, a refusal, or an error
// of the checks. It waits for a migration under way and changes nothing.
func (db *DB) Settled(ctx context.Context, checks ...func(ctx context.Context, tx pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, db.Pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, Statement("schema.settled")); err != nil {
			return fmt.Errorf("schema.settled: %w", err)
		}
		st, err := look(ctx, tx)
		if err != nil {
			return err
		}
		if err := st.refuse(); err != nil {
			return err
		}
		switch {
		case st.version == 0:
			return ErrEmpty
		case st.version < migrations.Latest():
			return &OlderError{Version: st.version}
		}
		for _, check := range checks {
			if err := check(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}
