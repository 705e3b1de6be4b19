package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

// askedLedger records the calls.
type askedLedger struct{ asked []string }

func (l *askedLedger) note(parts ...string) { l.asked = append(l.asked, strings.Join(parts, " ")) }

func (l *askedLedger) SavePolicy(_ context.Context, document []byte, by string) (string, bool, error) {
	l.note("save", string(document), by)
	if string(document) == "bad" {
		return "", false, &operate.RefusedError{Reasons: []string{"version must be a name"}}
	}
	return "v2", true, nil
}

func (l *askedLedger) WithdrawPolicy(_ context.Context, version, by string) error {
	l.note("withdraw", version, by)
	return nil
}

func (l *askedLedger) TryPolicy(_ context.Context, _ []byte, within period.Interval) (*metrics.Trial, error) {
	l.note("try", within.String())
	return &metrics.Trial{Version: "v2", Days: 3}, nil
}

func (l *askedLedger) SaveMapping(
	_ context.Context, document []byte, reason, by string,
) (operate.SavedMapping, error) {
	l.note("mapping", string(document), reason, by)
	if string(document) == "bad" {
		return operate.SavedMapping{}, &operate.RefusedError{Reasons: []string{"line 1: name", "line 2: values"}}
	}
	return operate.SavedMapping{Name: "m", Version: 2, Stored: true}, nil
}

func (l *askedLedger) TryMapping(_ context.Context, _ []byte, within period.Interval) (*operate.TriedMapping, error) {
	l.note("try mapping", within.String())
	return &operate.TriedMapping{Name: "m", Action: "create", Days: 3}, nil
}

func (l *askedLedger) ClosePeriod(_ context.Context, month, account, by string) ([]operate.Statement, error) {
	l.note("close", month, account, by)
	switch month {
	case "2026-11":
		return nil, &operate.RefusedError{Reasons: []string{"3 node-days wait", "an import is running"}}
	case "2026-12":
		return nil, errors.New("secret of the server")
	}
	return []operate.Statement{{BillingAccount: "1", BillingPeriod: month, Version: 1, Digest: "ab"}}, nil
}

func (l *askedLedger) ReopenPeriod(_ context.Context, month, account, reason, by string) ([]operate.Statement, error) {
	l.note("reopen", month, account, reason, by)
	return nil, nil
}

func (l *askedLedger) DecideRecommendation(_ context.Context, id, status, note, by string) error {
	l.note("decide", id, status, note, by)
	if status == "maybe" {
		return &operate.RefusedError{Reasons: []string{"status is unknown"}}
	}
	return nil
}

func (l *askedLedger) SaveBudgets(_ context.Context, document []byte, by string) (operate.Saved, error) {
	l.note("budgets", string(document), by)
	return operate.Saved{Rows: 1, Stored: 1}, nil
}

func (l *askedLedger) SaveAnnotations(_ context.Context, document []byte, by string) (operate.Saved, error) {
	l.note("annotations", string(document), by)
	if string(document) == `{}` {
		return operate.Saved{}, &metrics.OptionError{Option: "kind", Reason: "is missing"}
	}
	return operate.Saved{Rows: 2, Stored: 1}, nil
}

func (l *askedLedger) Import(_ context.Context, f operate.File, by string) (operate.Imported, error) {
	l.note("import", f.Source, f.Name, f.Cluster, string(f.Content), by)
	if f.Name == "bad.csv" {
		return operate.Imported{}, &operate.RefusedError{Reasons: []string{"bad.csv: not a bill"}}
	}
	return operate.Imported{Source: f.Source, State: "published", Accepted: 1, Rejections: []string{}}, nil
}

func (l *askedLedger) SaveExperiments(_ context.Context, document []byte, by string) (operate.Imported, error) {
	l.note("experiments", string(document), by)
	return operate.Imported{Source: "experiments", Accepted: 1}, nil
}

func (l *askedLedger) SavePriceBook(_ context.Context, document []byte, by string) (operate.Imported, error) {
	l.note("price book", string(document), by)
	return operate.Imported{Source: "price-book", Accepted: 1}, nil
}

func (l *askedLedger) SaveExport(_ context.Context, e operate.Export, by string) (bool, error) {
	l.note("export", e.Name, e.Dataset, e.To, e.Every, e.Options.GroupBy, by)
	return true, nil
}

func (l *askedLedger) RemoveExport(_ context.Context, name, by string) error {
	l.note("remove export", name, by)
	if name == "gone" {
		return &operate.MissingError{Err: errors.New("there is no export schedule gone")}
	}
	return nil
}

func (l *askedLedger) RevokeToken(_ context.Context, id, by string) error {
	l.note("revoke", id, by)
	if id == "gone" {
		return &operate.RefusedError{Reasons: []string{"it is revoked already"}}
	}
	return nil
}

func TestChangesNeedAnOperator(t *testing.T) {
	ops := operate.Operators{operate.NewOperator("ada", "all", operate.Rights...),
		operate.NewOperator("bob", "few", access.Close),
		operate.NewOperator("eve", "keys", access.Admin)}
	for _, c := range []struct {
		path, token, body string
		status            int
		answer            string // part of it
		asked             string
	}{
		{"/api/v1/policies", "", "x", 401, "an operator's token is missing", ""},
		{"/api/v1/policies", "wrong", "x", 401, "", ""},
		{"/api/v1/policies", "few", "x", 403, `bob does not have the right \"policy\"`, ""},
		{"/api/v1/policies", "all", "version: v2", 200, `{"version":"v2","stored":true}`, "save version: v2 ada"},
		{"/api/v1/policies", "all", "bad", 409, `"reasons":["version must be a name"]`, "save bad ada"},
		{"/api/v1/policies", "all", strings.Repeat("x", largestChange+1), 413, "larger than", ""},
		{"/api/v1/policies", "all", "version: v\x002", 400, "NUL", ""},
		{"/api/v1/periods/2026-10/close", "few", `{"billing_account":"7\u0000"}`, 400, "NUL", ""},
		{"/api/v1/recommendations/ab", "all", "{\"status\":\"done\",\"note\":\"\xff\"}", 400, "UTF-8", ""},
		{"/api/v1/policies/v2/withdraw", "all", "", 200, `"withdrawn":true`, "withdraw v2 ada"},
		{"/api/v1/policies/try?from=2026-11-01&to=2026-11-02", "all", "x", 200, `"node_days":3`,
			"try 2026-11-01T00:00:00Z/2026-11-02T00:00:00Z"},
		{"/api/v1/policies/try?from=2026-11-02&to=2026-11-01", "all", "x", 400, "must be later than from 2026-11-02", ""},
		{"/api/v1/policies/try?from=yesterday", "all", "x", 400, "from", ""},
		{"/api/v1/mappings?reason=renamed", "all", "name: m", 200,
			`{"name":"m","valid_from":null,"version":2,"stored":true}`, "mapping name: m renamed ada"},
		{"/api/v1/mappings", "all", "bad", 409, `"reasons":["line 1: name","line 2: values"]`, "mapping bad  ada"},
		{"/api/v1/mappings?reson=renamed", "all", "name: m", 400, `"nearest":"reason"`, ""},
		{"/api/v1/mappings", "few", "name: m", 403, `right \"policy\"`, ""},
		{"/api/v1/mappings/try?from=2026-11-01&to=2026-11-02", "all", "x", 200, `"node_days":3`,
			"try mapping 2026-11-01T00:00:00Z/2026-11-02T00:00:00Z"},
		{"/api/v1/periods/2026-10/close", "few", "", 200, `"digest":"ab"`, "close 2026-10  bob"},
		{"/api/v1/periods/2026-10/close", "few", `{"billing_account":"7"}`, 200, "", "close 2026-10 7 bob"},
		{"/api/v1/periods/2026-10/close", "few", `{"account":"7"}`, 400, "billing_account", ""},
		{"/api/v1/periods/2026-11/close", "few", "", 409, `"reasons":["3 node-days wait","an import is running"]`,
			"close 2026-11  bob"},
		{"/api/v1/periods/2026-12/close", "few", "", 500, "the server's log", "close 2026-12  bob"},
		{"/api/v1/periods/2026-10/reopen", "few", `{"reason":"x"}`, 403, "", ""},
		{"/api/v1/periods/2026-10/reopen", "all", `{}`, 400, "reason: is missing", ""},
		{"/api/v1/recommendations/ab", "few", `{"status":"done"}`, 403, "", ""},
		{"/api/v1/recommendations/ab", "all", `{"status":"done","note":"stopped"}`, 200, `"status":"done"`,
			"decide ab done stopped ada"},
		{"/api/v1/recommendations/ab", "all", `{"status":"maybe"}`, 409, "status is unknown", "decide ab maybe  ada"},
		{"/api/v1/recommendations/ab", "all", `done`, 400, "status and note", ""},
		{"/api/v1/budgets", "all", `[{"name":"b"}]`, 201, `{"rows":1,"stored":1}`, `budgets [{"name":"b"}] ada`},
		{"/api/v1/budgets", "few", `[{"name":"b"}]`, 403, `bob does not have the right \"plan\"`, ""},
		{"/api/v1/budgets", "all", "name,key\n", 400, `"parameter":"body"`, ""},
		{"/api/v1/annotations", "all", `{"at":"x"}`, 201, `{"rows":2,"stored":1}`, `annotations {"at":"x"} ada`},
		{"/api/v1/annotations", "all", `{}`, 400, `"parameter":"kind"`, `annotations {} ada`},
		{"/api/v1/annotations", "few", `{}`, 403, "", ""},
		{"/api/v1/imports?source=focus&name=a.csv&cluster=c", "all", "\xff\x00", 200, `"accepted":1`,
			"import focus a.csv c \xff\x00 ada"},
		{"/api/v1/imports?source=focus", "all", "", 400, `"parameter":"body"`, ""},
		{"/api/v1/imports?source=fokus", "all", "x", 400, `did you mean`, ""},
		{"/api/v1/imports?source=budgets", "all", "x", 400, `"parameter":"source"`, ""},
		{"/api/v1/imports", "all", "x", 400, `"parameter":"source"`, ""},
		{"/api/v1/imports?source=focus&clutser=a", "all", "x", 400, `"parameter":"clutser"`, ""},
		{"/api/v1/imports?source=focus&name=bad.csv", "all", "x", 409, `"reasons":["bad.csv: not a bill"]`,
			"import focus bad.csv  x ada"},
		{"/api/v1/imports?source=focus", "few", "x", 403, `bob does not have the right \"write\"`, ""},
		{"/api/v1/experiments", "all", `[{"experiment":"e"}]`, 201, `"accepted":1`, `experiments [{"experiment":"e"}] ada`},
		{"/api/v1/experiments", "all", "e,m,1", 400, `"parameter":"body"`, ""},
		{"/api/v1/price-book", "all", "rates: []", 200, `"accepted":1`, "price book rates: [] ada"},
		{"/api/v1/price-book", "few", "rates: []", 403, `right \"policy\"`, ""},
		{"/api/v1/export_schedules", "all", `{"name":"f"}`, 403, `ada does not have the right \"admin\"`, ""},
		{"/api/v1/export_schedules", "keys", `{"name":"f","dataset":"costs","to":"s3://b/f","every":"daily","group_by":"team"}`,
			200, `{"name":"f","stored":true}`, "export f costs s3://b/f daily team eve"},
		{"/api/v1/export_schedules", "keys", `{"name":"f","evry":"daily"}`, 400, "is not a JSON object with name and dataset", ""},
		{"/api/v1/export_schedules/f/remove", "keys", "", 200, `{"name":"f","removed":true}`, "remove export f eve"},
		{"/api/v1/export_schedules/gone/remove", "keys", "", 404, "there is no export schedule", "remove export gone eve"},
		{"/api/v1/tokens/ab/revoke", "all", "", 403, `ada does not have the right \"admin\"`, ""},
		{"/api/v1/tokens/ab/revoke", "keys", "", 200, `{"id":"ab","revoked":true}`, "revoke ab eve"},
		{"/api/v1/tokens/gone/revoke", "keys", "", 409, "revoked already", "revoke gone eve"},
		{"/api/v1/periods/2026-10/reopen", "all", `{"reason":"late bill"}`, 200, "", "reopen 2026-10  late bill ada"},
	} {
		l := &askedLedger{}
		r := chi.NewRouter()
		New(&fakeReader{}, slog.New(slog.DiscardHandler)).Operated(operate.Desk{Operators: ops, Ledger: l}).Routes(r)
		q := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(c.body))
		if c.token != "" {
			q.Header.Set("Authorization", "Bearer "+c.token)
		}
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.answer) || strings.Join(l.asked, ";") != c.asked {
			t.Errorf("%s as %q: %d %s, asked %q; want %d %q, %q", c.path, c.token, w.Code, w.Body, l.asked, c.status, c.answer,
				c.asked)
		}
		if strings.Contains(w.Body.String(), "secret of the server") {
			t.Errorf("%s shows the server's error", c.path)
		}
	}
}

// Without operators, every change is refused.
func TestWithoutOperatorsNothingChanges(t *testing.T) {
	r := chi.NewRouter()
	New(&fakeReader{}, slog.New(slog.DiscardHandler)).Routes(r)
	q := httptest.NewRequest(http.MethodPost, "/api/v1/periods/2026-10/close", nil)
	q.Header.Set("Authorization", "Bearer x")
	w := httptest.NewRecorder()
	r.ServeHTTP(w, q)
	if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "no operators are configured") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
