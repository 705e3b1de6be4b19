package oidc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	gooidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"gpuledger/internal/access"
	"gpuledger/internal/outbound"
)

// Bounds of the talk with a provider.
const (
	exchangeTimeout = 10 * time.Second // of one request
	quickTimeout    = 3 * time.Second  // of what a sign-out waits for
	rediscover      = time.Hour        // so that a key that was withdrawn is trusted no longer
	retryAfter      = 3 * time.Second  // those who waited for an answer do not all ask again
	maxAnswer       = 1 << 20          // bytes of one answer
)

// Config says which provider signs people in, and what its groups give them.
type Config struct {
	Issuer       string
	ClientID     string
	ClientSecret string   // empty: a public client, which PKCE alone protects
	RedirectURL  string   // of the callback, as the provider knows it
	GroupsClaim  string   // empty: groups
	Scopes       []string // beside openid, profile and email
	Groups       []access.Mapping
	CAFile       string // PEM of who signed the provider's certificate; empty: the system's roots
	Now          func() time.Time
}

// Provider is an OpenID Connect provider. It is safe for concurrent use.
type Provider struct {
	cfg    Config
	host   string
	client *http.Client

	turn     chan struct{} // who holds it may read and write what follows
	known    *discovered
	failed   error
	failedAt time.Time
}

// discovered is what a provider says of itself.
type discovered struct {
	at          time.Time
	verifier    *gooidc.IDTokenVerifier
	logouts     *gooidc.IDTokenVerifier // with keys of its own, which it seldom asks for
	oauth       oauth2.Config
	endSession  string // empty: it has no such place
	namesItself bool   // answers carry the issuer (RFC 9207)
}

// Error says what of a provider could not be done, in words for who wants to sign in.
// What it wraps is for the log.
type Error struct {
	Sentence string
	Err      error
}

// Error implements error.
func (e *Error) Error() string { return e.Sentence + ": " + e.Err.Error() }

// Unwrap returns what happened.
func (e *Error) Unwrap() error { return e.Err }

// New returns a provider without asking it anything, so that one that is down keeps no
// server from starting. It fails where the configuration can never work.
func New(cfg Config) (*Provider, error) {
	u, err := CheckURL(cfg.Issuer)
	if err != nil {
		return nil, fmt.Errorf("issuer: %w", err)
	}
	if _, err := CheckURL(cfg.RedirectURL); err != nil {
		return nil, fmt.Errorf("redirect URL: %w", err)
	}
	if cfg.ClientID == "" || cfg.Now == nil {
		return nil, errors.New("an OpenID provider needs a client id and a clock")
	}
	if cfg.GroupsClaim == "" {
		cfg.GroupsClaim = "groups"
	}
	client, err := outbound.New(outbound.TLS{CAFile: cfg.CAFile}, exchangeTimeout)
	if err != nil {
		return nil, err
	}
	client.Transport = bounded{client.Transport}
	return &Provider{cfg: cfg, host: u.Host, client: client, turn: make(chan struct{}, 1)}, nil
}

// CheckURL refuses addresses that secrets must not be sent to: all but https, and http
// on this machine. They have a host, and neither user, query nor fragment.
func CheckURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not an address", text)
	}
	switch {
	case u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q: write https://host/path, without user, query or fragment", outbound.Show(u))
	case u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()):
		return u, nil
	}
	return nil, fmt.Errorf("%q: use https; http is allowed only for this machine, such as http://127.0.0.1", text)
}

func isLoopback(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// bounded cuts answers off: the library reads them whole.
type bounded struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	}
	return resp, err
}

// Issuer is the provider's name for itself.
func (p *Provider) Issuer() string { return p.cfg.Issuer }

// Host is where the provider is, to show.
func (p *Provider) Host() string { return p.host }

// discover asks the provider what it offers, unless it is known. One asks at a time;
// who waits for that gets its answer, a failure too. The error is an *Error, or that
// of the context.
func (p *Provider) discover(ctx context.Context) (*discovered, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	now := p.cfg.Now()
	if p.known != nil && now.Sub(p.known.at) < rediscover {
		return p.known, nil
	}
	if p.failed != nil && now.Sub(p.failedAt) < retryAfter {
		return nil, p.failed
	}
	d, err := p.ask(ctx)
	if err != nil {
		p.failed = &Error{p.host + " does not answer like an OpenID provider", err}
		p.failedAt = p.cfg.Now()
		return nil, p.failed
	}
	d.at, p.known, p.failed = now, d, nil
	return d, nil
}

// ask reads the provider's discovery document. What it finds is for all who sign in,
// so that one who goes away does not spoil it.
func (p *Provider) ask(ctx context.Context) (*discovered, error) {
	ctx = gooidc.ClientContext(context.WithoutCancel(ctx), p.client)
	timed, cancel := context.WithTimeout(ctx, exchangeTimeout)
	defer cancel()
	provider, err := gooidc.NewProvider(timed, p.cfg.Issuer)
	if err != nil {
		return nil, fmt.Errorf("discovery at %s/.well-known/openid-configuration: %w", strings.TrimSuffix(p.cfg.Issuer, "/"),
			outbound.Plain(err))
	}
	var says struct {
		Keys        string   `json:"jwks_uri"`
		EndSession  string   `json:"end_session_endpoint"`
		TokenAuth   []string `json:"token_endpoint_auth_methods_supported"`
		NamesItself bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if err := provider.Claims(&says); err != nil {
		return nil, fmt.Errorf("discovery document: %w", err)
	}
	at := provider.Endpoint()
	for name, place := range map[string]string{
		"authorization_endpoint": at.AuthURL, "token_endpoint": at.TokenURL, "jwks_uri": says.Keys,
	} {
		if err := safe(place); err != nil {
			return nil, fmt.Errorf("discovery document: %s: %w", name, err)
		}
	}
	if says.EndSession != "" && safe(says.EndSession) != nil {
		says.EndSession = ""
	}
	// Said once and for all: the library would try one way after the other, with the code in both.
	at.AuthStyle = oauth2.AuthStyleInHeader
	if p.cfg.ClientSecret == "" || len(says.TokenAuth) > 0 && !slices.Contains(says.TokenAuth, "client_secret_basic") {
		at.AuthStyle = oauth2.AuthStyleInParams
	}
	scopes := append([]string{gooidc.ScopeOpenID, "profile", "email"}, p.cfg.Scopes...)
	// Times are ours to check: the library leaves 5 minutes where it leaves any.
	checks := &gooidc.Config{ClientID: p.cfg.ClientID, SupportedSigningAlgs: algorithms, SkipExpiryCheck: true}
	seldom := *p.client
	seldom.Transport = &apart{RoundTripper: p.client.Transport, now: p.cfg.Now}
	return &discovered{
		verifier: provider.VerifierContext(ctx, checks),
		logouts:  provider.VerifierContext(gooidc.ClientContext(ctx, &seldom), checks),
		oauth: oauth2.Config{ClientID: p.cfg.ClientID, ClientSecret: p.cfg.ClientSecret, Endpoint: at,
			RedirectURL: p.cfg.RedirectURL, Scopes: scopes},
		endSession: says.EndSession, namesItself: says.NamesItself,
	}, nil
}

// safe is CheckURL for places that a provider names, which may have a query.
func safe(place string) error {
	u, err := url.Parse(place)
	if err != nil {
		return fmt.Errorf("%q is not an address", place)
	}
	u.RawQuery = ""
	_, err = CheckURL(u.String())
	return err
}

// algorithms are those with a private and a public key: a token that is not signed, or
// signed with what a client knows as well, proves nothing.
var algorithms = []string{
	gooidc.RS256, gooidc.RS384, gooidc.RS512, gooidc.PS256, gooidc.PS384, gooidc.PS512,
	gooidc.ES256, gooidc.ES384, gooidc.ES512, gooidc.EdDSA,
}
