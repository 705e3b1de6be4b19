package problem

import (
	"encoding/json"
	"net/http"
	"strings"
)

// types begins the type of a problem.
const types = "urn:gpuledger:problem:"

// Type is the type of the problems with a title.
func Type(title string) string { return types + strings.ReplaceAll(title, " ", "-") }

// Send answers a problem. Further headers, such as Retry-After, must be set before.
func Send(w http.ResponseWriter, status int, title, detail string) { Of(w, status, title, detail, "") }

// Of answers a problem of a parameter or header.
func Of(w http.ResponseWriter, status int, title, detail, parameter string) {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// Texts and numbers always encode; a failed write means that the client has gone.
	_ = json.NewEncoder(w).Encode(struct {
		Type      string `json:"type"`
		Title     string `json:"title"`
		Status    int    `json:"status"`
		Detail    string `json:"detail"`
		Parameter string `json:"parameter,omitempty"`
	}{Type(title), title, status, detail, parameter})
}
