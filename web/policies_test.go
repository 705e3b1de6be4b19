package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/operate"
)

// bench is a ledger whose policy moves $5 from idle to used.
type bench struct {
	operate.Ledger
	stored string
}

func (b *bench) SavePolicy(_ context.Context, document []byte, by string) (string, bool, error) {
	if strings.Contains(string(document), "bad") {
		return "", false, &operate.RefusedError{Reasons: []string{`line 3: setting "<idel>" is unknown`}}
	}
	b.stored += by + ": " + string(document)
	return "v2", true, nil
}

func (b *bench) TryPolicy(_ context.Context, _ []byte, within period.Interval) (*metrics.Trial, error) {
	five, minus := money.MustParse("5"), money.MustParse("-5")
	return &metrics.Trial{Version: "v2 " + within.From.String(), Days: 12, Waiting: 1, Rows: []metrics.TrialRow{
		{Team: "speech", Cause: "used", Currency: "USD", Effective: metrics.TrialCost{Then: &five, Difference: &five}},
		{Team: "speech", Cause: "held_idle", Currency: "USD", Effective: metrics.TrialCost{Now: &five, Difference: &minus}},
		{Team: "unmoved", Cause: "used", Currency: "USD", Effective: metrics.TrialCost{Now: &five, Then: &five}},
	}}, nil
}

func post(t *testing.T, h http.Handler, path string, form url.Values, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestPoliciesPage(t *testing.T) {
	body := get(t, server(t, dashtest.New()), "/policies").Body.String()
	has(t, "the page", text(body), "strict&lt;b&gt;", "from 2026-11-01", "before 2026-11-01", "withdrawn", "by ada",
		"No operators are configured")
	if strings.Contains(body, "<textarea") {
		t.Error("a form without operators")
	}
}

func TestThePolicyDesk(t *testing.T) {
	ledger := &bench{}
	h, err := web.New(web.Deps{Reader: dashtest.New(),
		Desk: operate.Desk{
			Operators: operate.Operators{operate.NewOperator("ada", "s3cret", access.Policy)}, Ledger: ledger,
		},
		Settings: []books.Setting{{Name: "idle", Standard: "lt10pct-15min", Doc: "When held time is idle."}}})
	if err != nil {
		t.Fatal(err)
	}
	has(t, "the page", get(t, h, "/policies").Body.String(), "<textarea", "lt10pct-15min", "When held time is idle.")
	ask := func(do, document, token string) (int, string) {
		w := post(t, h, "/policies", url.Values{"do": {do}, "document": {document}, "token": {token}, "from": {"2026-11-01"}})
		return w.Code, w.Body.String()
	}
	code, body := ask("try", "version: v2", "s3cret")
	has(t, "a trial", text(body), "Under version v2 2026-11-01T00:00:00Z", "12 node-days tried", "speech", "USD 5.00",
		"Held idle", "1 node-day is not allocated yet", "version: v2")
	if code != http.StatusOK || strings.Contains(text(body), "unmoved") || ledger.stored != "" {
		t.Errorf("%d, stored %q: a trial shows what moves and stores nothing", code, ledger.stored)
	}
	code, body = ask("store", "version: v2\r\nnote: x", "s3cret")
	has(t, "storing", body, "Version v2 is stored")
	if code != http.StatusOK || ledger.stored != "ada: version: v2\nnote: x" {
		t.Errorf("%d, stored %q", code, ledger.stored)
	}
	ledger.stored = ""
	code, body = ask("store", "bad", "s3cret")
	has(t, "a refusal", body, "setting &#34;&lt;idel&gt;&#34; is unknown", ">bad</textarea>")
	if code != http.StatusConflict {
		t.Errorf("%d", code)
	}
	for _, token := range []string{"", "other"} {
		if code, body = ask("store", "version: v2", token); code != http.StatusUnauthorized || ledger.stored != "" ||
			!strings.Contains(body, "an operator&#39;s token is missing") {
			t.Errorf("token %q: %d, stored %q", token, code, ledger.stored)
		}
	}
	if w := post(t, h, "/policies", url.Values{"do": {"store"}, "document": {"version: v2"}, "token": {"s3cret"}},
		"Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden || ledger.stored != "" {
		t.Errorf("another site's form: %d", w.Code)
	}
}
