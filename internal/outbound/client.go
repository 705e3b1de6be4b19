package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
	"time"
)

// TLS is the certificates that a client trusts. The zero value trusts the system's roots.
type TLS struct {
	CAFile   string // PEM; replaces the system's roots
	Insecure bool   // any certificate is trusted
	Name     string // the server's name, if it is not that of the URL
}

// Bounds of one connection.
const (
	dialTimeout  = 10 * time.Second
	idleTimeout  = 90 * time.Second
	idlePerHost  = 4
	maxRedirects = 5
)

// ErrRefused is the error of the address check.
var ErrRefused = errors.New("refused to connect")

// New makes a client. timeout bounds a whole exchange, the body included; 0
// leaves that to the context of the request. An error names the CA file.
func New(trust TLS, timeout time.Duration) (*http.Client, error) {
	conf := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: trust.Name, InsecureSkipVerify: trust.Insecure} //nolint:gosec // as configured
	if trust.CAFile != "" {
		pem, err := os.ReadFile(trust.CAFile)
		if err != nil {
			return nil, fmt.Errorf("ca file: %w", err)
		}
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("ca file %s: it holds no certificate in PEM", trust.CAFile)
		}
	}
	dialer := &net.Dialer{
		Timeout: dialTimeout, Control: func(_, address string, _ syscall.RawConn) error { return allowed(address) },
	}
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			TLSClientConfig: conf, TLSHandshakeTimeout: dialTimeout,
			IdleConnTimeout: idleTimeout, MaxIdleConnsPerHost: idlePerHost},
		CheckRedirect: stay,
	}, nil
}

// allowed checks the address after name resolution.
func allowed(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address %s: %w", address, err)
	}
	if ip := ap.Addr().Unmap().WithZone(""); ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified() {
		return fmt.Errorf("%w to %s: link-local and multicast addresses are not allowed", ErrRefused, ip)
	}
	return nil
}

func stay(to *http.Request, via []*http.Request) error {
	from := via[0]
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case to.URL.Host != from.URL.Host || from.URL.Scheme == "https" && to.URL.Scheme != "https":
		return fmt.Errorf("it redirects to %s://%s: name that address instead", to.URL.Scheme, to.URL.Host)
	case to.Method != from.Method:
		return fmt.Errorf("it redirects a %s to a %s of %s: name that address instead", from.Method, to.Method, to.URL.Path)
	}
	return nil
}

// Plain drops the URL that net/http repeats in its errors: it may hold
// credentials.
func Plain(err error) error {
	if ue := (*url.Error)(nil); errors.As(err, &ue) {
		return ue.Err
	}
	return err
}

// Show is a URL without user and query.
func Show(u *url.URL) string {
	c := *u
	c.User, c.RawQuery, c.Fragment = nil, "", ""
	return c.String()
}
