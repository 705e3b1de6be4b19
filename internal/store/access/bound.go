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

// If the login of --database-url may not create roles, an administrator creates the BI login, and BindLogin gives it a
// scope. Such a login must have no right that bypasses row-level security.

// ourSchemas are the schemas that hold gpuledger's tables and views.
var ourSchemas = []string{"public", "star", "bi_base", "bi_v1", "river"}

// longestRole bounds role names, in bytes.
const longestRole = 63

// BindLogin gives a login that an administrator created a scope, or a new scope if it has one, and lets it read the
// views of bi_v1. It refuses a login that could see more than its scope, and one that lacks rights only an
// administrator can grant. left lists, as sentences, the limits that an administrator still has to set.
func (s *Access) BindLogin(ctx context.Context, name string, conditions []string, by string, at time.Time) (
	left []string, err error,
) {
	if name == "" || len(name) > longestRole || pg.CleanText(name) != name {
		return nil, refuse("the name of a login must have 1 to %d bytes", longestRole)
	}
	var again bool
	err = s.DB.InTx(ctx, "bind a login", func(tx pgx.Tx) error {
		exists, ours, bound, err := loginKnown(ctx, tx, name)
		again = bound
		switch role := (pgx.Identifier{name}).Sanitize(); {
		case err != nil:
			return err
		case ours && !bound:
			return refuse("gpuledger made the login %q: `gpuledger bi login` gives it another scope", name)
		case !exists:
			return refuse("the server has no role %q: let an administrator run "+
				"\"create role %s login noinherit password '…'\", and grant it nothing", name, role)
		}
		powers, err := pg.List[power](ctx, tx, "access.login_powers", name, ourSchemas)
		if err != nil {
			return err
		}
		if why := tooMuch(name, powers); why != "" {
			return refuse("%q is not bound, since it could see more than its scope: %s", name, why)
		}
		change, err := bindScope(ctx, tx, name, conditions, true)
		if err != nil {
			return err
		}
		if err := letRead(ctx, tx, name); err != nil {
			return err
		}
		if _, err := whereAllowed(ctx, tx, "alter role "+pgx.Identifier{name}.Sanitize()+notCompiled); err != nil {
			return err
		}
		open, err := closeToAll(ctx, tx)
		if err != nil {
			return err
		}
		left = forAdmin("limits that this login may still lack",
			append(heldSettings(pgx.Identifier{name}.Sanitize()), open...))
		return audit(ctx, tx, at, by, "login bound", name, change)
	})
	if err != nil {
		return nil, err
	}
	if again {
		left = append(left, s.endSessions(ctx, name)...)
	}
	return left, nil
}

// power is a role that a login may act as, with its rights.
type power struct {
	Name                                           string
	Login, Super, Bypasses, MakesRoles, Replicates bool
	Owns                                           bool
	Touches, Creates                               string // the first relation and schema found
}

// tooMuch explains why a login would see more than its scope and what to do about it; empty if it would not. The login
// itself comes first in powers. Attributes of roles are reported before their rights on relations.
func tooMuch(login string, powers []power) string {
	for _, find := range []func(login string, p power) string{whatItIs, whatItMay} {
		for _, p := range powers {
			why := find(login, p)
			switch {
			case why == "":
			case p.Name == login:
				return "it " + why
			default:
				return fmt.Sprintf("it is a member of %q, which %s", p.Name, why)
			}
		}
	}
	if len(powers) > 0 && !powers[0].Login {
		return "it may not sign in, so other roles would have to act as it: " + letAdmin("alter role", login, "login")
	}
	return ""
}

// letAdmin words the statement that an administrator has to run.
func letAdmin(what, role, more string) string {
	return "let an administrator run \"" + what + " " + pgx.Identifier{role}.Sanitize() + " " + more + "\""
}

func whatItIs(login string, p power) string {
	from := "from " + pgx.Identifier{login}.Sanitize()
	switch {
	case p.Super:
		return "is a superuser, and superusers bypass row-level security: use a separate role"
	case p.Bypasses:
		return "bypasses row-level security: " + letAdmin("alter role", p.Name, "nobypassrls")
	case p.MakesRoles:
		return "may make roles, so it could become other roles: " + letAdmin("alter role", p.Name, "nocreaterole")
	case p.Replicates:
		return "may replicate, so it could copy all tables: " + letAdmin("alter role", p.Name, "noreplication")
	case p.Name == pg.Reader:
		return "reads on behalf of every user: " + letAdmin("revoke", p.Name, from)
	case p.Owns:
		return "owns tables, views, functions or schemas of gpuledger, or this database: use a role that owns nothing"
	case p.Name != login && strings.HasPrefix(p.Name, "pg_"):
		return "has rights of the whole server, not only this database: " + letAdmin("revoke", p.Name, from)
	}
	return ""
}

func whatItMay(_ string, p power) string {
	switch {
	case p.Touches != "":
		return "may do more with " + p.Touches + " than read a view of bi_v1: let an administrator revoke that, " +
			"also from public if public has it"
	case p.Creates != "":
		return "may make tables and functions in schema " + p.Creates + ", which could hide ours: " +
			"let an administrator revoke \"create\" on it, also from public if public has it"
	}
	return ""
}

// letRead lets a login read the views, or returns an error with what an administrator has to grant.
func letRead(ctx context.Context, tx pgx.Tx, name string) error {
	role := pgx.Identifier{name}.Sanitize()
	err := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { // a savepoint: after a refusal, tx still has to work
		_, err := tx.Exec(ctx, loginGrant(role))
		return err
	})
	if p, is := errors.AsType[*pgconn.PgError](err); err != nil && (!is || p.Code != notAllowed) {
		return fmt.Errorf("let %s read: %w", role, err)
	}
	may, err := pg.One[struct {
		Connects, Reads bool
		Database        string
	}](ctx, tx, "access.login_reads", name)
	if err != nil {
		return err
	}
	var missing []string
	if !may.Connects {
		missing = append(missing, "grant connect on database "+pgx.Identifier{may.Database}.Sanitize()+" to "+role+";")
	}
	if !may.Reads {
		missing = append(missing, strings.TrimSpace(loginGrant(role)))
	}
	if missing != nil {
		return refuse("the login of --database-url may not give %q all the rights it needs: let an administrator run "+
			"\"%s\", then bind it again", name, strings.Join(missing, " "))
	}
	return nil
}

// loginKnown reports whether the server has the role, whether it is a login of this ledger, and whether an
// administrator created it.
func loginKnown(ctx context.Context, tx pgx.Tx, name string) (exists, ours, bound bool, err error) {
	is, err := pg.One[struct{ Exists, Ours, Bound bool }](ctx, tx, "access.login_known", pg.Tenant, name)
	return is.Exists, is.Ours, is.Bound, err
}
