package page

import "testing"

func TestAuditDetail(t *testing.T) {
	for text, want := range map[string]string{
		"{}":       "",
		"not JSON": "not JSON",
		`{"version":2,"digest":"0123456789abcdef","lines":3,"from":{"state":"open","version":1},"to":{"state":"closed","version":2}}`:                           "open → closed; version 2; sha256 0123456789ab",
		`{"version":1,"reason":"late bill","asked_by":"ada","confirmed_by":"bob","from":{"state":"closed","version":1},"to":{"state":"open"}}`:                  "closed → open; version 1; requested by ada; confirmed by bob; “late bill”",
		`{"document_sha256":"ab","from":{"idle":"lt10pct-15min","version":"default-1"},"to":{"idle":"lt5pct-2h-mean","version":"x"},"valid_from":"2026-11-01"}`: "idle: lt10pct-15min → lt5pct-2h-mean; version: default-1 → x; from 2026-11-01",
		`{"kind":"shape","subject":"x","from":"open","to":"done","note":"n"}`:                                                                                   "open → done",
		`{"role":"analyst","from":{"role":"team_lead","scope":["team = 'speech'"]},"to":{"role":"analyst"}}`:                                                    "role: team_lead → analyst; scope: team = 'speech' → none",
		`{"name":"ci","from":{"state":"active","role":"viewer"},"to":{"state":"revoked"}}`:                                                                      "ci; active → revoked; role: viewer → none",
		`{"from":{"everything":true},"to":null}`: "everything: true → none",
		`{"reasons":["it has not ended yet"]}`:   "it has not ended yet",
	} {
		if got := AuditDetail(text); got != want {
			t.Errorf("%s:\n%s, want\n%s", text, got, want)
		}
	}
}
