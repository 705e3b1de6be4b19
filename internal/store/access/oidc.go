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

// providerSaid is the audit log's detail for grants and sign-ins by a provider.
type providerSaid struct {
	Issuer  string `json:"issuer"`
	Address string `json:"address,omitempty"`
	*granted
}

// SignInBy begins a session for a user whom a provider signed in, and returns its secret. A new identity becomes a
// user. Role and scope come from the user's current groups; if they changed, the user's other sessions end. It returns
// a *access.RefusedError if the user is disabled here or the grant is not valid.
func (s *Access) SignInBy(ctx context.Context, who access.Identity, role access.Role, conditions []string,
	from access.Origin, at time.Time) (secret string, err error) {
	if role == access.RoleIngest {
		return "", refuse("role ingest is for programs that send telemetry, not for people")
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

var errDisabled = refuse("your account is disabled here: ask an admin of gpuledger")

// settled finds or adds the user of a provider identity and applies the grant of their current groups; a change ends
// their sessions. Disabled users get no grant.
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

// signInFailed is the audit action of a refused sign-in.
const signInFailed = "sign-in failed"

// RefuseSignIn writes to the audit log that a user whom a provider signed in was refused here, and why.
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

// mostNamesakes bounds the provider users with the same name.
const mostNamesakes = 1000

// providedUser finds the user of a provider identity, or adds one without a scope; the caller sets the scope. It never
// returns a user of another identity, even if the names match.
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
			continue // the next name has the provider's host, which makes it valid
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
	return u, refuse("%d users are already called %q", mostNamesakes, who.Name)
}

// programName is gpuledger's own name in the audit log.
const programName = "gpuledger"

// namesake is the name of a provider user if i users with that name exist: first the plain name, then with the
// provider, then also with a number.
func namesake(who access.Identity, i int) string {
	if i == 0 {
		return who.Name
	}
	host := who.Issuer
	if u, err := url.Parse(who.Issuer); err == nil && u.Host != "" { // a proxy's issuer has no host
		host = u.Host
	}
	host = pg.CleanText(host[:min(len(host), longestName-access.LongestShown-10)])
	if i == 1 {
		return fmt.Sprintf("%s (%s)", who.Name, host)
	}
	return fmt.Sprintf("%s (%s %d)", who.Name, host, i)
}

// boundedOrigin bounds an origin's length for storage.
func boundedOrigin(from access.Origin) access.Origin {
	if from.Agent = pg.CleanText(from.Agent); len(from.Agent) > longestName {
		from.Agent = pg.CleanText(from.Agent[:longestName])
	}
	return from
}

// ProviderOf returns the issuer that signed in the session's user; empty for a local sign-in or an ended session.
func (s *Access) ProviderOf(ctx context.Context, secret string) (issuer string, err error) {
	issuer, _, err = pg.Found(pg.Value[string](ctx, s.DB.Pool, "access.issuer_of_session", pg.Tenant,
		access.Digest(secret)))
	return issuer, err
}

// signsInHere refuses a password for a user whom a provider signs in: it would keep working after the provider removes
// them.
func signsInHere(ctx context.Context, tx pgx.Tx, user ledger.ID, name string) error {
	elsewhere, err := pg.Value[bool](ctx, tx, "access.is_provided", pg.Tenant, user)
	if err != nil {
		return err
	}
	if elsewhere {
		return refuse("%q signs in at a provider and has no password here", name)
	}
	return nil
}
