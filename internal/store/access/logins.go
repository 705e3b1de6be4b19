package access

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/access"
	"gpuledger/internal/store/pg"
)

// Login is a database login for BI tools.
type Login = access.Login

var loginForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

// Login creates a server role that reads the views of bi_v1 within a scope. If the role exists, it gets a new password
// and scope, and its sessions end. Login returns the password and, in left, sentences about what an administrator still
// has to do. The scope is bound to the role's name, so no setting of the session can change it. Roles that this
// database did not create are refused.
func (s *Access) Login(ctx context.Context, name string, conditions []string, by string, at time.Time) (
	password string, left []string, err error,
) {
	name = access.Folded(name)
	if !loginForm.MatchString(name) || strings.HasPrefix(name, "pg_") || name == pg.Reader {
		return "", nil, refuse("login %q: a name has lower-case letters, digits and underscores, begins with a letter, "+
			"and does not begin with pg_", name)
	}
	if _, err := parseScope(conditions); err != nil {
		return "", nil, err
	}
	var there bool
	if err := s.DB.InTx(ctx, "find a login", func(tx pgx.Tx) error {
		exists, ours, bound, err := loginKnown(ctx, tx, name)
		there = exists && ours && !bound
		return err
	}); err != nil {
		return "", nil, err
	}
	if there { // handing over the views may be needed, and would wait for queries of this login
		s.endSessions(ctx, name)
	}
	password = access.NewSecret()
	err = s.DB.InTx(ctx, "make a login", func(tx pgx.Tx) error {
		exists, ours, bound, err := loginKnown(ctx, tx, name)
		if err != nil {
			return err
		}
		if bound {
			return refuse("an administrator made %q and has its password: "+
				"`gpuledger bi bind` gives it another scope", name)
		}
		if exists && !ours {
			return refuse("the server has a role %q that gpuledger did not make: choose another name, "+
				"or bind it to a scope with `gpuledger bi bind`", name)
		}
		role := pgx.Identifier{name}.Sanitize()
		ddl := "alter role " + role
		if !exists {
			ddl = "create role " + role + " login noinherit" // no other role attributes
		}
		// The password has only letters, digits, - and _, so it needs no quoting; DDL takes no parameters.
		_, err = tx.Exec(ctx, fmt.Sprintf("%s password '%s';\n", ddl, password)+loginGrant(role))
		if p, ok := errors.AsType[*pgconn.PgError](err); ok && p.Code == notAllowed {
			return refuse("the login of --database-url may not make roles: let an administrator grant it createrole, "+
				"or make the login, then bind it with `gpuledger bi bind` (%s)", p.Message)
		}
		if err != nil {
			return fmt.Errorf("make role %s: %w", name, err)
		}
		settings, err := holdLogin(ctx, tx, name)
		if err != nil {
			return err
		}
		open, err := closeToAll(ctx, tx)
		if err != nil {
			return err
		}
		left = forAdmin("limits that could not be set", append(settings, open...))
		change, err := bindScope(ctx, tx, name, conditions, false)
		if err != nil {
			return err
		}
		return audit(ctx, tx, at, by, "login made", name, change)
	})
	if err != nil {
		return "", nil, err
	}
	if there {
		left = append(left, s.endSessions(ctx, name)...)
	}
	return password, left, nil
}

// bindScope replaces the scope of a login and returns the change. The owner of the views may have to change afterwards
// (see viewOwner).
func bindScope(ctx context.Context, tx pgx.Tx, name string, conditions []string, bound bool) (change moved, err error) {
	had, err := loginScope(ctx, tx, name)
	if err != nil {
		return change, err
	}
	everything := len(conditions) == 0
	scope, err := putScope(ctx, tx, conditions, everything)
	if err != nil {
		return change, err
	}
	if _, err := pg.Exec(ctx, tx, "access.drop_login", pg.Tenant, name); err != nil {
		return change, err
	}
	if _, err := pg.Exec(ctx, tx, "access.put_login", pg.Tenant, name, scope, bound); err != nil {
		return change, err
	}
	return moved{had, reaches{conditions, everything}}, handViewsSoon(ctx, tx)
}

// reaches is the audit log's detail about the data that a login can read.
type reaches struct {
	Scope      []string `json:"scope,omitempty"`
	Everything bool     `json:"everything,omitempty"`
}

// loginScope returns the scope of a login; nil if there is no such login.
func loginScope(ctx context.Context, tx pgx.Tx, name string) (*reaches, error) {
	had, found, err := pg.Found(pg.One[reaches](ctx, tx, "access.login_scope", pg.Tenant, name))
	if !found {
		return nil, err
	}
	return &had, nil
}

// Logins lists the logins.
func (s *Access) Logins(ctx context.Context) ([]Login, error) {
	list, err := pg.List[Login](ctx, s.DB.Pool, "access.logins", pg.Tenant)
	return append([]Login{}, list...), err
}

// loginGrant is the SQL that lets a login read the existing views.
func loginGrant(role string) string {
	return fmt.Sprintf("grant usage on schema bi_v1 to %[1]s; grant select on all tables in schema bi_v1 to %[1]s;\n",
		role)
}

// loginGrants is the SQL that lets all logins read the views after they were recreated. It also sets limits that were
// added since the logins were created, if the migrating login is allowed to.
func loginGrants(ctx context.Context, tx pgx.Tx) (string, error) {
	var b strings.Builder
	logins, err := pg.List[struct {
		Login string
		Bound bool
	}](ctx, tx, "access.login_roles", pg.Tenant)
	if err != nil || len(logins) == 0 {
		return "", err
	}
	for _, l := range logins {
		b.WriteString(loginGrant(pgx.Identifier{l.Login}.Sanitize()))
		if l.Bound {
			continue
		}
		if _, err := holdLogin(ctx, tx, l.Login); err != nil { // `bi login` reports denied settings
			return "", err
		}
	}
	_, err = closeToAll(ctx, tx)
	return b.String(), err
}
