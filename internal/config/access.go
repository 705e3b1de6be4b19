package config

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Access says who comes in beside those with a password. It holds with serve --auth on.
type Access struct {
	// OIDC is the OpenID provider that signs people in; nil: none does.
	OIDC *OIDC `yaml:"oidc,omitempty"`
}

// OIDC is an OpenID provider. Its secret never stands in the file.
type OIDC struct {
	Issuer           string      `yaml:"issuer"` // exactly as the provider writes it
	ClientID         string      `yaml:"client_id"`
	ClientSecretEnv  string      `yaml:"client_secret_env,omitempty"`  // environment variable with the secret
	ClientSecretFile string      `yaml:"client_secret_file,omitempty"` // or file
	RedirectURL      string      `yaml:"redirect_url"`                 // of this server: https://host/login/callback
	GroupsClaim      string      `yaml:"groups_claim,omitempty"`       // empty: groups
	Scopes           []string    `yaml:"scopes,omitempty"`             // beside openid, profile and email
	CAFile           string      `yaml:"ca_file,omitempty"`            // PEM of who signed the provider's certificate
	Groups           []OIDCGroup `yaml:"groups"`

	line int
}

// OIDCGroup is what a group of the provider gives its members.
type OIDCGroup struct {
	Group string   `yaml:"group"`
	Role  string   `yaml:"role"`
	Scope []string `yaml:"scope,omitempty"` // conditions, of which one has to hold

	line int
}

// callbackPath is where the provider sends browsers back to.
const callbackPath = "/login/callback"

// findAccessLines finds the lines of the provider and its groups.
func (c *Config) findAccessLines(section yaml.Node) error {
	if c.Access.OIDC == nil {
		return nil
	}
	var doc struct {
		OIDC yaml.Node `yaml:"oidc"`
	}
	var provider struct {
		Groups []yaml.Node `yaml:"groups"`
	}
	if err := section.Decode(&doc); err != nil {
		return err
	}
	if err := doc.OIDC.Decode(&provider); err != nil {
		return err
	}
	c.Access.OIDC.line = doc.OIDC.Line
	for i, n := range provider.Groups {
		c.Access.OIDC.Groups[i].line = n.Line
	}
	return nil
}

// check reports what is wrong with the provider at line, and with its groups at theirs.
func (o *OIDC) check(known Known, fault func(line int, format string, args ...any)) {
	own := func(format string, args ...any) { fault(o.line, format, args...) }
	checkSafe("issuer", o.Issuer, own)
	checkSafe("redirect_url", o.RedirectURL, own)
	if u, err := url.Parse(o.RedirectURL); err == nil && o.RedirectURL != "" && u.Path != callbackPath {
		own("redirect_url ends in %s: https://‹name of this server›%s", callbackPath, callbackPath)
	}
	if o.ClientID == "" {
		own("client_id is missing: the provider names it where the application is registered")
	}
	checkEnv("client_secret_env", o.ClientSecretEnv, own)
	if o.ClientSecretEnv != "" && o.ClientSecretFile != "" {
		own("client_secret_env and client_secret_file: give one of them")
	}
	for _, s := range o.Scopes {
		if s == "" || strings.ContainsAny(s, " \"\\") {
			own("scopes: %q is none; write each as an entry of its own", s)
		}
	}
	if len(o.Groups) == 0 {
		own("groups is missing: without them nobody has a role")
	}
	for i := range o.Groups {
		o.Groups[i].check(known, fault)
	}
}

func (g *OIDCGroup) check(known Known, fault func(line int, format string, args ...any)) {
	if g.Group == "" {
		fault(g.line, "group is missing: name it as the provider's tokens do")
	}
	if !slices.Contains(known.Roles, g.Role) {
		fault(g.line, "group %q: role %q is unknown: known are %s", g.Group, g.Role, strings.Join(known.Roles, ", "))
	}
	if known.Scope == nil {
		return
	}
	for _, condition := range g.Scope {
		if err := known.Scope(condition); err != nil {
			fault(g.line, "group %q: %s", g.Group, err)
		}
	}
}

// checkSafe refuses addresses that secrets must not be sent to.
func checkSafe(key, text string, fault fault) {
	u, err := url.Parse(text)
	if text == "" {
		fault("%s is missing", key)
		return
	}
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
		fault("%s is no address such as https://host/path, without user, query or fragment", key)
		return
	}
	at, err := netip.ParseAddr(u.Hostname())
	if u.Scheme == "http" && u.Hostname() != "localhost" && (err != nil || !at.IsLoopback()) {
		fault("%s %s: write https; http is for this machine alone, such as http://127.0.0.1", key, text)
	}
}
