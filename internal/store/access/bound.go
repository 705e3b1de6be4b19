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

// Where the login of --database-url may make no roles, an administrator makes a login for
// a BI tool, and it is bound to a scope here. It must not have what passes policies by.

// ourSchemas are those with tables and views of gpuledger.
var ourSchemas = []string{"public", "star", "bi_base", "bi_v1", "river"}

// longestRole bounds names of roles, in bytes.
const longestRole = 63

// BindLogin binds a login that an administrator made to a scope, or gives the one that is
// bound another, and lets it read the views of bi_v1. One that could see more than its
// scope is refused, and so is one that lacks what nobody but an administrator may grant.
// What an administrator should hold it to is left as sentences.
func (s *Access) BindLogin(ctx context.Context, name string, conditions []string, by string, at time.Time) (
	left []string, err error,
) {
	if name == "" || len(name) > longestRole || pg.CleanText(name) != name {
		return nil, refuse("the name of a login has 1 to %d bytes", longestRole)
	}
	var again bool
	err = s.DB.InTx(ctx, "bind a login", func(tx pgx.Tx) error {
		exists, ours, bound, err := loginKnown(ctx, tx, name)
		again = bound
		switch role := (pgx.Identifier{name}).Sanitize(); {
		case err != nil:
			return err
		case ours && !bound:
			return refuse("%q is a login that gpuledger made: `gpuledger bi login` gives it another scope", name)
		case !exists:
			return refuse("the server has no role %q: let an administrator run \"create role %s login noinherit password '…'\", "+
				"and grant it nothing", name, role)
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
		left = forAdmin("what a login should be held to, where it is not",
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

// power is a role that a login may act as, and what it may.
type power struct {
	Name                                           string
	Login, Super, Bypasses, MakesRoles, Replicates bool
	Owns                                           bool
	Touches, Creates                               string // the first relation and schema
}

// tooMuch says why a login would see more than its scope, and what to do; empty: it would
// not. The first of its powers is its own. What it is comes before what that may.
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
		return "nobody signs in as it, so others would have to act as it: " + letAdmin("alter role", login, "login")
	}
	return ""
}

// letAdmin says what an administrator has to run.
func letAdmin(what, role, more string) string {
	return "let an administrator run \"" + what + " " + pgx.Identifier{role}.Sanitize() + " " + more + "\""
}

func whatItIs(login string, p power) string {
	from := "from " + pgx.Identifier{login}.Sanitize()
	switch {
	case p.Super:
		return "is a superuser, for whom no policy holds: use a role of its own"
	case p.Bypasses:
		return "bypasses row-level security: " + letAdmin("alter role", p.Name, "nobypassrls")
	case p.MakesRoles:
		return "may make roles, and so become others: " + letAdmin("alter role", p.Name, "nocreaterole")
	case p.Replicates:
		return "may replicate, and so copy all tables: " + letAdmin("alter role", p.Name, "noreplication")
	case p.Name == pg.Reader:
		return "reads for everybody whom the server asks for: " + letAdmin("revoke", p.Name, from)
	case p.Owns:
		return "owns tables, views, functions or schemas of gpuledger, or this database: use a role that owns nothing"
	case p.Name != login && strings.HasPrefix(p.Name, "pg_"):
		return "has rights of the whole server: " + letAdmin("revoke", p.Name, from)
	}
	return ""
}

func whatItMay(_ string, p power) string {
	switch {
	case p.Touches != "":
		return "may do more with " + p.Touches + " than read a view of bi_v1: let an administrator revoke that, " +
			"from public too where everybody may"
	case p.Creates != "":
		return "may make tables and functions in schema " + p.Creates + ", which stand before ours: " +
			"let an administrator revoke \"create\" on it, from public too where everybody may"
	}
	return ""
}

// letRead lets a login read the views, or says what an administrator has to grant.
func letRead(ctx context.Context, tx pgx.Tx, name string) error {
	role := pgx.Identifier{name}.Sanitize()
	err := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { // a savepoint: a refusal has something to say then
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
		return refuse("the login of --database-url may not give %q all that it needs: let an administrator run \"%s\", "+
			"then bind it again", name, strings.Join(missing, " "))
	}
	return nil
}

// loginKnown says whether the server has a role, whether it is a login of this ledger, and
// whether an administrator made it.
func loginKnown(ctx context.Context, tx pgx.Tx, name string) (exists, ours, bound bool, err error) {
	is, err := pg.One[struct{ Exists, Ours, Bound bool }](ctx, tx, "access.login_known", pg.Tenant, name)
	return is.Exists, is.Ours, is.Bound, err
}
