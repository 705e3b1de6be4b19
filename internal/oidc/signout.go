package oidc

import (
	"context"
	"net/url"
)

// EndSession is the address where the browser ends its session with the provider, which
// sends it back to path on this server; empty: the provider has no such page, or does
// not answer within quickTimeout. This server keeps no ID token to send along, so
// some providers ask the user to confirm the sign-out.
func (p *Provider) EndSession(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, quickTimeout)
	defer cancel()
	d, err := p.discover(ctx)
	if err != nil || d.endSession == "" {
		return "" // the user is signed out here; the next sign-in reports the error
	}
	to, err := url.Parse(d.endSession)
	if err != nil {
		return ""
	}
	back, err := url.Parse(p.cfg.RedirectURL)
	if err != nil {
		return ""
	}
	q := to.Query()
	q.Set("client_id", p.cfg.ClientID)
	q.Set("post_logout_redirect_uri", (&url.URL{Scheme: back.Scheme, Host: back.Host, Path: path}).String())
	to.RawQuery = q.Encode()
	return to.String()
}
