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

// Limits of BI logins. PostgreSQL enforces some of them; the others are settings that a login can change for itself
// (docs/operate/bi-logins.md lists which).

// notCompiled turns JIT off, as on our own connections (pg.Open): for views with many parts, compiling takes longer
// than running the query.
const notCompiled = " set jit = off"

// heldSettings are the statements that limit a login. They run one by one, so that an error names the setting that is
// not allowed.
func heldSettings(role string) []string {
	return []string{
		"alter role " + role + " connection limit 10",
		"alter role " + role + " set temp_file_limit = '4GB'", // only superusers may set or change it
		"alter role " + role + " set default_transaction_read_only = on",
		"alter role " + role + " set statement_timeout = '5min'",
		"alter role " + role + " set idle_in_transaction_session_timeout = '1min'",
		"alter role " + role + " set idle_session_timeout = '30min'",
		"alter role " + role + notCompiled,
	}
}

// holdLogin sets the limits of a login that gpuledger created. Statements that are not allowed are returned for an
// administrator to run.
func holdLogin(ctx context.Context, tx pgx.Tx, name string) (left []string, err error) {
	role := pgx.Identifier{name}.Sanitize()
	// First drop the login's own settings, which could lock it out.
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

// closeToAll revokes the PUBLIC rights that a BI login must not have and leaves them with the owner of the tables. If
// the database also has tables of other programs, or revoking is not allowed, the statements are returned for an
// administrator.
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
	if open, err = openToAll(ctx, tx); err != nil { // PostgreSQL only warns if the right to revoke is missing, so check
		return nil, err
	}
	for _, r := range open {
		left = append(left, r.close())
	}
	return left, nil
}

// openRight is a right that PUBLIC has on a database object, and the role that keeps it.
type openRight struct {
	Right, Keeper string
	Shared        bool // other programs may need it
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

// whereAllowed runs SQL in a savepoint and reports false if a right is missing.
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

// forAdmin is a sentence followed by the statements that an administrator has to run; empty if there are none.
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
