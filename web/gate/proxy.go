package gate

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gpuledger/internal/access"
	"gpuledger/internal/problem"
)

// Proxy is a proxy in front that signs users in and names the user in headers of each request.
// From other peers, these headers are ignored.
type Proxy struct {
	From         []netip.Prefix // addresses that are believed
	UserHeader   string
	GroupsHeader string
	Separator    string // between two groups; empty: a comma
	Groups       []access.Mapping
	Guests       Guests
}

// Guests keeps the users whom a proxy signs in.
type Guests interface {
	// Proxied returns the viewer for a user with this role and these
	// conditions. secret is that of the session cookie, if any: in that session, an admin may view the pages as
	// another user. It returns a *access.RefusedError if the user is turned away.
	Proxied(ctx context.Context, who access.Identity, role access.Role, conditions []string,
		secret string, from access.Origin, at time.Time) (*access.Viewer, error)
	// RefuseSignIn records in the audit log that a user was turned away.
	RefuseSignIn(ctx context.Context, who access.Identity, reason string, from access.Origin, at time.Time) error
}

// longestGroups bounds the header of groups, in bytes.
const longestGroups = 16 << 10

// turnedAwayError says why a user whom the proxy names is turned away.
type turnedAwayError struct {
	status int
	name   string // of the user, empty if unknown
	reason string
}

// Error implements error.
func (e *turnedAwayError) Error() string { return e.reason }

// claims are the values of the user header; none if the peer is not a proxy that is believed about
// users.
func (g *Gate) claims(r *http.Request) []string {
	if g.Proxy == nil {
		return nil
	}
	at := peer(r)
	if !slices.ContainsFunc(g.Proxy.From, func(p netip.Prefix) bool { return p.Contains(at) }) {
		return nil
	}
	values := r.Header.Values(g.Proxy.UserHeader)
	if len(values) == 1 && values[0] == "" { // the proxy has signed no user in
		return nil
	}
	return values
}

// Named reports whether the proxy names the user. Sessions of other users are then ignored.
func (g *Gate) Named(r *http.Request) bool { return len(g.claims(r)) > 0 }

// identity is the user in the proxy's headers. Each header must be present once, in one line of text.
func (g *Gate) identity(r *http.Request, claims []string) (who access.Identity, err error) {
	unsound := func(name, what string) error {
		return &turnedAwayError{http.StatusBadRequest, "", "the proxy's header " + name + " " + what +
			": configure the proxy to drop the clients' header and to set it itself, once"}
	}
	subject := claims[0]
	switch {
	case len(claims) > 1 || strings.Contains(subject, ","): // servers in between may join two headers into one
		return who, unsound(g.Proxy.UserHeader, "has several values")
	case len(subject) > access.LongestSubject:
		return who, unsound(g.Proxy.UserHeader, "is too long")
	case !sound(subject):
		return who, unsound(g.Proxy.UserHeader, "is not a line of text")
	}
	who = access.Identity{Issuer: access.ProxyIssuer, Subject: subject, Name: access.Shown(subject)}
	if who.Name == "" {
		return who, unsound(g.Proxy.UserHeader, "has no visible characters")
	}
	groups := r.Header.Values(g.Proxy.GroupsHeader)
	if len(groups) == 0 { // no header is an error; an empty header means no groups
		return who, &turnedAwayError{http.StatusForbidden, who.Name, "the proxy does not send your groups: " +
			"ask its administrator to set the header " + g.Proxy.GroupsHeader}
	}
	switch {
	case len(groups) > 1:
		return who, unsound(g.Proxy.GroupsHeader, "has several values")
	case len(groups[0]) > longestGroups:
		return who, unsound(g.Proxy.GroupsHeader, "is too long")
	case !sound(groups[0]):
		return who, unsound(g.Proxy.GroupsHeader, "is not a line of text")
	}
	separator := g.Proxy.Separator
	if separator == "" {
		separator = ","
	}
	for group := range strings.SplitSeq(groups[0], separator) {
		if group = strings.TrimSpace(group); group != "" {
			who.Groups = append(who.Groups, group)
		}
	}
	return who, nil
}

// sound reports whether a header is one line of text.
func sound(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// proxied returns the viewer for a request in which the proxy names a user, or a *turnedAwayError
// if the user is turned away.
func (g *Gate) proxied(r *http.Request, claims []string) (*access.Viewer, error) {
	who, err := g.identity(r, claims)
	if err != nil {
		return nil, err
	}
	if !ofOurPages(r) {
		return nil, &turnedAwayError{http.StatusForbidden, who.Name,
			"the request came from another site or from a program: " +
				"open the page on this server; programs need a token"}
	}
	from := access.Origin{Address: g.Address(r), Agent: r.UserAgent()}
	role, conditions, err := access.GrantOf(g.Proxy.Groups, who.Groups)
	var v *access.Viewer
	if err == nil {
		v, err = g.Proxy.Guests.Proxied(r.Context(), who, role, conditions, g.SessionOf(r), from, g.Now())
	}
	refused, is := errors.AsType[*access.RefusedError](err)
	if !is {
		return v, err
	}
	if _, due := g.words.Due("not let in "+who.Subject, g.Now()); due { // at most one entry a minute, as in denied
		g.Log.WarnContext(r.Context(), "a user signed in by the proxy is turned away", "name", who.Name, "reason",
			refused.Reason)
		if err := g.Proxy.Guests.RefuseSignIn(r.Context(), who, refused.Reason, from, g.Now()); err != nil {
			return nil, err
		}
	}
	return nil, &turnedAwayError{http.StatusForbidden, who.Name, refused.Reason}
}

// ofOurPages reports whether a request comes from a page of this server or from a followed link. Browsers may
// send the proxy's cookie with requests from any site, so this check gives it the same limits
// as our own cookie (SameSite=Lax). Changes must also have a matching Origin or Sec-Fetch-Site, which every
// browser sends.
func ofOurPages(r *http.Request) bool {
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case site == "same-origin" || site == "none":
		return true
	case changes(r):
		origin, err := url.Parse(r.Header.Get("Origin"))
		return site == "" && err == nil && origin.Host != "" && origin.Host == r.Host
	case site == "cross-site":
		return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	}
	return true // same-site, or a browser that does not send Sec-Fetch-Site
}

// turnAway answers why a user is turned away.
func (g *Gate) turnAway(w http.ResponseWriter, r *http.Request, why *turnedAwayError) {
	if g.forPrograms(r) || g.stranger == nil {
		problem.Send(w, why.status, "not let in", why.reason)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	g.stranger(w, r, why.status, why.name, why.reason)
}
