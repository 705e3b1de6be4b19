package config

import (
	"net/netip"
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Access configures sign-in other than by password. It applies with serve --auth on.
type Access struct {
	// OIDC is the OpenID provider that signs users in; nil: none.
	OIDC *OIDC `yaml:"oidc,omitempty"`
	// Proxy is the proxy in front that signs users in; nil: none.
	Proxy *Proxy `yaml:"proxy,omitempty"`
}

// OIDC is an OpenID provider. The file never contains its secret.
type OIDC struct {
	Issuer           string   `yaml:"issuer"` // exactly as the provider writes it
	ClientID         string   `yaml:"client_id"`
	ClientSecretEnv  string   `yaml:"client_secret_env,omitempty"`  // environment variable with the secret
	ClientSecretFile string   `yaml:"client_secret_file,omitempty"` // or file
	RedirectURL      string   `yaml:"redirect_url"`                 // of this server: https://host/login/callback
	GroupsClaim      string   `yaml:"groups_claim,omitempty"`       // empty: groups
	Scopes           []string `yaml:"scopes,omitempty"`             // in addition to openid, profile and email
	CAFile           string   `yaml:"ca_file,omitempty"`            // PEM of the provider's certificate authority
	Groups           []Group  `yaml:"groups"`

	line int
}

// callbackPath is the path that the provider sends browsers back to.
const callbackPath = "/login/callback"

// findAccessLines finds the lines of the provider, the proxy and their groups.
func (c *Config) findAccessLines(root *yaml.Node) {
	if o := c.Access.OIDC; o != nil {
		o.line = sectionLine(root, "access", "oidc")
		findGroupLines(entryLines(root, "access", "oidc", "groups"), o.Groups)
	}
	if p := c.Access.Proxy; p != nil {
		p.line = sectionLine(root, "access", "proxy")
		findGroupLines(entryLines(root, "access", "proxy", "groups"), p.Groups)
	}
}

// check reports the faults of the provider at its line, and those of its groups at theirs.
func (o *OIDC) check(known Known, fault lineFault) {
	own := func(format string, args ...any) { fault(o.line, format, args...) }
	checkSafe("issuer", o.Issuer, own)
	checkSafe("redirect_url", o.RedirectURL, own)
	if u, err := url.Parse(o.RedirectURL); err == nil && o.RedirectURL != "" && u.Path != callbackPath {
		own("redirect_url must end in %s: https://‹name of this server›%s", callbackPath, callbackPath)
	}
	if o.ClientID == "" {
		own("client_id is missing: the provider shows it where the application is registered")
	}
	checkEnv("client_secret_env", o.ClientSecretEnv, own)
	if o.ClientSecretEnv != "" && o.ClientSecretFile != "" {
		own("client_secret_env and client_secret_file: give only one of them")
	}
	for _, s := range o.Scopes {
		if s == "" || strings.ContainsAny(s, " \"\\") {
			own("scopes: %q is not a scope; write each as a separate entry", s)
		}
	}
	checkGroups(o.line, o.Groups, known, fault)
}

// checkSafe refuses addresses that secrets must not be sent to.
func checkSafe(key, text string, fault fault) {
	u, err := url.Parse(text)
	if text == "" {
		fault("%s is missing", key)
		return
	}
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" &&
		u.Scheme != "http" {
		fault("%s is not an address such as https://host/path, without user, query or fragment", key)
		return
	}
	at, err := netip.ParseAddr(u.Hostname())
	if u.Scheme == "http" && u.Hostname() != "localhost" && (err != nil || !at.IsLoopback()) {
		fault("%s %s: write https; http is allowed only for this machine, such as http://127.0.0.1", key, text)
	}
}
