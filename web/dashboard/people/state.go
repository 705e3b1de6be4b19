package people

import (
	"net/http"
	"time"

	"gpuledger/internal/access"
)

// Cookies of sign-ins at a provider, named as those of sessions are (web/gate).
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

// stateOf is the state of the sign-in that a browser began, empty without one.
func (d *room) stateOf(r *http.Request) string {
	c, err := r.Cookie(d.stateCookie(r))
	if err != nil {
		return ""
	}
	return c.Value
}

// setState lets a browser know that it began a sign-in; an empty state ends that. The
// cookie is Lax, since it has to come along from the provider's site.
func (d *room) setState(w http.ResponseWriter, r *http.Request, state string) {
	age := int(access.SignInLife / time.Second)
	if state == "" {
		age = -1
	}
	//nolint:gosec // Secure wherever the browser speaks TLS; without, it would be lost
	http.SetCookie(w, &http.Cookie{Name: d.stateCookie(r), Value: state, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: d.Gate.Secure(r), SameSite: http.SameSiteLaxMode})
}
