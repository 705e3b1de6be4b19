package access

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// held is a user with their current role and scope.
type held struct {
	ID         ledger.ID
	Name       string
	Role       access.Role
	Scope      *ledger.ID
	Conditions []string
	Disabled   bool
	Issuer     string // the provider that signs them in
	Password   bool   // they have a password here
	added      bool   // just now
}

// heldBy finds a user and locks access changes until the transaction ends. Otherwise two admins could remove each
// other's rights at once and leave no admin.
func heldBy(ctx context.Context, tx pgx.Tx, name string) (u held, err error) {
	if _, err := pg.Exec(ctx, tx, "access.setup_lock"); err != nil {
		return u, err
	}
	u, found, err := pg.Found(pg.One[held](ctx, tx, "access.held_by", pg.Tenant, name, access.Folded(name)))
	if err == nil && !found {
		err = refuse("there is no user %q", name)
	}
	return u, err
}

// lastAdmin refuses to remove the last admin with full access and a password here. Provider sign-ins do not count: the
// provider may be down.
func lastAdmin(ctx context.Context, tx pgx.Tx, u held) error {
	if u.Role != access.RoleAdmin || u.Scope != nil {
		return nil
	}
	others, err := pg.Value[bool](ctx, tx, "access.other_admins", pg.Tenant, u.ID, access.RoleAdmin)
	if err != nil {
		return err
	}
	if !others {
		return refuse("%q is the only admin with full access and a password here: make another first", u.Name)
	}
	return nil
}

// SetUser gives a user another role or scope and returns the new grant. A change ends the user's sessions, because
// their open pages still offer the old rights. A change of provider groups does the same.
func (s *Access) SetUser(ctx context.Context, c access.Change) (now Grant, err error) {
	return now, s.DB.InTx(ctx, "change a user", func(tx pgx.Tx) error {
		u, err := heldBy(ctx, tx, c.Name)
		if err != nil {
			return err
		}
		now = Grant{Name: u.Name, Role: u.Role, Conditions: u.Conditions, By: c.By, At: c.At}
		if c.Role != "" {
			now.Role = c.Role
		}
		if c.Conditions != nil {
			now.Conditions = *c.Conditions
		}
		switch {
		case u.Issuer != "":
			return refuse("%q signs in at a provider, whose groups set role and scope: "+
				"change the groups there, or the configuration", u.Name)
		case u.Disabled:
			return refuse("%q is disabled and cannot sign in", u.Name)
		case now.Role == access.RoleIngest:
			return refuse("role ingest is for programs that send telemetry: make a token (gpuledger token create)")
		case now.Role == u.Role && slices.Equal(now.Conditions, u.Conditions):
			return nil
		}
		if now.Role != access.RoleAdmin || len(now.Conditions) > 0 {
			if err := lastAdmin(ctx, tx, u); err != nil {
				return err
			}
		}
		return s.regrant(ctx, tx, u, now)
	})
}

// regrant gives a user another role and scope. It computes the members of the new scope and drops those of the old one.
// An existing user's sessions end.
func (s *Access) regrant(ctx context.Context, tx pgx.Tx, u held, g Grant) error {
	scope, err := s.scopeOf(ctx, tx, g)
	if err != nil {
		return err
	}
	if _, err := pg.Exec(ctx, tx, "access.put_grant", pg.Tenant, u.ID, g.Role, scope); err != nil {
		return err
	}
	if u.Scope != nil {
		if _, err := pg.Exec(ctx, tx, "access.drop_scope", pg.Tenant, *u.Scope); err != nil {
			return err
		}
	}
	if u.added {
		return nil
	}
	if _, err := pg.Exec(ctx, tx, "access.end_sessions", pg.Tenant, u.ID); err != nil {
		return err
	}
	return audit(ctx, tx, g.At, g.By, "user changed", u.Name, moved{
		granted{u.Role, u.Conditions}, granted{g.Role, g.Conditions},
	})
}

// DisableUser disables a user and ends all their sessions. It refuses to disable the last admin who can sign in.
func (s *Access) DisableUser(ctx context.Context, name, by string, at time.Time) error {
	return s.DB.InTx(ctx, "disable user", func(tx pgx.Tx) error {
		u, err := heldBy(ctx, tx, name)
		if err != nil {
			return err
		}
		if u.Disabled {
			return refuse("%q is disabled already", u.Name)
		}
		if err := lastAdmin(ctx, tx, u); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "access.disable_user", pg.Tenant, u.ID, at); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "access.end_sessions", pg.Tenant, u.ID); err != nil {
			return err
		}
		if err := endSeeingAs(ctx, tx, u.ID, u.Name, at); err != nil {
			return err
		}
		had := User{Password: u.Password, Issuer: u.Issuer}
		return audit(ctx, tx, at, by, "user disabled", u.Name, moved{
			stateOf{had.State(), granted{u.Role, u.Conditions}}, stateOf{State: access.Disabled},
		})
	})
}

// SignOutUser ends all sessions of a user, who may sign in again.
func (s *Access) SignOutUser(ctx context.Context, name, by string, at time.Time) error {
	return s.DB.InTx(ctx, "sign a user out", func(tx pgx.Tx) error {
		u, err := heldBy(ctx, tx, name)
		if err != nil {
			return err
		}
		if u.Issuer == access.ProxyIssuer {
			return refuse("%q has no session here: the proxy names the user at each request. Sign them out there, or "+
				"disable them", u.Name)
		}
		n, err := pg.Exec(ctx, tx, "access.end_sessions", pg.Tenant, u.ID)
		if err != nil || n == 0 {
			return err
		}
		return audit(ctx, tx, at, by, sessionsEnded, u.Name, ended{int(n)})
	})
}
