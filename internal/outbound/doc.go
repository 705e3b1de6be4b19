// Package outbound makes the HTTP clients that ask servers which somebody
// configured: query APIs, scrape targets, service discovery.
//
// It owns the check of where a name leads to, after it was resolved: never to
// link-local addresses (where clouds answer with credentials), multicast or
// nowhere. It refuses redirects to another host, from https to http, and those
// that would turn a question into another one. It guarantees limits on every
// wait and that errors name no credentials: URLs are shown without user and
// query.
package outbound
