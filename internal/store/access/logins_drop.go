package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/store/pg"
)

// DropLogin revokes the rights of a login, then drops its role. Revoking is one short transaction that does not wait
// for running queries. left has a sentence for each cleanup step that failed. A role that an administrator created is
// kept.
func (s *Access) DropLogin(ctx context.Context, name, by string, at time.Time) (left []string, err error) {
	var exists, bound bool
	err = s.DB.InTx(ctx, "drop a login", func(tx pgx.Tx) error {
		var ours bool
		if exists, ours, bound, err = loginKnown(ctx, tx, name); err != nil {
			return err
		}
		if !ours {
			return refuse("there is no login %q", name)
		}
		had, err := loginScope(ctx, tx, name)
		if err != nil {
			return err
		}
		if exists {
			if left, err = endReading(ctx, tx, name, bound); err != nil {
				return err
			}
		}
		if _, err := pg.Exec(ctx, tx, "access.drop_login", pg.Tenant, name); err != nil {
			return err
		}
		return audit(ctx, tx, at, by, "login dropped", name, moved{From: had})
	})
	if err != nil {
		return nil, err
	}
	if exists {
		left = append(left, s.endSessions(ctx, name)...)
	}
	if err := s.DB.InTx(ctx, "hand views over", func(tx pgx.Tx) error { return handViewsSoon(ctx, tx) }); err != nil {
		left = append(left, "the views of bi_v1 are still planned for scoped logins, which is slower; the next migration "+
			"corrects that ("+err.Error()+")")
	}
	if exists && !bound {
		left = append(left, s.dropRole(ctx, name)...)
	}
	return left, nil
}

// endReading revokes a login's rights in bi_v1, and its sign-in unless an administrator created it. Without the right
// on the schema it can read no view, so rights on views that other roles granted may remain.
func endReading(ctx context.Context, tx pgx.Tx, name string, bound bool) (left []string, err error) {
	role := pgx.Identifier{name}.Sanitize()
	ddl := "revoke all on schema bi_v1 from " + role + ";\n"
	if !bound {
		ddl = "alter role " + role + " nologin;\n" + ddl
	}
	if _, err := tx.Exec(ctx, ddl); err != nil {
		return nil, fmt.Errorf("take rights from role %s: %w", name, err)
	}
	const rest = "revoke all on all tables in schema bi_v1 from "
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { // a savepoint
		_, err := tx.Exec(ctx, rest+role)
		return err
	})
	if p, is := errors.AsType[*pgconn.PgError](err); is {
		return []string{fmt.Sprintf("rights on views of schema bi_v1, useless without the schema (%s): "+
			"let an administrator run \"%s%s\"", p.Message, rest, role)}, nil
	}
	return nil, err
}

// endSessions ends the sessions of a login and returns a sentence about those it could not end. Ending them takes
// membership in the role. The creator of a role may grant itself that; the grant is rolled back afterwards.
func (s *Access) endSessions(ctx context.Context, name string) (left []string) {
	role := pgx.Identifier{name}.Sanitize()
	err := s.DB.InTx(ctx, "end sessions of "+name, func(tx pgx.Tx) error {
		err := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { // a savepoint
			_, err := tx.Exec(ctx, "grant "+role+" to current_user")
			return err
		})
		if p, is := errors.AsType[*pgconn.PgError](err); err != nil && !is {
			return err
		} else if is && p.Code != notAllowed {
			return p
		}
		of, err := pg.One[struct{ Running, Ended int }](ctx, tx, "access.end_login", name)
		if err != nil {
			return err
		}
		if of.Running > of.Ended {
			return fmt.Errorf("%d of %d go on", of.Running-of.Ended, of.Running)
		}
		return errGivenBack
	})
	if errors.Is(err, errGivenBack) {
		return nil
	}
	return []string{fmt.Sprintf("sessions, whose queries run until they finish (%s): let an administrator run "+
		"\"select pg_terminate_backend(pid) from pg_stat_activity where usename = '%s'\"",
		err, strings.ReplaceAll(name, "'", "''"))}
}

// errGivenBack rolls back the temporary grant in endSessions.
var errGivenBack = errors.New("given back")

// dropRole drops the role of a login that has no rights left, or returns what prevents it.
func (s *Access) dropRole(ctx context.Context, name string) (left []string) {
	role := pgx.Identifier{name}.Sanitize()
	err := s.DB.InTx(ctx, "drop role "+name, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "drop role "+role)
		return err
	})
	if err == nil {
		return nil
	}
	why, remove := err.Error(), ""
	const inUse = "2BP01" // dependent_objects_still_exist
	if p, is := errors.AsType[*pgconn.PgError](err); is {
		why = p.Message
		if p.Code == inUse {
			why = strings.ReplaceAll(strings.TrimSpace(p.Detail), "\n", ", ")
			remove = "drop owned by " + role +
				"\" in this database and in each one named here, which also drops all it owns there, then \""
		}
	}
	return []string{
		fmt.Sprintf("the role %s, which can no longer sign in (%s): let an administrator run \"%sdrop role %s\"", role, why,
			remove, role),
	}
}
