package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/migrations"
)

// made identifies the source of the database rights in this binary, except for the list of existing tables.
var made = sync.OnceValue(func() string {
	var b strings.Builder
	for _, table := range slices.Sorted(maps.Keys(seen)) {
		b.WriteString(star.InScope(table, seen[table]...))
	}
	fmt.Fprintln(&b, secret, words, pg.Reader, heldSettings("of a login"))
	sum := sha256.Sum256([]byte(b.String()))
	return "rights built from " + hex.EncodeToString(sum[:])
})

// done reports whether the database has the rights of this binary.
func done(ctx context.Context, q pg.Querier) (bool, error) {
	return pg.Value[bool](ctx, q, "access.rights_done", made(), pg.Reader, pg.Tenant)
}

// RefreshRights brings the database rights to those of this binary: the reader role, which may only read and to which
// policies apply, its grants, and a policy for each table. It is the last step of migration and does nothing if the
// rights are current. If the login may not create roles, it leaves the database as it is, and CheckRights reports that.
func RefreshRights(ctx context.Context, tx pgx.Tx) error {
	if yes, err := done(ctx, tx); yes || err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, pg.Statement("access.setup_lock")); err != nil {
		return fmt.Errorf("access.setup_lock: %w", err)
	}
	if there, err := makeReader(ctx, tx); !there || err != nil {
		return err
	}
	text, err := grants(ctx, tx)
	if err != nil {
		return err
	}
	logins, err := loginGrants(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "comment on table scopes is '"+made()+"';\n"+text+logins); err != nil {
		return fmt.Errorf("rights of the database: %w", err)
	}
	return handViews(ctx, tx)
}

// notAllowed is the server's code for insufficient_privilege.
const notAllowed = "42501"

// makeReader creates the reader role if it is missing; false if that is not allowed.
func makeReader(ctx context.Context, tx pgx.Tx) (there bool, err error) {
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { // a savepoint
		_, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtext('"+pg.Reader+"'))")
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, strings.ReplaceAll(pg.Statement("access.make_reader"), "@reader", pg.Reader))
		return err
	})
	const (
		duplicate = "42710" // another database's migration on this server was faster
		raced     = "23505"
	)
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch p.Code {
		case notAllowed:
			return false, nil
		case duplicate, raced:
			return makeReader(ctx, tx)
		}
	}
	if err != nil {
		return false, fmt.Errorf("make role %s: %w", pg.Reader, err)
	}
	return true, nil
}

// grants is the SQL that gives the reader its rights. It covers all of our tables, so a new table starts closed. Tables
// of other programs are left alone. Each table is locked before its rights change: autovacuum's ANALYZE holds its own
// lock while it waits for the change, so the change would otherwise deadlock with it.
func grants(ctx context.Context, tx pgx.Tx) (string, error) {
	ours, err := migrations.Relations()
	if err != nil {
		return "", fmt.Errorf("read migrations: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "grant usage on schema public, star to %[1]s;\ngrant usage, create on schema bi_v1, bi_base to "+
		"%[1]s;\n", pg.Reader)
	err = pg.Each(ctx, tx, "access.relations", func(r struct{ Schema, Name, Kind string }) error {
		full := pgx.Identifier{r.Schema, r.Name}.Sanitize()
		if slices.Contains(secret, r.Name) && r.Schema == "public" {
			fmt.Fprintf(&b, "revoke all on %s from %s;\n", full, pg.Reader)
			return nil
		}
		if r.Kind != "v" {
			fmt.Fprintf(&b, "alter table %s enable row level security;\n", full)
		}
		if r.Kind != "v" && r.Schema == "public" {
			fmt.Fprintf(&b, "drop policy if exists in_scope on %s;\n%s", full, star.InScope(r.Name, seen[r.Name]...))
		}
		fmt.Fprintf(&b, "grant select on %s to %s;\n", full, pg.Reader)
		return nil
	}, ours)
	return b.String(), err
}

// viewOwner is the role whose rights the SQL views use: the reader as soon as a login has a scope, otherwise the owner
// of the tables, whose queries are planned without policies.
func viewOwner(ctx context.Context, tx pgx.Tx) (string, error) {
	scoped, err := pg.Value[bool](ctx, tx, "access.scoped_logins", pg.Tenant)
	if err != nil {
		return "", err
	}
	if scoped {
		return pg.Reader, nil
	}
	return "current_user", nil
}

// handViews sets the owner of the SQL views (see viewOwner).
func handViews(ctx context.Context, tx pgx.Tx) error {
	owner, err := viewOwner(ctx, tx)
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := pg.Each(ctx, tx, "access.bi_views", func(r struct{ Schema, Name string }) error {
		fmt.Fprintf(&b, "alter view %s owner to %s;\n", pgx.Identifier{r.Schema, r.Name}.Sanitize(), owner)
		return nil
	}, owner); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, b.String()); err != nil {
		return fmt.Errorf("set the owner of the bi_v1 views: %w", err)
	}
	return nil
}

// handViewsSoon is handViews with a lock timeout: while it waits for a query of a view, all later queries of the view
// wait behind it.
func handViewsSoon(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "set local lock_timeout = '5s'"); err != nil {
		return fmt.Errorf("wait for readers of bi_v1: %w", err)
	}
	err := handViews(ctx, tx)
	const held = "55P03" // lock_not_available
	if p, is := errors.AsType[*pgconn.PgError](err); is && p.Code == held {
		return refuse("a query of bi_v1 is still running, and the views must change owner: " +
			"nothing was changed, try again when it has finished")
	}
	return err
}

// CheckRights returns why access control cannot be enabled; nil if it can.
func (s *Access) CheckRights(ctx context.Context) error {
	yes, err := done(ctx, s.DB.Pool)
	if err == nil && !yes {
		err = refuse("the database lacks role %[1]s, which rows are read as, and the login of --database-url may not "+
			"make it: let an administrator run \"create role %[1]s nologin; grant %[1]s to ‹that login›\", then start again", pg.Reader)
	}
	return err
}
