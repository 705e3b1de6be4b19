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

// Login is a login of the database for BI tools.
type Login = access.Login

var loginForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

// Login makes a role of the server that reads the views of bi_v1 within a scope, or
// gives the one that is there another password and scope, and returns the password.
// The scope is bound to the role's name, so that nothing it sets changes it. A role
// that this database did not make is refused.
func (s *Access) Login(ctx context.Context, name string, conditions []string, by string, at time.Time) (password string, err error) {
	if !loginForm.MatchString(name) || strings.HasPrefix(name, "pg_") || name == pg.Reader {
		return "", refuse("login %q: a name has lower-case letters, digits and underscores, begins with a letter, and not with pg_", name)
	}
	password = access.NewSecret()
	err = s.DB.InTx(ctx, "make a login", func(tx pgx.Tx) error {
		exists, ours, bound, err := loginKnown(ctx, tx, name)
		if err != nil {
			return err
		}
		if bound {
			return refuse("%q was made by an administrator, who has its password: "+
				"`gpuledger bi bind` gives it another scope", name)
		}
		if exists && !ours {
			return refuse("the server has a role %q that gpuledger did not make: choose another name, "+
				"or bind it to a scope with `gpuledger bi bind`", name)
		}
		role := pgx.Identifier{name}.Sanitize()
		ddl := "alter role " + role
		if !exists {
			ddl = "create role " + role + " login noinherit" // and nothing else that roles may have
		}
		// The password is made of letters, digits, - and _; DDL takes no parameters.
		_, err = tx.Exec(ctx, fmt.Sprintf("%s password '%s';\nalter role %s set default_transaction_read_only = on;\n"+
			"alter role %[3]s set statement_timeout = '5min';\n", ddl, password, role)+loginSetting(role)+loginGrant(role))
		if p, ok := errors.AsType[*pgconn.PgError](err); ok && p.Code == "42501" {
			return refuse("the login of --database-url may not make roles: let an administrator grant it createrole, "+
				"or make the login, which `gpuledger bi bind` binds to a scope (%s)", p.Message)
		}
		if err != nil {
			return fmt.Errorf("make role %s: %w", name, err)
		}
		change, err := bindScope(ctx, tx, name, conditions, false)
		if err != nil {
			return err
		}
		return audit(ctx, tx, at, by, "login made", name, change)
	})
	return password, err
}

// bindScope binds a login to a scope instead of the one that it had, and returns what
// changed. Whose the views are may follow from that.
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
	return moved{had, reaches{conditions, everything}}, handViews(ctx, tx)
}

// DropLogin takes a login away. One that an administrator made stays, and reads nothing
// any more.
func (s *Access) DropLogin(ctx context.Context, name, by string, at time.Time) error {
	return s.DB.InTx(ctx, "drop a login", func(tx pgx.Tx) error {
		exists, ours, bound, err := loginKnown(ctx, tx, name)
		if err != nil {
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
			role := pgx.Identifier{name}.Sanitize()
			ddl := fmt.Sprintf("revoke all on all tables in schema bi_v1 from %[1]s;\n"+
				"revoke all on schema bi_v1 from %[1]s;\n", role)
			if !bound {
				ddl += "drop role " + role
			}
			if _, err := tx.Exec(ctx, ddl); err != nil {
				return fmt.Errorf("take rights from role %s: %w", name, err)
			}
		}
		if _, err := pg.Exec(ctx, tx, "access.drop_login", pg.Tenant, name); err != nil {
			return err
		}
		if err := handViews(ctx, tx); err != nil {
			return err
		}
		return audit(ctx, tx, at, by, "login dropped", name, moved{From: had})
	})
}

// reaches is what the audit log says that a login sees.
type reaches struct {
	Scope      []string `json:"scope,omitempty"`
	Everything bool     `json:"everything,omitempty"`
}

// loginScope is what a login sees; nil: there is none.
func loginScope(ctx context.Context, tx pgx.Tx, name string) (had *reaches, err error) {
	err = pg.Query(ctx, tx, "access.login_scope", func(rows pgx.Rows) error {
		had = &reaches{}
		return rows.Scan(&had.Everything, &had.Scope)
	}, pg.Tenant, name)
	return had, err
}

// Logins lists the logins.
func (s *Access) Logins(ctx context.Context) ([]Login, error) {
	list := []Login{}
	err := pg.Query(ctx, s.DB.Pool, "access.logins", func(rows pgx.Rows) error {
		var l Login
		err := rows.Scan(&l.Name, &l.Everything, &l.Scope, &l.Bound)
		list = append(list, l)
		return err
	}, pg.Tenant)
	return list, err
}

// loginGrant is the text that lets a login read the views that are there.
func loginGrant(role string) string {
	return fmt.Sprintf("grant usage on schema bi_v1 to %[1]s; grant select on all tables in schema bi_v1 to %[1]s;\n", role)
}

// loginSetting is the text that keeps the server from compiling what a login asks, as our
// own connections do (pg.Open): of a view of many parts, that takes longer than the answer.
func loginSetting(role string) string { return fmt.Sprintf("alter role %s set jit = off;\n", role) }

// loginSettingWhereAllowed is loginSetting for roles that are perhaps not ours to alter.
func loginSettingWhereAllowed(role string) string {
	return "do $gpuledger$ begin " + loginSetting(role) + "exception when insufficient_privilege then null; end $gpuledger$;\n"
}

// loginGrants is the text that lets logins read views that were made anew, and sets what
// was not set when they were made, unless whoever migrates may not make roles any more.
func loginGrants(ctx context.Context, tx pgx.Tx) (string, error) {
	var b strings.Builder
	err := pg.Query(ctx, tx, "access.login_roles", func(rows pgx.Rows) error {
		var name string
		err := rows.Scan(&name)
		role := pgx.Identifier{name}.Sanitize()
		b.WriteString(loginSettingWhereAllowed(role) + loginGrant(role))
		return err
	}, pg.Tenant)
	return b.String(), err
}
