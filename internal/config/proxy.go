package config

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Proxy is a proxy in front that names the signed-in user in headers. It is believed only
// at the addresses of serve --proxy.
type Proxy struct {
	UserHeader   string `yaml:"user_header"`                // the user's id, which must never be reassigned
	GroupsHeader string `yaml:"groups_header"`              // the user's groups
	Separator    string `yaml:"groups_separator,omitempty"` // between two groups; empty: a comma
	// Addresses are those addresses of --proxy that are believed about users; none: all of them.
	Addresses  []string `yaml:"addresses,omitempty"`
	SignOutURL string   `yaml:"sign_out_url,omitempty"` // where the proxy ends its session; empty: nowhere
	Groups     []Group  `yaml:"groups"`

	line int
}

// taken are headers with another meaning, for this server or for servers in between.
var taken = []string{
	"host", "authorization", "cookie", "origin", "connection", "content-type", "content-length", "transfer-encoding",
	"te", "upgrade", "via", "forwarded", "x-forwarded-for", "x-forwarded-proto",
	"x-forwarded-host", "x-real-ip", "user-agent", "accept",
	"referer",
}

func (p *Proxy) check(known Known, fault lineFault) {
	own := func(format string, args ...any) { fault(p.line, format, args...) }
	checkHeader("user_header", p.UserHeader, "such as X-Forwarded-User", own)
	checkHeader("groups_header", p.GroupsHeader, "such as X-Forwarded-Groups: groups decide what a user may see", own)
	if p.UserHeader != "" && strings.EqualFold(p.UserHeader, p.GroupsHeader) {
		own("user_header and groups_header are the same: one names the user, the other the user's groups")
	}
	if s := p.Separator; len(s) > 1 || s != "" && !strings.Contains(",;| ", s) {
		own("groups_separator %q: write one of \",\", \";\", \"|\" and \" \"", s)
	}
	for _, text := range p.Addresses {
		if _, err := ParsePrefix(text); err != nil {
			own("addresses: %q is not an address or CIDR such as 10.0.0.7", text)
		}
	}
	if text := p.SignOutURL; text != "" && !isPath(text) {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
			own("sign_out_url is neither an address such as https://gpu.example.com/oauth2/sign_out " +
				"nor a path on this server's name such as /oauth2/sign_out")
		}
	}
	checkGroups(p.line, p.Groups, known, fault)
}

// isPath reports whether an address is a path on this server's own name.
func isPath(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(text, "/") &&
		!strings.HasPrefix(text, "//") && !strings.Contains(text, `\`)
}

// checkHeader refuses a text that is not a header name, and headers with another meaning.
func checkHeader(key, name, such string, own fault) {
	switch {
	case name == "":
		own("%s is missing: name the header, %s", key, such)
	case strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}):
		own("%s %q is not a header name: use letters, digits and hyphens, %s", key, name, such)
	case slices.Contains(taken, strings.ToLower(name)):
		own("%s: %s has another meaning; name the header that the proxy sets for this, %s", key, name, such)
	}
}

// ParsePrefix parses a single address or a CIDR.
func ParsePrefix(text string) (netip.Prefix, error) {
	if at, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(at.Unmap(), at.Unmap().BitLen()), nil
	}
	return netip.ParsePrefix(text)
}
