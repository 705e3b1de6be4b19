package optest

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zitadel/oidc/v3/pkg/op"
)

// The provider's data on its one client.
const (
	ClientID = "gpuledger"
	Secret   = "a secret of tests"
)

// User is a person with an account at the provider.
type User struct {
	Subject string
	Claims  map[string]any // that ID tokens carry in addition to those of the protocol
}

// Faults are ways to misbehave. The zero value is good behaviour.
type Faults struct {
	Issuer   string                    // of tokens
	Nonce    string                    // of tokens
	Lifetime time.Duration             // of tokens; 0: 5 minutes
	Ahead    time.Duration             // of the provider's clock
	Forge    func(token string) string // replaces a token
	Down     bool                      // every request is answered by 503
}

// Provider is an OpenID provider on a port of this machine. A sign-in request succeeds at once, as the user that the
// test set.
type Provider struct {
	Issuer string

	mu      sync.Mutex
	user    User
	faults  Faults
	keys    []key // the newest last
	store   *storage
	handler http.Handler
	asked   map[string]int
}

// New starts a provider for a client at origin, such as http://127.0.0.1:8080. It ends with the test.
func New(t testing.TB, origin string) *Provider {
	t.Helper()
	p := &Provider{asked: map[string]int{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.Issuer = server.URL
	p.store = &storage{p: p, origin: origin, requests: map[string]*request{}, codes: map[string]string{}}
	p.Rotate(t)
	made, err := op.NewProvider(&op.Config{CodeMethodS256: true, AuthMethodPost: true}, p.store, p.issuer,
		op.WithAllowInsecure())
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		id := r.URL.Query().Get("id")
		p.store.signIn(id)
		http.Redirect(w, r, p.Issuer+"/authorize/callback?id="+id, http.StatusFound) //nolint:gosec // to itself
	})
	mux.Handle("/", made)
	p.mu.Lock()
	p.handler = mux
	p.mu.Unlock()
	return p
}

// SignsIn sets the user of later sign-ins.
func (p *Provider) SignsIn(u User) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.user = u
}

// Misbehave sets how the provider misbehaves from now on.
func (p *Provider) Misbehave(f Faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = f
}

func (p *Provider) now() (User, Faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.user, p.faults
}

// Rotate gives the provider another key; the one it had is gone.
func (p *Provider) Rotate(t testing.TB) {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = append(p.keys, key{"key-" + strconv.Itoa(len(p.keys)+1), private})
}

func (p *Provider) key() key {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keys[len(p.keys)-1]
}

// Asked is how often a path was requested.
func (p *Provider) Asked(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// ServeHTTP implements http.Handler.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked[r.URL.Path]++
	h, f := p.handler, p.faults
	p.mu.Unlock()
	switch {
	case f.Down:
		http.Error(w, "not now", http.StatusServiceUnavailable)
	case f.Forge != nil && r.URL.Path == exchangePath:
		forge(w, r, h, f.Forge)
	default:
		h.ServeHTTP(w, r)
	}
}

const exchangePath = "/oauth/token"

// forge replaces the ID token in an answer.
func forge(w http.ResponseWriter, r *http.Request, h http.Handler, with func(string) string) {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	body := rec.Body.String()
	var says map[string]any
	if json.Unmarshal(rec.Body.Bytes(), &says) == nil {
		if token, ok := says["id_token"].(string); ok {
			body = strings.ReplaceAll(body, token, with(token))
		}
	}
	w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
	w.WriteHeader(rec.Code)
	// A failed write means that the reader has gone; the error has no other reader.
	_, _ = io.WriteString(w, body)
}

// issuer is the name of the provider, for itself and in tokens.
func (p *Provider) issuer(bool) (op.IssuerFromRequest, error) {
	return func(r *http.Request) string {
		if _, f := p.now(); f.Issuer != "" && r.URL.Path == exchangePath {
			return f.Issuer
		}
		return p.Issuer
	}, nil
}
