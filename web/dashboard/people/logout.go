package people

import (
	"encoding/json"
	"errors"
	"net/http"

	"gpuledger/internal/access"
	"gpuledger/internal/oidc"
)

// longestLogout bounds a provider's logout request, in bytes.
const longestLogout = 32 << 10

// signedOutElsewhere ends the sessions of a user who signed out at the provider, which sends
// a token (OpenID Connect Back-Channel Logout 1.0). It succeeds if there are no sessions.
func (d *room) signedOutElsewhere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if d.OIDC == nil {
		noLogout(w, http.StatusNotFound, "no sign-in provider is configured")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, longestLogout)
	if err := r.ParseForm(); err != nil {
		noLogout(w, http.StatusBadRequest, "the form could not be read")
		return
	}
	if len(r.PostForm["logout_token"]) != 1 {
		noLogout(w, http.StatusBadRequest, "send logout_token once, as a form")
		return
	}
	told, err := d.OIDC.Provider.Logout(r.Context(), r.PostForm.Get("logout_token"))
	if away, is := errors.AsType[*oidc.Error](err); is {
		d.Log.ErrorContext(r.Context(), "logout token could not be checked",
			"issuer", d.OIDC.Provider.Issuer(), "error", away)
		w.Header().Set("Retry-After", "5")
		noLogout(w, http.StatusServiceUnavailable, away.Sentence)
		return
	}
	if err == nil {
		err = d.OIDC.Guests.Logout(r.Context(), told, d.Options.Now())
		if _, before := errors.AsType[*access.RefusedError](err); err != nil && !before {
			d.failed(w, r, err)
			return
		}
	}
	if err != nil {
		d.Log.WarnContext(r.Context(), "logout token refused", "issuer", d.OIDC.Provider.Issuer(), "error", err)
		noLogout(w, http.StatusBadRequest, "the token is not valid; the server's log has the reason")
		return
	}
	w.WriteHeader(http.StatusOK)
}

// noLogout sends an error response in OAuth's format.
func noLogout(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A failed write means that the client is gone.
	_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_request", "error_description": why})
}
