package optest

import (
	"crypto/rsa"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// request is a sign-in in progress; it implements op.AuthRequest.
type request struct {
	asked    *oidc.AuthRequest
	id       string
	user     User
	faults   Faults
	done     bool
	signedIn time.Time
}

func (r *request) GetID() string          { return r.id }
func (r *request) GetAudience() []string  { return []string{r.asked.ClientID} }
func (r *request) GetACR() string         { return "" }
func (r *request) GetAMR() []string       { return []string{"pwd"} }
func (r *request) GetAuthTime() time.Time { return r.signedIn }
func (r *request) GetClientID() string    { return r.asked.ClientID }
func (r *request) GetRedirectURI() string { return r.asked.RedirectURI }
func (r *request) GetScopes() []string    { return r.asked.Scopes }
func (r *request) GetState() string       { return r.asked.State }
func (r *request) GetSubject() string     { return r.user.Subject }
func (r *request) Done() bool             { return r.done }

func (r *request) GetResponseType() oidc.ResponseType { return r.asked.ResponseType }
func (r *request) GetResponseMode() oidc.ResponseMode { return r.asked.ResponseMode }

func (r *request) GetNonce() string {
	if r.faults.Nonce != "" {
		return r.faults.Nonce
	}
	return r.asked.Nonce
}

func (r *request) GetCodeChallenge() *oidc.CodeChallenge {
	if r.asked.CodeChallenge == "" {
		return nil
	}
	return &oidc.CodeChallenge{Challenge: r.asked.CodeChallenge, Method: r.asked.CodeChallengeMethod}
}

// client is the one of the provider; it implements op.Client.
type client struct {
	origin string
	faults Faults
}

func (c client) GetID() string                       { return ClientID }
func (c client) RedirectURIs() []string              { return []string{c.origin + "/login/callback"} }
func (c client) PostLogoutRedirectURIs() []string    { return []string{c.origin + "/login"} }
func (c client) ApplicationType() op.ApplicationType { return op.ApplicationTypeWeb }
func (c client) AuthMethod() oidc.AuthMethod         { return oidc.AuthMethodBasic }
func (c client) ResponseTypes() []oidc.ResponseType {
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}
func (c client) GrantTypes() []oidc.GrantType         { return []oidc.GrantType{oidc.GrantTypeCode} }
func (c client) LoginURL(id string) string            { return "/sign-in?id=" + id }
func (c client) AccessTokenType() op.AccessTokenType  { return op.AccessTokenTypeBearer }
func (c client) DevMode() bool                        { return true } // http, on this machine
func (c client) IsScopeAllowed(string) bool           { return false }
func (c client) IDTokenUserinfoClaimsAssertion() bool { return true }
func (c client) ClockSkew() time.Duration             { return -c.faults.Ahead }
func (c client) RestrictAdditionalIdTokenScopes() func([]string) []string { //nolint:revive // the library calls it so
	return func(scopes []string) []string { return scopes }
}
func (c client) RestrictAdditionalAccessTokenScopes() func([]string) []string {
	return func(scopes []string) []string { return scopes }
}

func (c client) IDTokenLifetime() time.Duration {
	life := c.faults.Lifetime
	if life == 0 {
		life = 5 * time.Minute
	}
	return life + 2*c.faults.Ahead // the library takes the skew off
}

// key signs; it implements op.SigningKey.
type key struct {
	id      string
	private *rsa.PrivateKey
}

func (k key) ID() string                                  { return k.id }
func (k key) SignatureAlgorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k key) Key() any                                    { return k.private }

// public is the public part of a key; it implements op.Key.
type public struct{ key }

func (k public) Algorithm() jose.SignatureAlgorithm { return jose.RS256 }
func (k public) Use() string                        { return "sig" }
func (k public) Key() any                           { return &k.private.PublicKey }
