package gate

import (
	"net/http"
	"time"
)

// Names of session cookies. The prefix __Host- binds the cookie to this host and to TLS. Without
// TLS, the cookie has another name, so that it cannot be used in place of the secure one.
const (
	secureCookie = "__Host-gpuledger"
	plainCookie  = "gpuledger-session"
)

func (g *Gate) cookieName(r *http.Request) string {
	if g.Secure(r) {
		return secureCookie
	}
	return plainCookie
}

// SessionOf is the secret of the request's session cookie, empty without one.
func (g *Gate) SessionOf(r *http.Request) string {
	c, err := r.Cookie(g.cookieName(r))
	if err != nil {
		return ""
	}
	return c.Value
}

// SetSession sets the session cookie for a time; an empty secret removes it.
func (g *Gate) SetSession(w http.ResponseWriter, r *http.Request, secret string, life time.Duration) {
	age := int(life / time.Second)
	if secret == "" {
		age = -1
	}
	//nolint:gosec // Secure only if the browser speaks TLS; otherwise the browser would drop the cookie
	http.SetCookie(w, &http.Cookie{
		Name: g.cookieName(r), Value: secret, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: g.Secure(r), SameSite: http.SameSiteLaxMode,
	})
}
