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

// odataPrefix begins the addresses that answer errors as OData does.
const odataPrefix = "/odata/"

// Answer is Send in the form that clients of the address expect.
func Answer(w http.ResponseWriter, r *http.Request, status int, title, detail string) {
	if strings.HasPrefix(r.URL.Path, odataPrefix) {
		OData(w, status, title, detail, "")
		return
	}
	Send(w, status, title, detail)
}

// OData answers an error of OData. Its code is the title with dashes; target is the query option at fault, if any.
func OData(w http.ResponseWriter, status int, title, detail, target string) {
	type fault struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Target  string `json:"target,omitempty"`
	}
	h := w.Header()
	h.Set("Content-Type", "application/json;odata.metadata=minimal;charset=utf-8")
	h.Set("Odata-Version", "4.0")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// Texts always encode; a failed write means that the client has gone.
	_ = json.NewEncoder(w).Encode(map[string]fault{"error": {strings.ReplaceAll(title, " ", "-"), detail, target}})
}

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
