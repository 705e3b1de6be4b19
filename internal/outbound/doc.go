// Package outbound makes the HTTP clients for servers from the configuration: query APIs, scrape targets, service
// discovery.
//
// It owns the check of the address that a name resolves to: link-local (where clouds serve credentials), multicast and
// unspecified addresses are refused. So are redirects to another host, from https to http, and those that would change
// the request. It guarantees limits on every wait and that errors contain no credentials: URLs are shown without user
// and query.
package outbound
