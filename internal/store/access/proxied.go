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

// A proxy in front says at each request who asks. He has no session of his own: whatever
// is changed of him holds at once, and nothing is left when the proxy lets him go.

// Proxied says for whom a request of somebody is answered whom a proxy has signed in.
// Who is new becomes a user; role and scope are those of this request's groups. One
// statement answers, unless he comes anew or something changed. The secret is of the
// session in which he may see as another. A *access.RefusedError where he is disabled.
func (s *Access) Proxied(ctx context.Context, who access.Identity, role access.Role, conditions []string,
	secret string, from access.Origin, at time.Time) (*access.Viewer, error) {
	if role == access.RoleIngest {
		return nil, refuse("role ingest is for what sends telemetry in, and not for people")
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
		err = fmt.Errorf("%q is changed by several at once", who.Name)
	}
	return v, err
}

// admit adds or changes somebody whom a proxy names, and keeps in the audit log that he
// comes. It is said again of him after he was away as long as a session lives without use.
func (s *Access) admit(ctx context.Context, who access.Identity, role access.Role, conditions []string,
	from access.Origin, at time.Time) error {
	return s.DB.InTx(ctx, "admit whom a proxy signed in", func(tx pgx.Tx) error {
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

// SeeAsBeside begins a session in which an admin whom a proxy names sees what a user sees,
// and returns its secret. Without the proxy's word it is good for nothing.
func (s *Access) SeeAsBeside(ctx context.Context, admin *access.Viewer, name string, from access.Origin, at time.Time) (
	secret string, err error) {
	id, err := ledger.ParseID(admin.ID)
	if err != nil || admin.Kind != access.ByProxy || admin.Seeing() {
		return "", errors.Join(refuse("only whom a proxy signed in, and who sees as himself, begins so to see as another"),
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
