package googleapi

import (
	"net/http"

	"cloud.google.com/go/auth"
)

// bearer adds a token to requests to one host only: a redirect to another host gets none.
type bearer struct {
	tokens auth.TokenProvider
	quota  string // project that requests count for; may be empty
	host   string
	next   http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != b.host {
		return b.next.RoundTrip(r)
	}
	token, err := b.tokens.Token(r.Context())
	if err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // RoundTrip must close the body
		}
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token.Value)
	if b.quota != "" {
		r.Header.Set("X-Goog-User-Project", b.quota)
	}
	return b.next.RoundTrip(r)
}
