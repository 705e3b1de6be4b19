package optest

import (
	"encoding/json"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"

	"gpuledger/internal/access"
)

// LogoutToken is the provider's message when a user signs out: for a subject, a session, or both. The library makes its
// claims, and sends none itself. edit may change them.
func (p *Provider) LogoutToken(t testing.TB, subject, session string, edit func(claims map[string]any)) string {
	t.Helper()
	made := oidc.NewLogoutTokenClaims(p.Issuer, subject, oidc.Audience{ClientID}, time.Now().Add(2*time.Minute), //nolint:forbidigo // the library reads the clock as well
		access.NewSecret(), session, 0)
	text, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]any{}
	if err := json.Unmarshal(text, &claims); err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		edit(claims)
	}
	if text, err = json.Marshal(claims); err != nil {
		t.Fatal(err)
	}
	options := (&jose.SignerOptions{}).WithType("logout+jwt").WithHeader("kid", p.key().id)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: p.key().private}, options)
	if err != nil {
		t.Fatal(err)
	}
	signedText, err := signer.Sign(text)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signedText.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}
