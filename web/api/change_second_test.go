package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
	"gpuledger/web/operate"
)

// carefulLedger requires a second person: ada has asked to reopen a month, and to withdraw a
// version of the policy.
type carefulLedger struct {
	askedLedger
	reopen, withdraw confirm.Request
}

func careful(t *testing.T) *carefulLedger {
	t.Helper()
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	request := func(kind confirm.Kind, subject string) confirm.Request {
		r, err := confirm.New(kind, subject, confirm.Asked{Period: "2026-10", Reason: "late bill"},
			confirm.Person{Way: confirm.Operator, Name: "ada"}, at)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	return &carefulLedger{reopen: request(confirm.Reopen, "7/2026-10"), withdraw: request(confirm.Withdraw, "v2")}
}

func (l *carefulLedger) ReopenPeriod(_ context.Context, _, _, _, by string) ([]operate.Statement, error) {
	l.note("ask", by)
	return nil, &confirm.WaitsError{Request: l.reopen}
}

func (l *carefulLedger) WaitingChanges(context.Context) ([]confirm.Request, error) {
	return []confirm.Request{l.reopen, l.withdraw}, nil
}

func (l *carefulLedger) Change(_ context.Context, id string) (*confirm.Request, error) {
	for _, r := range []confirm.Request{l.reopen, l.withdraw} {
		if r.ID.String() == id {
			return &r, nil
		}
	}
	return nil, &confirm.UnknownError{ID: id}
}

func (l *carefulLedger) ConfirmChange(ctx context.Context, id, by string) error {
	l.note("confirm", by)
	r, err := l.Change(ctx, id)
	if err != nil {
		return err
	}
	return r.Confirm(confirm.Who(ctx, by), r.At)
}

func (l *carefulLedger) DeclineChange(ctx context.Context, id, reason, by string) error {
	l.note("decline", reason, by)
	r, err := l.Change(ctx, id)
	if err != nil {
		return err
	}
	return r.Decline(confirm.Who(ctx, by), reason, r.At)
}

func (l *carefulLedger) TakeBackChange(ctx context.Context, id, by string) error {
	l.note("take back", by)
	r, err := l.Change(ctx, id)
	if err != nil {
		return err
	}
	return r.TakeBack(confirm.Who(ctx, by), r.At)
}

func TestASecondPersonDecides(t *testing.T) {
	l := careful(t)
	ops := operate.Operators{operate.NewOperator("ada", "adas", operate.Rights...),
		operate.NewOperator("bob", "bobs", operate.Rights...),
		operate.NewOperator("carla", "carlas", access.Reopen), operate.NewOperator("dora", "doras", access.Close)}
	r := chi.NewRouter()
	New(&fakeReader{}, slog.New(slog.DiscardHandler)).Operated(operate.Desk{Operators: ops, Ledger: l}).Routes(r)
	reopen, withdraw := "/api/v1/changes/"+l.reopen.ID.String(), "/api/v1/changes/"+l.withdraw.ID.String()
	for _, c := range []struct {
		path, token, body string
		status            int
		answer, asked     string
	}{
		{
			"/api/v1/periods/2026-10/reopen", "adas", `{"reason":"late bill"}`, 202,
			`{"change":{"change_id":"` + l.reopen.ID.String() +
				`","kind":"reopen","subject":"7/2026-10","state":"waiting","asked_by":"ada"`, "ask ada",
		},
		{reopen + "/confirm", "", "", 401, "an operator's token is missing", ""},
		{reopen + "/confirm", "doras", "", 403, "does not have the right", ""},
		{withdraw + "/confirm", "carlas", "", 403, `carla does not have the right \"policy\"`, ""},
		{reopen + "/confirm", "adas", "", 403, "ada asked for it: another person", "confirm ada"},
		{reopen + "/confirm", "carlas", "", 200, `"state":"confirmed"`, "confirm carla"},
		{withdraw + "/confirm", "bobs", "{}", 200, `"state":"confirmed"`, "confirm bob"},
		{reopen + "/decline", "bobs", "", 409, "say why", "decline  bob"},
		{reopen + "/decline", "bobs", `{"reason":"it is right"}`, 200, `"state":"declined"`, "decline it is right bob"},
		{reopen + "/decline", "bobs", `{"why":"it is right"}`, 400, "with reason", ""},
		{reopen + "/take-back", "bobs", "", 403, "only that person can take it back", "take back bob"},
		{reopen + "/take-back", "adas", "", 200, `"state":"taken back"`, "take back ada"},
		{"/api/v1/changes/none/confirm", "bobs", "", 404, "dataset changes lists all changes", ""},
	} {
		l.askedLedger = askedLedger{}
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
	}
}

// A signed-in user confirms a change; API tokens and admins who view the pages as another user cannot.
func TestSignedInUserConfirms(t *testing.T) {
	for _, c := range []struct {
		viewer access.Viewer
		status int
		answer string
	}{
		{access.Viewer{Kind: access.BySession, ID: "1", Name: "bob", Role: access.RoleAnalyst}, 200, "confirmed"},
		{access.Viewer{Kind: access.BySession, ID: "2", Name: "ada", Role: access.RoleAdmin}, 403, "another person"},
		{
			access.Viewer{Kind: access.ByToken, ID: "3", Name: "ci", Role: access.RoleAdmin},
			403, "a token does not stand for a person",
		},
		{
			access.Viewer{Kind: access.BySession, ID: "4", Name: "eve", Role: access.RoleAuditor},
			403, "does not have the right",
		},
		{
			access.Viewer{Kind: access.BySession, ID: "5", Name: "bob", Role: access.RoleAnalyst, Scope: "s"},
			403, "with a scope cannot change",
		},
		{
			access.Viewer{Kind: access.BySession, ID: "6", Name: "bob", Role: access.RoleAnalyst, By: "ada"},
			403, "as another user",
		},
	} {
		l := careful(t)
		r := chi.NewRouter()
		New(&fakeReader{}, slog.New(slog.DiscardHandler)).Operated(operate.Desk{Ledger: l}).Routes(r)
		q := httptest.NewRequest(http.MethodPost, "/api/v1/changes/"+l.reopen.ID.String()+"/confirm", nil)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q.WithContext(access.As(t.Context(), &c.viewer)))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.answer) {
			t.Errorf("%+v: %d %s", c.viewer, w.Code, w.Body)
		}
	}
}
