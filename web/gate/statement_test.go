package gate_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/web/gate"
)

// Each access to a statement is recorded before the statement is sent. While the record fails, no statement
// is sent.
func TestStatementAccessIsRecorded(t *testing.T) {
	k := &kept{sessions: map[string]*access.Viewer{
		"analyst": {Kind: access.BySession, ID: "1", Name: "ana", Role: access.RoleAnalyst},
		"lead":    {Kind: access.BySession, ID: "2", Name: "lea", Role: access.RoleTeamLead, Scope: "s"},
	}}
	g := gate.New(gate.Options{Keeper: k, Now: func() time.Time { return time.Unix(1_793_577_600, 0) }})
	r := chi.NewRouter()
	r.Use(g.Check(r))
	for _, path := range []string{"/statement", "/api/v1/{dataset}", "/odata/v4/{dataset}", "/fleet"} {
		r.Get(path, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	}
	ask := func(secret, path string) int {
		q := httptest.NewRequest(http.MethodGet, path, nil)
		q.AddCookie(&http.Cookie{Name: "gpuledger-session", Value: secret})
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		return w.Code
	}
	page := "/statement?account=1&period=2026-10"
	for _, path := range []string{
		page, page, "/api/v1/statement_lines?format=csv",
		"/api/v1/costs?statement=1/2026-10", "/api/v1/costs?group_by=team", "/fleet",
		"/odata/v4/statement_lines", "/odata/v4/costs?statement=1/2026-10", "/odata/v4/costs",
	} {
		if got := ask("analyst", path); got != http.StatusNoContent {
			t.Errorf("%s is %d", path, got)
		}
	}
	if got := ask("lead", "/statement?owner=team=speech"); got != http.StatusNoContent {
		t.Errorf("a lead gets %d", got)
	}
	want := []string{
		"ana " + page, "ana " + page, "ana /api/v1/statement_lines?format=csv", "ana /api/v1/costs?statement=1/2026-10",
		"ana /odata/v4/statement_lines", "ana /odata/v4/costs?statement=1/2026-10", "lea /statement?owner=team=speech",
	}
	if !slices.Equal(k.saw, want) {
		t.Errorf("kept is %q, want %q", k.saw, want)
	}
	k.broken = errors.New("the database is away")
	for range 2 {
		if ask("analyst", page) != http.StatusInternalServerError {
			t.Error("a statement is shown to somebody who is not written down")
		}
	}
	if k.broken = nil; ask("analyst", page+"&x="+strings.Repeat("y", 5000)) != http.StatusNoContent ||
		len(k.saw[len(k.saw)-1]) > 520 {
		t.Error("a long address is kept whole")
	}
}
