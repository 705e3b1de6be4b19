package problem

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		send   func(w http.ResponseWriter)
		status int
		want   map[string]any
	}{
		{func(w http.ResponseWriter) { Send(w, http.StatusUnauthorized, "not signed in", `send a "token"`) }, 401,
			map[string]any{"type": "urn:gpuledger:problem:not-signed-in", "title": "not signed in", "status": 401.0,
				"detail": `send a "token"`}},
		{func(w http.ResponseWriter) { Of(w, http.StatusBadRequest, "refused", "twice", "Idempotency-Key") }, 400,
			map[string]any{"type": "urn:gpuledger:problem:refused", "title": "refused", "status": 400.0, "detail": "twice",
				"parameter": "Idempotency-Key"}},
	} {
		w := httptest.NewRecorder()
		c.send(w)
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", w.Body, err, c.want)
		}
		if w.Code != c.status || w.Header().Get("Content-Type") != "application/problem+json" ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%d, %v", w.Code, w.Header())
		}
	}
}

// Addresses of OData get errors in its form, all others problem details.
func TestTheFormFollowsTheAddress(t *testing.T) {
	for path, want := range map[string]string{
		"/odata/v4/costs": `{"error":{"code":"not-signed-in","message":"send a token"}}`,
		"/api/v1/costs": `{"type":"urn:gpuledger:problem:not-signed-in","title":"not signed in","status":401,` +
			`"detail":"send a token"}`,
	} {
		w := httptest.NewRecorder()
		Answer(w, httptest.NewRequest(http.MethodGet, path, nil), http.StatusUnauthorized, "not signed in", "send a token")
		if got := strings.TrimSpace(w.Body.String()); got != want || w.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", path, w.Code, got)
		}
	}
}
