package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/api"
	"gpuledger/web/dashboard"
	"gpuledger/web/gate"
	"gpuledger/web/operate"
)

// council is a ledger on which ada has asked to reopen October and to store a policy.
type council struct {
	operate.Ledger
	list []confirm.Request
	said []string
}

func assembled(t *testing.T) *council {
	t.Helper()
	c := &council{}
	ada := confirm.Person{Way: confirm.Session, ID: "admin", Name: "ada"}
	for kind, asked := range map[confirm.Kind]confirm.Asked{
		confirm.Reopen: {
			Period: "2026-10", Account: dashtest.Payer, Reason: "late bill " + hostile,
			Stands: []string{"x/2026-10 version 2 " + strings.Repeat("ab", 32)},
		},
		confirm.Store: {Version: "loose", Document: "version: loose # " + hostile,
			Differences: []policy.Difference{{Name: "second_person", From: "[policy]", To: "[] " + hostile}}},
	} {
		r, err := confirm.New(kind, "loose", asked, ada, noon.Add(-time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		c.list = append(c.list, r)
	}
	return c
}

func (c *council) id(kind confirm.Kind) string {
	for _, r := range c.list {
		if r.Kind == kind {
			return r.ID.String()
		}
	}
	return "none"
}

func (c *council) ReopenPeriod(context.Context, string, string, string, string) ([]operate.Statement, error) {
	r, err := c.Change(context.Background(), c.id(confirm.Reopen))
	if err != nil {
		return nil, err
	}
	return nil, &confirm.WaitsError{Request: *r}
}

func (c *council) SavePolicy(context.Context, []byte, string) (string, bool, error) {
	r, err := c.Change(context.Background(), c.id(confirm.Store))
	if err != nil {
		return "", false, err
	}
	return "", false, &confirm.WaitsError{Request: *r}
}

func (c *council) WaitingChanges(context.Context) ([]confirm.Request, error) { return c.list, nil }

func (c *council) Change(_ context.Context, id string) (*confirm.Request, error) {
	for _, r := range c.list {
		if r.ID.String() == id {
			return &r, nil
		}
	}
	return nil, &confirm.UnknownError{ID: id}
}

func (c *council) ConfirmChange(ctx context.Context, id, by string) error {
	r, err := c.Change(ctx, id)
	if err != nil {
		return err
	}
	c.said = append(c.said, by+" confirms")
	return r.Confirm(confirm.Who(ctx, by), noon)
}

func (c *council) DeclineChange(_ context.Context, _, reason, by string) error {
	c.said = append(c.said, by+" declines: "+reason)
	return nil
}

func (c *council) TakeBackChange(_ context.Context, _, by string) error {
	c.said = append(c.said, by+" takes back")
	return nil
}

// signedIn serves pages with a ledger to signed-in users of each role.
func signedIn(t *testing.T, l operate.Ledger) http.Handler {
	t.Helper()
	_, o := opened(t)
	g := gate.New(gate.Options{
		Keeper: o, Now: func() time.Time { return noon }, Pages: dashboard.PageNeeds(), Changes: api.Needs(),
	})
	h, err := web.New(web.Deps{
		Reader: dashtest.New(), Now: func() time.Time { return noon },
		Gate: g, Door: o, Keeper: o, Desk: operate.Desk{Ledger: l},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestWaitingChangesAreShown(t *testing.T) {
	c := assembled(t)
	h := signedIn(t, c)
	for _, x := range []struct {
		who, path string
		has, not  []string
	}{
		{"analyst", "/periods", []string{"Waiting for a second person", "Reopen October 2026 of " + dashtest.Payer,
			"requested by ada", "expires 26 Nov 2026", "“ late bill", "statement x/2026-10 version 2, sha256 abababababab",
			"Confirm and do it", "Decline it"}, []string{"Take it back", "Store policy", "Operator's token"}},
		{"admin", "/periods", []string{"Reopen October 2026", "Take it back"}, []string{"Confirm and do it", "Decline it"}},
		{"auditor", "/periods", []string{"Reopen October 2026"}, []string{"Confirm and do it", "Decline it", "Take it back"}},
		{
			"analyst", "/policies", []string{
				"Store policy loose", "second_person [policy] []", "version: loose #", "Confirm and do it",
			}, []string{"Reopen October"},
		},
		{"platform", "/policies", []string{"Store policy loose"}, []string{"Confirm and do it"}},
	} {
		body := get(t, h, x.path, as(x.who)...).Body.String()
		has(t, x.path+" as "+x.who, plainly(body), x.has...)
		for _, not := range x.not {
			if strings.Contains(plainly(body), not) {
				t.Errorf("%s as %s has %q", x.path, x.who, not)
			}
		}
		if strings.Contains(body, hostile) {
			t.Errorf("%s as %s has what somebody typed as it is", x.path, x.who)
		}
	}
	if body := get(t, signedIn(t, &council{}), "/periods",
		as("analyst")...).Body.String(); strings.Contains(body, "second person") {
		t.Error("a panel where nothing waits")
	}
}

func TestWaitingChangesAreDecided(t *testing.T) {
	c := assembled(t)
	h := signedIn(t, c)
	for _, x := range []struct {
		who, path, do, change, reason string
		code                          int
		shown, said                   string
	}{
		{
			"analyst", "/periods", "confirm", c.id(confirm.Reopen), "", 200,
			"Reopen October 2026 of " + dashtest.Payer + ": done.", "analyst confirms",
		},
		{
			"analyst", "/policies", "confirm", c.id(confirm.Store), "",
			200, "Store policy loose: done.", "analyst confirms",
		},
		{
			"admin", "/periods", "confirm", c.id(confirm.Reopen), "", 403,
			"ada asked for it: another person has to confirm it", "ada confirms",
		},
		{
			"analyst", "/policies", "decline", c.id(confirm.Store),
			" too loose ", 200, "Store policy loose: declined.", "analyst declines: too loose",
		},
		{
			"admin", "/policies", "take back", c.id(confirm.Store), "", 200, "Store policy loose: taken back.", "ada takes back",
		},
		{"analyst", "/policies", "burn", c.id(confirm.Store), "", 400, "must be confirm, decline or take back", ""},
		{"analyst", "/policies", "confirm", "none", "", 404, `there is no change "none"`, ""},
		{"auditor", "/periods", "confirm", c.id(confirm.Reopen), "", 403, "Your role does not allow this.", ""},
		{"as", "/periods", "confirm", c.id(confirm.Reopen), "", 403, "nothing can be changed", ""},
	} {
		c.said = nil
		w := post(t, h, x.path, url.Values{"do": {x.do}, "change": {x.change}, "reason": {x.reason}}, as(x.who)...)
		if w.Code != x.code || strings.Join(c.said, ", ") != x.said {
			t.Errorf("%s %s as %s: %d, %q", x.do, x.path, x.who, w.Code, c.said)
		}
		has(t, x.do+" as "+x.who, plainly(w.Body.String()), x.shown)
	}
	// The answer to a request says that the change is not made yet, and when the request expires.
	w := post(t, h, "/periods", url.Values{"do": {"reopen"}, "billing_period": {"2026-10"}, "reason": {"late"}},
		as("admin")...)
	if has(t, "asking", plainly(w.Body.String()),
		"not done yet. The policy requires a second person to confirm it by 26 Nov 2026"); w.Code != http.StatusAccepted {
		t.Errorf("asking answers %d", w.Code)
	}
	w = post(t, h, "/policies", url.Values{"do": {"store"}, "document": {"version: loose"}}, as("admin")...)
	if has(t, "asking", plainly(w.Body.String()),
		"Store policy loose: not done yet."); w.Code != http.StatusAccepted {
		t.Errorf("asking answers %d", w.Code)
	}
}

// Without access control, an operator's token identifies the person.
func TestOperatorsAreSecondPersons(t *testing.T) {
	c := assembled(t)
	h, err := web.New(web.Deps{Reader: dashtest.New(), Now: func() time.Time { return noon },
		Desk: operate.Desk{Ledger: c, Operators: operate.Operators{
			operate.NewOperator("ADA", "adas", access.Reopen), operate.NewOperator("bob", "bobs", access.Reopen),
			operate.NewOperator("carla", "carlas", access.Policy)}}})
	if err != nil {
		t.Fatal(err)
	}
	has(t, "the page", plainly(get(t, h, "/periods").Body.String()), "Confirm and do it", "Decline it", "Take it back",
		"Operator's token")
	for token, want := range map[string]int{"adas": 403, "bobs": 200, "carlas": 403, "": 401} {
		if w := post(t, h, "/periods", url.Values{
			"do": {"confirm"}, "change": {c.id(confirm.Reopen)}, "token": {token},
		}); w.Code != want {
			t.Errorf("by %q: %d, want %d", token, w.Code, want)
		}
	}
}
