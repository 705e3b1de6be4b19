package pg

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/migrations"
)

// standing is what a database is to this gpuledger.
type standing struct {
	Line    string // on the version table
	Own     bool   // tables that unreleased builds made, too
	Tables  int64
	Example string // one of the tables
	version int32
}

// marked begins what any build since the nine first files wrote on its version table.
const marked = "Schema of gpuledger"

// ErrEmpty says that a database has no tables yet.
var ErrEmpty = errors.New("the database is empty: nothing has been imported yet")

// OthersError says that a database has tables of others, and none of gpuledger.
type OthersError struct {
	Tables  int64
	Example string
}

// Error implements error.
func (e *OthersError) Error() string {
	return fmt.Sprintf("the database has %d tables of others, such as %s, and none of gpuledger: nothing was changed. "+
		"Give another one "+
		"(--database-url or DATABASE_URL), or run `gpuledger migrate --into-this-database` to keep the ledger beside them",
		e.Tables, e.Example)
}

// OlderError says that a schema lacks migrations.
type OlderError struct{ Version int32 }

// Error implements error.
func (e *OlderError) Error() string {
	return fmt.Sprintf("the database has schema version %d, this gpuledger wants %d, and a command that only reads "+
		"changes nothing: "+
		"run `gpuledger migrate`", e.Version, migrations.Latest())
}

// look reads what a database is. It changes nothing.
func look(ctx context.Context, q Querier) (st standing, err error) {
	found, err := One[struct {
		standing
		Versioned bool
	}](ctx, q, "schema.standing")
	if st = found.standing; err != nil || !found.Versioned || !st.ours() && st.Tables > 0 {
		return st, err // a version table of others may have other columns
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

// refuse is an error where nothing may be migrated: a database of others, of an
// unreleased build, or of a newer gpuledger.
func (st standing) refuse() error {
	switch {
	case !st.ours() && st.Tables > 0:
		return &OthersError{Tables: st.Tables, Example: st.Example}
	case st.version > 0 && st.Line != released:
		return fmt.Errorf("the database was made by an unreleased build (schema version %d), which nothing upgrades: "+
			"import again into a new one, in another folder (--data-dir) or server (--database-url)", st.version)
	case st.version > migrations.Latest():
		return fmt.Errorf("the database has schema version %d, this gpuledger knows up to %d: use a newer gpuledger",
			st.version, migrations.Latest())
	}
	return nil
}

// Settled is an error unless the tables are those of this gpuledger: ErrEmpty, an
// OlderError, a refusal, or what the checks find. It waits for a migration under way, and
// changes nothing.
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
