package gate_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"gpuledger/web/gate"
)

func TestBearer(t *testing.T) {
	for header, want := range map[string]string{"": "", "Bearer x": "x", "bearer  x ": "x", "Basic x": "", "Bearer": ""} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Authorization", header)
		if got := gate.Bearer(r); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}
