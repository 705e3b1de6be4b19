package people_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gpuledger/test/optest"
)

// logout sends a provider's logout request to a server.
func (h *house) logout(t *testing.T, form url.Values) (status int) {
	t.Helper()
	resp, err := http.PostForm(h.url+"/login/oidc/logout", form)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s may be cached: %q", resp.Status, resp.Header.Get("Cache-Control"))
	}
	return resp.StatusCode
}

// TestSigningOutAtTheProviderEndsSessionsHere, with a token that is valid once.
func TestSigningOutAtTheProviderEndsSessionsHere(t *testing.T) {
	h := open(t)
	session := func(id string) *browser {
		t.Helper()
		u := carla("speech")
		u.Claims["sid"] = id
		h.op.SignsIn(u)
		b := newBrowser(t)
		if b.get(h.url + "/login/oidc"); !b.in(h) {
			t.Fatal("she is not signed in")
		}
		return b
	}
	here, there := session("s-1"), session("s-2")
	token := h.op.LogoutToken(t, "u-1", "s-1", nil)
	if status := h.logout(t, url.Values{"logout_token": {token}}); status != http.StatusOK || here.in(h) || !there.in(h) {
		t.Errorf("logout of one session: %d, %v, %v", status, here.in(h), there.in(h))
	}
	here = session("s-1")
	if status := h.logout(t, url.Values{"logout_token": {token}}); status != http.StatusBadRequest || !here.in(h) {
		t.Errorf("the same token again: %d", status)
	}
	for name, form := range map[string]url.Values{
		"nothing": {}, "no token": {"logout_token": {"x"}},
		"two":        {"logout_token": {h.op.LogoutToken(t, "u-1", "", nil), "x"}},
		"unsigned":   {"logout_token": {optest.Unsigned(h.op.LogoutToken(t, "u-1", "", nil))}},
		"of another": {"logout_token": {h.op.LogoutToken(t, "u-1", "", func(c map[string]any) { c["aud"] = "another" })}},
		"too much":   {"logout_token": {strings.Repeat("x", 40<<10)}},
	} {
		if status := h.logout(t, form); status != http.StatusBadRequest || !here.in(h) || !there.in(h) {
			t.Errorf("%s: %d", name, status)
		}
	}
	if status := h.logout(t, url.Values{"logout_token": {h.op.LogoutToken(t, "u-1", "", nil)}}); status != http.StatusOK ||
		here.in(h) || there.in(h) {
		t.Errorf("logout of all sessions: %d", status)
	}
	if strings.Contains(h.log.String(), token) {
		t.Error("the log contains a token")
	}
	h.op.Misbehave(optest.Faults{Down: true})
	h.ahead = 90 * time.Minute // the cached discovery document has expired
	if status := h.logout(t, url.Values{"logout_token": {token}}); status != http.StatusServiceUnavailable {
		t.Errorf("while the provider is down: %d", status)
	}
}
