package outbound

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestClientsRefuseForbiddenAddressesAndRedirects(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/inside":
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		case "/outside":
			http.Redirect(w, r, strings.Replace(server.URL, "127.0.0.1", "localhost", 1), http.StatusFound)
		case "/other":
			http.Redirect(w, r, "/there", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusTemporaryRedirect)
		}
	}))
	defer server.Close()
	c, err := New(TLS{}, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		"/there": "", "/inside": "", "/outside": "redirects to http://localhost",
		"/other": "a POST to a GET", "/loop": "more than 5",
	} {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(q)
		if err == nil {
			_ = resp.Body.Close()
		}
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, address := range []string{
		"169.254.169.254:80", "[fe80::1%lo]:80", "[::ffff:169.254.169.254]:80", "224.0.0.1:80", "0.0.0.0:80", "nonsense",
	} {
		if allowed(address) == nil {
			t.Errorf("%s is let through", address)
		}
	}
	if err := allowed("10.0.0.1:9090"); err != nil {
		t.Error(err)
	}
	resp, err := c.Get("http://169.254.169.254/latest/meta-data")
	if err == nil {
		err = resp.Body.Close()
	}
	if !errors.Is(err, ErrRefused) {
		t.Errorf("the address of credentials: %v", err)
	}
}

func TestTrust(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.pem")
	if err := os.WriteFile(bad, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, trust := range []TLS{{CAFile: filepath.Join(dir, "none")}, {CAFile: bad}} {
		if _, err := New(trust, 0); err == nil || !strings.Contains(err.Error(), "ca file") {
			t.Errorf("%+v: %v", trust, err)
		}
	}
	for _, c := range []struct {
		trust TLS
		fine  bool
	}{{TLS{}, false}, {TLS{Insecure: true}, true}} {
		client, err := New(c.trust, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Get(server.URL)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err == nil) != c.fine {
			t.Errorf("%+v: %v", c.trust, err)
		}
	}
}

func TestRetryAfterShowAndPlain(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-7": 0, "soon": 0, "999999999": 24 * time.Hour,
		"Fri, 20 Nov 2026 12:01:00 GMT": time.Minute, "Fri, 20 Nov 2020 12:01:00 GMT": 0,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	u, err := url.Parse("https://me:secret@host:1/path?key=secret#x")
	if err != nil {
		t.Fatal(err)
	}
	if got := Show(u); got != "https://host:1/path" {
		t.Error(got)
	}
	if err := Plain(&url.Error{
		Op: "Get", URL: "https://me:secret@host", Err: ErrRefused,
	}); strings.Contains(err.Error(), "secret") || !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
}
