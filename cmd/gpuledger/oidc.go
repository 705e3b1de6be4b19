package main

import (
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/config"
	"gpuledger/internal/oidc"
	"gpuledger/internal/store"
	"gpuledger/web/dashboard/people"
	"gpuledger/web/gate"
)

// oidcProvider is the configured OpenID provider; nil: there is none, or
// access control is off.
func (a *app) oidcProvider(
	s *store.Store, cfg *config.Config, passing *gate.Gate, hosts []string,
) (*people.OIDC, error) {
	c := cfg.Access.OIDC
	if c == nil {
		return nil, nil
	}
	if passing == nil {
		a.log.Warn("access control is off, so the configured provider is not used for sign-in: switch it on with --auth on",
			"issuer", c.Issuer)
		return nil, nil
	}
	if err := isOurs(c.RedirectURL, hosts); err != nil {
		return nil, err
	}
	secret, err := clientSecret(c)
	if err != nil {
		return nil, err
	}
	provider, err := oidc.New(oidc.Config{Issuer: c.Issuer, ClientID: c.ClientID, ClientSecret: secret,
		RedirectURL: c.RedirectURL,
		GroupsClaim: c.GroupsClaim, Scopes: c.Scopes, Groups: mappings(c.Groups), CAFile: c.CAFile, Now: time.Now})
	if err != nil {
		return nil, fmt.Errorf("access.oidc: %w", err)
	}
	return &people.OIDC{Provider: provider, Guests: s.Access}, nil
}

// isOurs refuses a redirect URL whose host this server does not answer to.
func isOurs(redirect string, hosts []string) error {
	u, err := url.Parse(redirect)
	if err != nil {
		return fmt.Errorf("access.oidc: redirect_url: %w", err)
	}
	name := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(name); err == nil || name == "localhost" ||
		slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, name) }) {
		return nil
	}
	return fmt.Errorf("access.oidc: redirect_url names the host %s, which this server does not answer to: start "+
		"it with --host %s", name, name)
}

// longestSecret bounds the file that holds a secret, in bytes.
const longestSecret = 4 << 10

// clientSecret is this server's secret at the provider; empty: a public client.
func clientSecret(c *config.OIDC) (string, error) {
	switch {
	case c.ClientSecretEnv != "":
		secret := os.Getenv(c.ClientSecretEnv)
		if secret == "" {
			return "", fmt.Errorf("access.oidc: client_secret_env: the environment variable %s is empty", c.ClientSecretEnv)
		}
		return secret, nil
	case c.ClientSecretFile != "":
		text, err := os.ReadFile(c.ClientSecretFile)
		if err != nil {
			return "", fmt.Errorf("access.oidc: client_secret_file: %w", err)
		}
		secret := strings.TrimSpace(string(text))
		if secret == "" || len(text) > longestSecret {
			return "", fmt.Errorf("access.oidc: client_secret_file %s must contain the secret and nothing else",
				c.ClientSecretFile)
		}
		return secret, nil
	}
	return "", nil
}

// peoplesRoles are the roles that groups may give: all but ingest.
func peoplesRoles() (names []string) {
	for _, r := range access.Roles() {
		if r != access.RoleIngest {
			names = append(names, string(r))
		}
	}
	return names
}
