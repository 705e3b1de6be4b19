package googleapi

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// account writes the key of a service account whose tokens come from a test server.
func account(t *testing.T, tokens string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{"type": "service_account", "project_id": "p", "private_key_id": "k",
		"client_email": "reader@p.iam.gserviceaccount.com",
		"private_key":  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token_uri": tokens})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "key.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", name)
	t.Setenv("GOOGLE_CLOUD_QUOTA_PROJECT", "payer")
}

// TestTokensGoToTheServiceAlone: a service account's token and quota project are
// sent to the host that was named; a redirect elsewhere gets none.
func TestTokensGoToTheServiceAlone(t *testing.T) {
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"access_token":"secret","token_type":"Bearer","expires_in":3600}`)
	}))
	defer tokens.Close()
	var elsewhere http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		elsewhere = r.Header.Clone()
		fmt.Fprint(w, "{}")
	}))
	defer other.Close()
	var here http.Header
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		here = r.Header.Clone()
		if r.URL.Path == "/v1/away" {
			http.Redirect(w, r, other.URL, http.StatusFound)
			return
		}
		fmt.Fprint(w, `{"name":"x"}`)
	}))
	defer service.Close()
	account(t, tokens.URL)
	c := New(Options{Service: "storage", Scope: "read", Endpoint: service.URL + "/v1/"})
	var out struct{ Name string }
	if err := c.JSON(t.Context(), http.MethodGet, "/o", nil, nil, &out); err != nil || out.Name != "x" {
		t.Fatal(out, err)
	}
	if here.Get("Authorization") != "Bearer secret" || here.Get("X-Goog-User-Project") != "payer" {
		t.Errorf("the service gets %v", here)
	}
	if err := c.JSON(t.Context(), http.MethodGet, "/away", nil, nil, &out); err != nil {
		t.Fatal(err)
	}
	if elsewhere == nil || elsewhere.Get("Authorization") != "" {
		t.Errorf("another server gets %v", elsewhere)
	}
}

// TestRefusedAccountsAreNotTriedAgain: a revoked key stays revoked.
func TestRefusedAccountsAreNotTriedAgain(t *testing.T) {
	var asked atomic.Int64
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"invalid_grant"}`)
	}))
	defer tokens.Close()
	account(t, tokens.URL)
	c := New(Options{Service: "storage", Scope: "read", Endpoint: "http://127.0.0.1:1/"})
	err := c.JSON(t.Context(), http.MethodGet, "/o", nil, nil, new(any))
	if err == nil || !strings.Contains(err.Error(), "invalid_grant") || asked.Load() != 1 {
		t.Errorf("%v after %d tries", err, asked.Load())
	}
}

// TestTriesAgain: it retries while the service is busy, and finally returns the service's error.
func TestTriesAgain(t *testing.T) {
	var asked atomic.Int64
	refusals := []string{`{"error":{"message":"slow down","errors":[{"reason":"rateLimitExceeded"}]}}`, "busy"}
	codes := []int{http.StatusForbidden, http.StatusServiceUnavailable}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != `{"a":1}` {
			t.Errorf("a try sends %q %v", body, err)
		}
		n := asked.Add(1) - 1
		switch {
		case r.URL.Path == "/denied":
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"error":{"message":"no","errors":[{"reason":"accessDenied"}]}}`)
		case r.URL.Path == "/slow" || n < 2:
			w.WriteHeader(codes[n%2])
			fmt.Fprint(w, refusals[n%2])
		default:
			fmt.Fprint(w, `{"name":"x"}`)
		}
	}))
	defer server.Close()
	c := New(Options{Service: "storage", Endpoint: server.URL, Anonymous: true})
	c.options.firstWait = time.Millisecond
	for path, want := range map[string]struct {
		tries  int64
		code   int
		reason string
	}{"/o": {3, 0, ""}, "/denied": {1, http.StatusForbidden, "accessDenied"},
		"/slow": {4, http.StatusServiceUnavailable, ""}} {
		asked.Store(0)
		err := c.JSON(t.Context(), http.MethodPost, path, nil, map[string]int{"a": 1}, new(any))
		if Code(err) != want.code || asked.Load() != want.tries {
			t.Errorf("%s: %v after %d tries", path, err, asked.Load())
		}
		if e, ok := err.(*Error); ok && e.Reason != want.reason { //nolint:errorlint // as it is returned
			t.Errorf("%s: %+v", path, e)
		}
	}
}
