package optest

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	jose "github.com/go-jose/go-jose/v4"
)

// Tokens that the provider itself would not issue: each is for Faults.Forge.

// Edited changes the claims of tokens and signs them as the provider does.
func (p *Provider) Edited(t testing.TB, edit func(claims map[string]any)) func(string) string {
	return func(token string) string { return signed(t, token, jose.RS256, p.key().private, p.key().id, edit) }
}

// SignedBefore signs tokens with the key in use before the last Rotate.
func (p *Provider) SignedBefore(t testing.TB) func(string) string {
	p.mu.Lock()
	k := p.keys[len(p.keys)-2]
	p.mu.Unlock()
	return func(token string) string { return signed(t, token, jose.RS256, k.private, k.id, nil) }
}

// SignedByAnother signs tokens with a key that is not the provider's, under the name of the provider's own.
func (p *Provider) SignedByAnother(t testing.TB) func(string) string {
	other := New(t, p.store.origin)
	return func(token string) string { return signed(t, token, jose.RS256, other.key().private, p.key().id, nil) }
}

// SignedBySecret signs tokens with a secret that the client knows as well.
func SignedBySecret(t testing.TB, secret string) func(string) string {
	return func(token string) string { return signed(t, token, jose.HS256, []byte(secret), "", nil) }
}

// Unsigned takes the signature off tokens, as "alg": "none" has it.
func Unsigned(token string) string {
	payload := strings.Split(token, ".")[1]
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + payload + "."
}

func signed(
	t testing.TB, token string, alg jose.SignatureAlgorithm, key any, id string, edit func(map[string]any),
) string {
	parsed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil {
		t.Error(err)
		return ""
	}
	payload := parsed.UnsafePayloadWithoutVerification()
	if edit != nil {
		claims := map[string]any{}
		if err := json.Unmarshal(payload, &claims); err != nil {
			t.Error(err)
			return ""
		}
		edit(claims)
		if payload, err = json.Marshal(claims); err != nil {
			t.Error(err)
			return ""
		}
	}
	options := &jose.SignerOptions{}
	if id != "" {
		options.WithHeader("kid", id)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, options)
	if err != nil {
		t.Error(err)
		return ""
	}
	made, err := signer.Sign(payload)
	if err != nil {
		t.Error(err)
		return ""
	}
	text, err := made.CompactSerialize()
	if err != nil {
		t.Error(err)
	}
	return text
}
