package access

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// providerSaid is what the audit log says of what a provider gives or signs in.
type providerSaid struct {
	Issuer  string `json:"issuer"`
	Address string `json:"address,omitempty"`
	*granted
}

// SignInBy begins a session for somebody whom a provider has signed in, and returns its
// secret. Who is new becomes a user; role and scope are those of today's groups, and
// where they changed his other sessions end. A *access.RefusedError where he is disabled
// here, or where the grant is none.
func (s *Access) SignInBy(ctx context.Context, who access.Identity, role access.Role, conditions []string,
	from access.Origin, at time.Time) (secret string, err error) {
	if role == access.RoleIngest {
		return "", refuse("role ingest is for what sends telemetry in, and not for people")
	}
	var disabled bool
	err = s.DB.InTx(ctx, "sign in by a provider", func(tx pgx.Tx) error {
		u, err := s.settled(ctx, tx, who, role, conditions, at)
		if err != nil {
			return err
		}
		if disabled = u.Disabled; disabled {
			return audit(ctx, tx, at, u.Name, signInFailed, u.Name, providerSaid{Issuer: who.Issuer, Address: from.Address})
		}
		if secret, err = beginSession(ctx, tx, u.ID, from, who.Session, at); err != nil {
			return err
		}
		return audit(ctx, tx, at, u.Name, "signed in", u.Name, providerSaid{Issuer: who.Issuer, Address: from.Address})
	})
	switch {
	case err != nil:
		return "", err
	case disabled:
		return "", errDisabled
	}
	return secret, nil
}

var errDisabled = refuse("you are disabled here: let an admin of gpuledger look at that")

// settled finds or adds who somebody of a provider is, and gives him what today's groups
// give; where that changes, his sessions end. Who is disabled is given nothing.
func (s *Access) settled(ctx context.Context, tx pgx.Tx, who access.Identity, role access.Role, conditions []string,
	at time.Time) (u held, err error) {
	u, err = providedUser(ctx, tx, who, role, at)
	if err != nil || u.Disabled {
		return u, err
	}
	g := Grant{Name: u.Name, Role: role, Conditions: conditions, By: who.Issuer, At: at}
	if u.added || u.Role != role || !slices.Equal(u.Conditions, conditions) {
		if err := s.regrant(ctx, tx, u, g); err != nil {
			return u, err
		}
	}
	if u.added {
		return u, audit(ctx, tx, at, g.By, "user added", u.Name, providerSaid{
			Issuer: g.By, granted: &granted{role, conditions},
		})
	}
	return u, nil
}

// signInFailed is what the audit log calls it when somebody is not let in.
const signInFailed = "sign-in failed"

// RefuseSignIn keeps in the audit log that somebody whom a provider signed in was not
// let in, and why.
func (s *Access) RefuseSignIn(
	ctx context.Context, who access.Identity, reason string, from access.Origin, at time.Time,
) error {
	return s.DB.InTx(ctx, "note a refused sign-in", func(tx pgx.Tx) error {
		name := pg.CleanText(who.Name)
		return audit(ctx, tx, at, name, signInFailed, name, map[string]string{
			"issuer": who.Issuer, "address": from.Address, "reason": reason,
		})
	})
}

// mostNamesakes bounds how many of a provider are called the same.
const mostNamesakes = 1000

// providedUser finds who somebody of a provider is, or adds him without a scope: the
// caller gives him one. A user of another identity is never taken for him, whatever he
// is called.
func providedUser(
	ctx context.Context, tx pgx.Tx, who access.Identity, role access.Role, at time.Time,
) (u held, err error) {
	for i := range mostNamesakes {
		u, found, err := pg.Found(pg.One[held](ctx, tx, "access.provided_user", pg.Tenant, who.Issuer, who.Subject))
		if found || err != nil {
			return u, err
		}
		name := namesake(who, i)
		if label, err := access.NormalLabel(name); err == nil {
			name = label
		} else if i == 0 && name != "" {
			continue // with its provider it is told from others
		}
		if access.Alike(name, programName) {
			continue
		}
		switch like, err := likeUser(ctx, tx, name); {
		case err != nil:
			return u, err
		case like != "":
			continue
		}
		id := randomID()
		n, err := pg.Exec(ctx, tx, "access.put_provided_user", pg.Tenant, id, name, role, nil, at, who.Issuer, who.Subject)
		if err != nil {
			return u, err
		}
		if n == 1 {
			return held{ID: id, Name: name, Role: role, added: true}, nil
		}
	}
	return u, refuse("%d users are called %q already", mostNamesakes, who.Name)
}

// programName is what the audit log calls gpuledger itself.
const programName = "gpuledger"

// namesake is what somebody of a provider is called after i others were found to be
// called so: with the provider, and then with a number.
func namesake(who access.Identity, i int) string {
	if i == 0 {
		return who.Name
	}
	host := who.Issuer
	if u, err := url.Parse(who.Issuer); err == nil && u.Host != "" { // a proxy has no address
		host = u.Host
	}
	host = pg.CleanText(host[:min(len(host), longestName-access.LongestShown-10)])
	if i == 1 {
		return fmt.Sprintf("%s (%s)", who.Name, host)
	}
	return fmt.Sprintf("%s (%s %d)", who.Name, host, i)
}

// boundedOrigin is an origin as sessions keep it.
func boundedOrigin(from access.Origin) access.Origin {
	if from.Agent = pg.CleanText(from.Agent); len(from.Agent) > longestName {
		from.Agent = pg.CleanText(from.Agent[:longestName])
	}
	return from
}

// ProviderOf is the issuer that signed in whoever has a session; empty: none did, or the
// session has ended.
func (s *Access) ProviderOf(ctx context.Context, secret string) (issuer string, err error) {
	issuer, _, err = pg.Found(pg.Value[string](ctx, s.DB.Pool, "access.issuer_of_session", pg.Tenant,
		access.Digest(secret)))
	return issuer, err
}

// signsInHere refuses a password for somebody whom a provider signs in: it would go on
// working after the provider let him go.
func signsInHere(ctx context.Context, tx pgx.Tx, user ledger.ID, name string) error {
	elsewhere, err := pg.Value[bool](ctx, tx, "access.is_provided", pg.Tenant, user)
	if err != nil {
		return err
	}
	if elsewhere {
		return refuse("%q signs in at a provider, and has no password here", name)
	}
	return nil
}
