package gate

import (
	"net/http"
	"time"
)

// Cookies of sessions. With TLS the name binds the cookie to this very host and to
// TLS (__Host-); without, it has another name, so that none stands for the other.
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

// SessionOf is the secret of the session that a request shows, empty without one.
func (g *Gate) SessionOf(r *http.Request) string {
	c, err := r.Cookie(g.cookieName(r))
	if err != nil {
		return ""
	}
	return c.Value
}

// SetSession gives a browser a session for a while; an empty one takes it away.
func (g *Gate) SetSession(w http.ResponseWriter, r *http.Request, secret string, life time.Duration) {
	age := int(life / time.Second)
	if secret == "" {
		age = -1
	}
	//nolint:gosec // Secure wherever the browser speaks TLS; without, it would be lost
	http.SetCookie(w, &http.Cookie{
		Name: g.cookieName(r), Value: secret, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: g.Secure(r), SameSite: http.SameSiteLaxMode,
	})
}
