package people

import (
	"net/http"
	"time"

	"gpuledger/internal/access"
)

// Cookies of sign-ins at a provider, named like session cookies (web/gate).
const (
	secureState = "__Host-gpuledger-signin"
	plainState  = "gpuledger-signin"
)

func (d *room) stateCookie(r *http.Request) string {
	if d.Gate.Secure(r) {
		return secureState
	}
	return plainState
}

// stateOf is the state of the sign-in that the browser began, or empty.
func (d *room) stateOf(r *http.Request) string {
	c, err := r.Cookie(d.stateCookie(r))
	if err != nil {
		return ""
	}
	return c.Value
}

// setState stores the state of a sign-in in the browser; an empty state removes it. The
// cookie is Lax, because browsers must send it when they come from the provider's site.
func (d *room) setState(w http.ResponseWriter, r *http.Request, state string) {
	age := int(access.SignInLife / time.Second)
	if state == "" {
		age = -1
	}
	//nolint:gosec // Secure if the browser uses TLS; without TLS a Secure cookie would be lost
	http.SetCookie(w, &http.Cookie{Name: d.stateCookie(r), Value: state, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: d.Gate.Secure(r), SameSite: http.SameSiteLaxMode})
}
