package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// A proxy in front names the user at each request. A proxied user has no session: account changes apply at once, and
// nothing remains after sign-out at the proxy.

// Proxied returns the viewer for a request of a user whom a proxy signed in. A new identity becomes a user; role and
// scope come from the groups of this request. One statement answers, unless the user is new or returning, or their
// grant changed. secret is that of the session in which an admin may see as another user. It returns a
// *access.RefusedError if the user is disabled.
func (s *Access) Proxied(ctx context.Context, who access.Identity, role access.Role, conditions []string,
	secret string, from access.Origin, at time.Time) (*access.Viewer, error) {
	if role == access.RoleIngest {
		return nil, refuse("role ingest is for programs that send telemetry, not for people")
	}
	if conditions == nil {
		conditions = []string{}
	}
	known := func() (*access.Viewer, error) {
		return s.viewer(ctx, access.ByProxy, "access.proxied", pg.Tenant, who.Issuer, who.Subject, role, conditions,
			at, at.Add(-access.SessionIdle), access.Digest(secret), access.RoleAdmin)
	}
	if v, err := known(); v != nil || err != nil {
		return v, err
	}
	if err := s.admit(ctx, who, role, conditions, from, at); err != nil {
		return nil, err
	}
	v, err := known()
	if v == nil && err == nil {
		err = fmt.Errorf("user %q kept changing during sign-in: try again", who.Name)
	}
	return v, err
}

// admit adds or changes a user whom a proxy names and writes a sign-in to the audit log. It writes another sign-in when
// the user returns after access.SessionIdle.
func (s *Access) admit(ctx context.Context, who access.Identity, role access.Role, conditions []string,
	from access.Origin, at time.Time) error {
	return s.DB.InTx(ctx, "admit a proxied user", func(tx pgx.Tx) error {
		u, err := s.settled(ctx, tx, who, role, conditions, at)
		if err != nil {
			return err
		}
		if u.Disabled {
			return errDisabled
		}
		n, err := pg.Exec(ctx, tx, "access.came", pg.Tenant, u.ID, at, at.Add(-access.SessionIdle))
		if err != nil || n == 0 {
			return err
		}
		return audit(ctx, tx, at, u.Name, "signed in", u.Name, providerSaid{Issuer: who.Issuer, Address: from.Address})
	})
}

// SeeAsBeside begins a session in which a proxied admin sees as another user, and returns its secret. The session is
// only valid together with the proxy's headers for that admin.
func (s *Access) SeeAsBeside(ctx context.Context, admin *access.Viewer, name string, from access.Origin, at time.Time) (
	secret string, err error) {
	id, err := ledger.ParseID(admin.ID)
	if err != nil || admin.Kind != access.ByProxy || admin.Seeing() {
		return "", errors.Join(refuse("only a proxied user who is not yet seeing as another may begin to"),
			err)
	}
	err = s.DB.InTx(ctx, "see as a user", func(tx pgx.Tx) error {
		if secret, err = beginSession(ctx, tx, id, from, "", at); err != nil {
			return err
		}
		return seeAs(ctx, tx, secret, name, at)
	})
	return secret, err
}
