package gate_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"gpuledger/web/gate"
)

// The client's address is the peer or, behind named proxies, the address that they forward. Forwarding
// headers from other peers change nothing, in any spelling.
func TestForwardedAddressesAreBelievedOfNamedProxiesAlone(t *testing.T) {
	g := gate.New(gate.Options{
		Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32")},
	})
	for _, c := range []struct {
		peer      string
		forwarded []string
		proto     string
		want      string
		secure    bool
	}{
		{"192.0.2.1:5", nil, "", "192.0.2.1", false},
		{"192.0.2.1:5", []string{"198.51.100.7"}, "https", "192.0.2.1", false},
		{"192.0.2.1:5", []string{"10.0.0.1"}, "https", "192.0.2.1", false},
		{"[::ffff:192.0.2.1]:5", []string{"198.51.100.7"}, "", "192.0.2.1", false},
		{"10.0.0.1:5", []string{"198.51.100.7"}, "https", "198.51.100.7", true},
		{"10.0.0.1:5", []string{"198.51.100.7"}, "http", "198.51.100.7", false},
		{"10.0.0.1:5", nil, "https", "10.0.0.1", true},
		{"[2001:db8::1]:5", []string{"198.51.100.7"}, "https", "198.51.100.7", true},
		// The client wrote the first address, our proxies the others: the last one that is not a proxy counts.
		{"10.0.0.1:5", []string{"203.0.113.9, 198.51.100.7"}, "", "198.51.100.7", false},
		{"10.0.0.1:5", []string{"203.0.113.9", "198.51.100.7, 10.0.0.2"}, "", "198.51.100.7", false},
		{"10.0.0.1:5", []string{"10.0.0.3, 10.0.0.2"}, "", "10.0.0.3", false},
		{"10.0.0.1:5", []string{"198.51.100.7, unknown"}, "", "10.0.0.1", false},
		{"10.0.0.1:5", []string{"203.0.113.9, x, 10.0.0.2"}, "", "10.0.0.2", false},
		{"10.0.0.1:5", []string{""}, "", "10.0.0.1", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		r.Header["X-Forwarded-For"] = c.forwarded
		r.Header.Set("X-Forwarded-Proto", c.proto)
		r.Header.Set("X-Real-Ip", "203.0.113.1")
		r.Header.Set("Forwarded", "for=203.0.113.1;proto=https")
		if got := g.Address(r); got != c.want {
			t.Errorf("%s with %q comes from %s, want %s", c.peer, c.forwarded, got, c.want)
		}
		if got := g.Secure(r); got != c.secure {
			t.Errorf("%s with %s speaks TLS: %v", c.peer, c.proto, got)
		}
	}
}
