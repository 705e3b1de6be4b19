package oidc_test

import (
	"strings"
	"testing"
	"time"

	"gpuledger/test/optest"
)

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

func TestALogoutTokenIsRead(t *testing.T) {
	op, p, _ := start(t, nil)
	for _, c := range [][2]string{{"u-1", ""}, {"", "s-1"}, {"u-1", "s-1"}} {
		l, err := p.Logout(t.Context(), op.LogoutToken(t, c[0], c[1], nil))
		if err != nil || l.Issuer != op.Issuer || l.Subject != c[0] || l.Session != c[1] || len(l.ID) != 43 ||
			time.Until(l.Until) > 5*time.Minute {
			t.Errorf("%v is read as %+v: %v", c, l, err)
		}
	}
	op.SignsIn(with(func(c map[string]any) { c["sid"] = "s-7" }))
	r, answer := signIn(t, p)
	if who, err := p.Finish(t.Context(), r, answer); err != nil || who.Session != "s-7" {
		t.Errorf("who signs in is %+v: %v", who, err)
	}
}

// A client without these checks would accept each of the tokens, some of which are ID tokens, and sign a
// user out.
func TestLogoutTokensThatProveNothing(t *testing.T) {
	op, p, c := start(t, nil)
	edited := func(edit func(map[string]any)) string { return op.LogoutToken(t, "u-1", "s-1", edit) }
	set := func(name string, value any) string { return edited(func(c map[string]any) { c[name] = value }) }
	without := func(name string) string { return edited(func(c map[string]any) { delete(c, name) }) }
	now := time.Now()
	good := op.LogoutToken(t, "u-1", "", nil)
	for name, x := range map[string]struct{ token, says string }{
		"nothing":          {"", "1 to"},
		"no token":         {"x", "malformed"},
		"too long":         {strings.Repeat("x", 17<<10), "1 to"},
		"another issuer":   {set("iss", "https://evil.example"), "different provider"},
		"another audience": {set("aud", []string{"other"}), "audience"},
		"no audience":      {without("aud"), "audience"},
		"a nonce":          {set("nonce", "n"), "nonce"},
		"an empty nonce":   {set("nonce", ""), "nonce"},
		"no events":        {without("events"), "event"},
		"another event":    {set("events", map[string]any{"https://evil.example": map[string]any{}}), "event"},
		"an event of text": {set("events", map[string]any{logoutEvent: "x"}), "event is not an object"},
		"no jti":           {without("jti"), "jti"},
		"nobody":           {edited(func(c map[string]any) { delete(c, "sub"); delete(c, "sid") }), "sub"},
		"no exp":           {without("exp"), "exp"},
		"no iat":           {without("iat"), "too long ago"},
		"expired":          {set("exp", now.Add(-2*time.Minute).Unix()), "expired"},
		"of the future":    {set("iat", now.Add(5*time.Minute).Unix()), "one of the clocks"},
		"issued long ago": {
			edited(func(c map[string]any) { c["iat"], c["exp"] = now.Add(-time.Hour).Unix(), now.Add(time.Hour).Unix() }),
			"too long ago",
		},
		"a long subject":     {set("sub", strings.Repeat("x", 256)), "subject"},
		"unsigned":           {optest.Unsigned(good), "none"},
		"signed by a secret": {optest.SignedBySecret(t, strings.Repeat(optest.Secret, 3))(good), "HS256"},
		"signed by another":  {op.SignedByAnother(t)(good), "verify"},
	} {
		c.ahead += 3 * time.Second // the keys may be fetched again
		if l, err := p.Logout(t.Context(), x.token); !says(err, x.says) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
	c.ahead = 0
	if _, err := p.Logout(t.Context(), good); err != nil {
		t.Errorf("the token itself: %v", err)
	}
}

// Tokens with unknown keys do not cause a fetch each, and new keys are still found.
func TestLogoutTokensDoNotFloodTheProvider(t *testing.T) {
	op, p, c := start(t, nil)
	forged := op.SignedByAnother(t)(op.LogoutToken(t, "u-1", "", nil))
	for range 20 {
		if _, err := p.Logout(t.Context(), forged); err == nil {
			t.Fatal("a forged token counts")
		}
	}
	if n := op.Asked("/keys"); n != 1 {
		t.Errorf("the provider is asked %d times", n)
	}
	if _, err := p.Logout(t.Context(), op.LogoutToken(t, "u-1", "", nil)); err != nil {
		c.ahead = 3 * time.Second
		if _, err := p.Logout(t.Context(), op.LogoutToken(t, "u-1", "", nil)); err != nil {
			t.Errorf("a good one among them: %v", err)
		}
	}
	op.Rotate(t)
	c.ahead += 3 * time.Second
	if _, err := p.Logout(t.Context(), op.LogoutToken(t, "u-1", "", nil)); err != nil {
		t.Errorf("by the new key: %v", err)
	}
}
