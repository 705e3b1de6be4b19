package endpoints

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// Guard requires the token as a bearer token; with an empty token, every request passes.
func Guard(token string, next http.Handler) http.Handler {
	if token == "" {
		return next
	}
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		scheme, shown, _ := strings.Cut(q.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(strings.TrimSpace(shown)))
		if !strings.EqualFold(scheme, "bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="gpuledger"`)
			http.Error(w, "send the token as Authorization: Bearer …", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, q)
	})
}
