package oidc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"

	gooidc "github.com/coreos/go-oidc/v3/oidc"

	"gpuledger/internal/access"
	"gpuledger/internal/outbound"
)

// Bounds of logout tokens.
const (
	longestLogout = 16 << 10         // bytes
	longestTokens = 10 * time.Minute // a token is valid at most this long after it was issued
	keysApart     = 2 * time.Second  // least time between two fetches of the provider's keys
)

// logoutEvent is the event of a logout token (OpenID Connect Back-Channel Logout, 2.4).
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

// Logout reads a logout token, with which the provider reports that a user signed out there. The caller
// must handle each ID only once. The error is an *Error if the provider does not answer, and
// another if the token is not valid; it is for the log and contains no secret.
func (p *Provider) Logout(ctx context.Context, raw string) (l access.Logout, err error) {
	if raw == "" || len(raw) > longestLogout {
		return l, fmt.Errorf("a logout token has 1 to %d bytes; this one has %d", longestLogout, len(raw))
	}
	d, err := p.discover(ctx)
	if err != nil {
		return l, err
	}
	token, err := d.logouts.VerifyLogout(ctx, raw) // signature, issuer, audience, event, jti, sub or sid, and no nonce
	if err != nil {
		return l, outbound.Plain(err)
	}
	if err := p.checkLogout(token); err != nil {
		return l, err
	}
	until := token.IssuedAt.Add(longestTokens)
	if token.Expiry.Before(until) {
		until = token.Expiry
	}
	return access.Logout{Issuer: p.cfg.Issuer, Subject: token.Subject, Session: token.SessionID, ID: token.TokenID,
		Until: until.Add(2 * skew)}, nil
}

// checkLogout checks what the library does not.
func (p *Provider) checkLogout(token *gooidc.LogoutToken) error {
	var says struct {
		Events map[string]json.RawMessage `json:"events"`
	}
	if err := token.Claims(&says); err != nil {
		return fmt.Errorf("claims of the token: %w", err)
	}
	now := p.cfg.Now()
	switch {
	case !bytes.HasPrefix(bytes.TrimSpace(says.Events[logoutEvent]), []byte("{")):
		return errors.New("the token's event is not an object")
	case len(token.Subject) > access.LongestSubject || strings.ContainsFunc(token.Subject, unicode.IsControl):
		return fmt.Errorf("the token's subject has %d bytes: a text of at most %d is allowed",
			len(token.Subject), access.LongestSubject)
	case !now.Before(token.Expiry.Add(skew)):
		return fmt.Errorf("the token expired at %s; it is now %s", stamp(token.Expiry), stamp(now))
	case token.IssuedAt.After(now.Add(skew)):
		return fmt.Errorf("the token was issued at %s, but it is now %s: one of the clocks is wrong",
			stamp(token.IssuedAt), stamp(now))
	case !now.Before(token.IssuedAt.Add(longestTokens + skew)):
		return fmt.Errorf("the token was issued at %s, which is too long ago: it is now %s", stamp(token.IssuedAt),
			stamp(now))
	}
	return nil
}

// apart limits the rate of requests to the provider. Anyone who reaches the server can send
// tokens with unknown key ids, and each would otherwise cause a fetch from the provider.
type apart struct {
	http.RoundTripper
	now func() time.Time

	mu   sync.Mutex
	last time.Time
}

var errTooSoon = errors.New("the provider's keys were fetched a moment ago")

// RoundTrip implements http.RoundTripper.
func (a *apart) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	now := a.now()
	soon := !a.last.IsZero() && now.Sub(a.last) < keysApart
	if !soon {
		a.last = now
	}
	a.mu.Unlock()
	if soon {
		return nil, errTooSoon
	}
	return a.RoundTripper.RoundTrip(r)
}
