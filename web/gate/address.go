package gate

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// peer is the address at the other end of the connection.
func peer(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap()
}

// trusted reports whether an address is one of the configured proxies.
func (g *Gate) trusted(at netip.Addr) bool {
	return slices.ContainsFunc(g.Proxies, func(p netip.Prefix) bool { return p.Contains(at) })
}

// Address is the client's address: the peer, or, behind configured proxies, the address that
// they forward, from the nearest hop outwards. Headers of other peers are ignored.
func (g *Gate) Address(r *http.Request) string {
	at := peer(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && g.trusted(at); i-- {
		before, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		at = before.Unmap()
	}
	return at.String()
}

// network is the part of an address that identifies a client: the first 64 bits of IPv6, all of IPv4.
func network(address string) string {
	at, err := netip.ParseAddr(address)
	if err != nil || !at.Is6() {
		return address
	}
	whole, err := at.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return whole.String()
}

// passedOn are headers, in addition to X-Forwarded-…, with which proxies name the client.
var passedOn = []string{"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip",
	"X-Original-Forwarded-For",
	"X-Envoy-External-Address", "True-Client-Ip", "Cf-Connecting-Ip", "Fastly-Client-Ip"}

// local reports whether a request comes directly from this machine: it has no header of
// a proxy, its Host names this machine, its peer is a loopback address but no configured proxy, and
// it is not HTTP/1.0, which proxies use that set no headers.
func (g *Gate) local(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded") || slices.Contains(passedOn, name) {
			return false
		}
	}
	at := peer(r)
	return at.IsLoopback() && !g.trusted(at) && r.ProtoAtLeast(1, 1) && loopbackHost(r.Host)
}

// loopbackHost reports whether a Host header names this machine for itself.
func loopbackHost(host string) bool {
	name := strings.ToLower(hostname(host))
	at, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && at.Unmap().IsLoopback()
}

// Secure reports whether the browser speaks TLS, to this server or to a configured proxy.
func (g *Gate) Secure(r *http.Request) bool {
	return r.TLS != nil || g.trusted(peer(r)) && r.Header.Get("X-Forwarded-Proto") == "https"
}
