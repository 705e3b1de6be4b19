package access

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/store/pg"
	"gpuledger/migrations"
)

// What a login for BI tools is held to. Part of it PostgreSQL holds whatever the login
// does, part are settings that it can change for itself (docs/operate/access.md says which).

// notCompiled keeps the server from compiling what a login asks, as our own connections do
// (pg.Open): of a view of many parts, that takes longer than the answer.
const notCompiled = " set jit = off"

// heldSettings are set for each login, a statement each: who may not set one says so.
func heldSettings(role string) []string {
	return []string{
		"alter role " + role + " connection limit 10",
		"alter role " + role + " set temp_file_limit = '4GB'", // for superusers to set, and to change
		"alter role " + role + " set default_transaction_read_only = on",
		"alter role " + role + " set statement_timeout = '5min'",
		"alter role " + role + " set idle_in_transaction_session_timeout = '1min'",
		"alter role " + role + " set idle_session_timeout = '30min'",
		"alter role " + role + notCompiled,
	}
}

// holdLogin sets what a login of ours is held to; what is not allowed is left as
// statements for an administrator.
func holdLogin(ctx context.Context, tx pgx.Tx, name string) (left []string, err error) {
	role := pgx.Identifier{name}.Sanitize()
	// First without what it set for itself, by which it may have locked itself out.
	for _, sql := range append([]string{"alter role " + role + " reset all"}, heldSettings(role)...) {
		done, err := whereAllowed(ctx, tx, sql)
		if err != nil {
			return nil, err
		}
		if !done {
			left = append(left, sql)
		}
	}
	return left, nil
}

// closeToAll leaves to the owner of the tables alone what everybody may and a login must
// not. It stays where tables of others are in the database, or where that is not allowed,
// and is left as statements for an administrator.
func closeToAll(ctx context.Context, tx pgx.Tx) (left []string, err error) {
	open, err := openToAll(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, r := range open {
		if r.Shared {
			continue
		}
		if _, err := whereAllowed(ctx, tx, r.close()); err != nil {
			return nil, err
		}
	}
	if open, err = openToAll(ctx, tx); err != nil { // who may not revoke is only warned
		return nil, err
	}
	for _, r := range open {
		left = append(left, r.close())
	}
	return left, nil
}

// openRight is a right that everybody has of a database, with whoever keeps it.
type openRight struct {
	Right, Keeper string
	Shared        bool // programs of others may need it
}

func (r openRight) close() string {
	return fmt.Sprintf("grant %[1]s to %[2]s; revoke %[1]s from public", r.Right, pgx.Identifier{r.Keeper}.Sanitize())
}

func openToAll(ctx context.Context, tx pgx.Tx) (open []openRight, err error) {
	ours, err := migrations.Relations()
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return pg.List[openRight](ctx, tx, "access.open_to_all", ours, ourSchemas)
}

// whereAllowed runs a text unless it takes a right that is not ours.
func whereAllowed(ctx context.Context, tx pgx.Tx, sql string) (done bool, err error) {
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { // a savepoint
		_, err := tx.Exec(ctx, sql)
		return err
	})
	if p, is := errors.AsType[*pgconn.PgError](err); is && p.Code == notAllowed {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("hold a login: %w", err)
	}
	return true, nil
}

// forAdmin is a sentence, and after it what an administrator has to run; none where that
// is nothing.
func forAdmin(what string, statements []string) []string {
	if statements == nil {
		return nil
	}
	said := []string{what + ": let an administrator run in this database"}
	for _, sql := range statements {
		said = append(said, sql+";")
	}
	return said
}
