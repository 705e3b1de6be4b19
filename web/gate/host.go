package gate

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Hosts refuses requests for host names that are not this server's. Otherwise a page of another
// name that resolves to this server (DNS rebinding) could read what the server sends to a browser on
// the same machine. IP addresses and localhost are always allowed. Names are compared
// without case.
func Hosts(names []string) func(http.Handler) http.Handler {
	var known []string
	for _, n := range names {
		known = append(known, strings.ToLower(n))
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name := strings.ToLower(hostname(r.Host))
			if _, err := netip.ParseAddr(name); err != nil && name != "localhost" && !slices.Contains(known, name) {
				w.Header().Set("Content-Type", "text/plain; charset=utf-8")
				w.Header().Set("Cache-Control", "no-store")
				w.WriteHeader(http.StatusMisdirectedRequest)
				// A failed write means that the client has gone.
				_, _ = fmt.Fprintln(w, "this server does not answer to that host name: start it with --host and the name")
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// hostname is a host without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
