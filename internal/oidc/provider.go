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

// Bounds of the requests to a provider.
const (
	exchangeTimeout = 10 * time.Second // of one request
	quickTimeout    = 3 * time.Second  // of the requests that a sign-out waits for
	rediscover      = time.Hour        // the longest time that a withdrawn key is still trusted
	retryAfter      = 3 * time.Second  // after a failure, so that waiting sign-ins do not all retry
	maxAnswer       = 1 << 20          // bytes of one answer
)

// Config is the provider, with the roles that its groups give.
type Config struct {
	Issuer       string
	ClientID     string
	ClientSecret string   // empty: a public client, which PKCE alone protects
	RedirectURL  string   // of the callback, as the provider knows it
	GroupsClaim  string   // empty: groups
	Scopes       []string // in addition to openid, profile and email
	Groups       []access.Mapping
	CAFile       string // PEM of the provider's certificate authority; empty: the system's roots
	Now          func() time.Time
}

// Provider is an OpenID Connect provider. It is safe for concurrent use.
type Provider struct {
	cfg    Config
	host   string
	client *http.Client

	turn     chan struct{} // its holder may read and write the fields below
	known    *discovered
	failed   error
	failedAt time.Time
}

// discovered is a provider's discovery document.
type discovered struct {
	at          time.Time
	verifier    *gooidc.IDTokenVerifier
	logouts     *gooidc.IDTokenVerifier // for logout tokens, with separate keys that it fetches seldom
	oauth       oauth2.Config
	endSession  string // empty: the provider has no sign-out page
	namesItself bool   // answers carry the issuer (RFC 9207)
}

// Error is a failure of a provider. Sentence is for the user who signs in, Err for
// the log.
type Error struct {
	Sentence string
	Err      error
}

// Error implements error.
func (e *Error) Error() string { return e.Sentence + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New returns a provider without sending it a request, so that the server starts while the provider
// is down. It fails if the configuration can never work.
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
// on this machine. The address needs a host, and must have no user, query or fragment.
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

// bounded limits the size of answers, because the library reads them whole.
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

// Issuer is the issuer identifier of the provider.
func (p *Provider) Issuer() string { return p.cfg.Issuer }

// Host is the provider's host, for display.
func (p *Provider) Host() string { return p.host }

// discover reads the discovery document, unless it is known. Only one caller reads at a time;
// callers that wait share its result, also a failure. The error is an *Error, or that
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

// ask reads the provider's discovery document. All sign-ins share the result, so
// it does not end when the first caller gives up.
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
	// Chosen here: the library would try both ways, and send the code twice.
	at.AuthStyle = oauth2.AuthStyleInHeader
	if p.cfg.ClientSecret == "" || len(says.TokenAuth) > 0 && !slices.Contains(says.TokenAuth, "client_secret_basic") {
		at.AuthStyle = oauth2.AuthStyleInParams
	}
	scopes := append([]string{gooidc.ScopeOpenID, "profile", "email"}, p.cfg.Scopes...)
	// check and checkLogout check times: the library would allow clocks to differ by 5 minutes.
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

// safe is CheckURL for addresses from the discovery document, which may have a query.
func safe(place string) error {
	u, err := url.Parse(place)
	if err != nil {
		return fmt.Errorf("%q is not an address", place)
	}
	u.RawQuery = ""
	_, err = CheckURL(u.String())
	return err
}

// algorithms are the ones with a private and a public key: a token without a signature, or
// signed with the client's secret, proves nothing.
var algorithms = []string{
	gooidc.RS256, gooidc.RS384, gooidc.RS512, gooidc.PS256, gooidc.PS384, gooidc.PS512,
	gooidc.ES256, gooidc.ES384, gooidc.ES512, gooidc.EdDSA,
}
