package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/operate"
)

// clerk is a ledger that closes October and refuses November.
type clerk struct {
	operate.Ledger
	asked []string
}

func (c *clerk) ClosePeriod(_ context.Context, month, account, by string) ([]operate.Statement, error) {
	c.asked = append(c.asked, "close "+month+" of "+account+" by "+by)
	if month == "2026-11" {
		return nil, &operate.RefusedError{Reasons: []string{"it has not ended yet", "3 node-days wait <i>"}}
	}
	return []operate.Statement{
		{BillingAccount: dashtest.Payer, BillingPeriod: month, Version: 3, Digest: strings.Repeat("ab", 32)},
	}, nil
}

func (c *clerk) ReopenPeriod(_ context.Context, month, account, reason, by string) ([]operate.Statement, error) {
	c.asked = append(c.asked, "reopen "+month+" of "+account+" by "+by+": "+reason)
	return []operate.Statement{
		{BillingAccount: dashtest.Payer, BillingPeriod: month, Version: 2, Digest: strings.Repeat("cd", 32)},
	}, nil
}

func (c *clerk) CheckPeriod(_ context.Context, month, account string) (operate.PeriodCheck, error) {
	at := time.Date(2026, 12, 2, 9, 30, 0, 0, time.UTC)
	switch {
	case account == "broken":
		return operate.PeriodCheck{}, errors.New("secret detail")
	case account == "unproved":
		return operate.PeriodCheck{Proving: at}, nil
	case month == "2026-10":
		return operate.PeriodCheck{Proof: at}, nil
	}
	return operate.PeriodCheck{Reasons: []operate.Reason{{Step: "ended", Text: "it has not ended yet"},
		{Step: "owned", Text: "9 of 100 USD has no owner"}, {Step: "new", Text: "something else"}}}, nil
}

func clerks(t *testing.T, c *clerk) http.Handler {
	t.Helper()
	h, err := web.New(web.Deps{Reader: dashtest.New(), Tenant: "Meridian",
		Desk: operate.Desk{Operators: operate.Operators{operate.NewOperator("ada", "s3cret", access.Close),
			operate.NewOperator("bob", "other", access.Reopen)}, Ledger: c}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestPeriodsPage(t *testing.T) {
	h := server(t, dashtest.New())
	body := get(t, h, "/periods").Body.String()
	has(t, "the page", text(body), "2 of these 3 periods are closed.",
		"October 2026 acme/payer 1 closed $990.00 −$84.60 3 084fed08b978 version 2",
		"Late node-hours", "Late telemetry", "version 2", "by ada", "November 2026", "not closed",
		"close refused", "2026-11 has not ended yet", "“wrong owner &lt;b&gt;”", "not JSON",
		"No operators are configured")
	has(t, "a link to the statement", body,
		`href="/statement?billing_period=2026-10&amp;billing_account=acme%2Fpayer+1&amp;version=2"`)
	if strings.Contains(body, "<form class=\"desk\"") || strings.Contains(body, "What blocks closing?") {
		t.Error("a desk without operators, or a check without one who checks")
	}
	has(t, "a check without one who checks", get(t, h, "/periods?check=2026-11").Body.String(),
		"This server cannot run the close check")
	empty := dashtest.New()
	empty.Empty = true
	has(t, "an empty ledger", get(t, server(t, empty), "/periods").Body.String(), "No billing periods yet.",
		"No period has been closed, reopened or refused yet.")
	for dataset, holds := range map[string]string{"periods": "close refused", "audit": "November 2026"} {
		r := dashtest.New()
		r.Err[dataset] = errors.New("secret detail")
		w := get(t, server(t, r), "/periods")
		has(t, dataset+" failing", w.Body.String(), holds, "could not be read")
		if strings.Contains(w.Body.String(), "secret detail") {
			t.Error("the page tells the cause")
		}
	}
	if w := get(t, h, "/periods?check=soon"); w.Code != http.StatusBadRequest {
		t.Errorf("a check of no month answers %d", w.Code)
	}
}

func TestThePeriodDesk(t *testing.T) {
	c := &clerk{}
	h := clerks(t, c)
	has(t, "the page", get(t, h, "/periods").Body.String(), `name="billing_period" value="2026-11"`,
		`<option value="acme/payer 1">`, "What blocks closing?")
	has(t, "a check", get(t, h, "/periods?check=2026-11&billing_account=acme").Body.String(),
		"Can November 2026 of acme be closed?", "it has not ended yet", "something else",
		"9 of 100 USD has no owner", `<a href="/coverage">Coverage</a>`, "No import or allocation runs")
	has(t, "a good check", get(t, h, "/periods?check=2026-10").Body.String(), "Nothing blocks closing.",
		"Checked by gpuledger verify at 2 Dec 2026 09:30 UTC")
	has(t, "a check whose proof runs", get(t, h, "/periods?check=2026-10&billing_account=unproved").Body.String(),
		"Nothing blocks closing so far.", "has been checking the whole ledger since 2 Dec 2026 09:30 UTC",
		`<a href="/periods?billing_account=unproved&amp;check=2026-10#check">Check again</a>`)
	broken := get(t, h, "/periods?check=2026-10&billing_account=broken").Body.String()
	has(t, "a failed check", broken, "could not be read", "Billing periods")
	if strings.Contains(broken, "secret detail") {
		t.Error("the page tells the cause")
	}
	for _, x := range []struct {
		do, month, reason, token string
		code                     int
		said, asked              string
	}{
		{
			"close", "2026-10", "", "s3cret", http.StatusOK,
			"October 2026 of acme/payer 1 is closed: version 3, sha256 abababababab.", "close 2026-10 of acme/payer 1 by ada",
		},
		{
			"close", " 2026-11 ", "", "s3cret", http.StatusConflict,
			"3 node-days wait &lt;i&gt;", "close 2026-11 of acme/payer 1 by ada",
		},
		{"close", "2026-10", "", "other", http.StatusForbidden, "bob does not have the right &#34;close&#34;", ""},
		{"close", "2026-10", "", "", http.StatusUnauthorized, "an operator&#39;s token is missing", ""},
		{
			"reopen", "2026-10", "wrong owner", "other", http.StatusOK,
			"October 2026 of acme/payer 1 is open again: version 2", "reopen 2026-10 of acme/payer 1 by bob: wrong owner",
		},
		{"reopen", "2026-10", "  ", "other", http.StatusConflict, "reopening needs a reason", ""},
		{"reopen", "2026-10", "x", "s3cret", http.StatusForbidden, "ada does not have the right", ""},
		{"burn", "2026-10", "x", "s3cret", http.StatusBadRequest, "must be close or reopen", ""},
	} {
		c.asked = nil
		w := post(t, h, "/periods", url.Values{
			"do": {x.do}, "billing_period": {x.month},
			"billing_account": {dashtest.Payer}, "reason": {x.reason}, "token": {x.token},
		})
		if w.Code != x.code || strings.Join(c.asked, ", ") != x.asked {
			t.Errorf("%s %s with %q: %d, asked %q", x.do, x.month, x.token, w.Code, c.asked)
		}
		has(t, x.do+" "+x.month+" with "+x.token, w.Body.String(), x.said)
	}
	if w := post(t, h, "/periods", url.Values{"do": {"close"}, "billing_period": {"2026-10"}, "token": {"s3cret"}},
		"Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden || len(c.asked) > 0 {
		t.Errorf("another site's form: %d", w.Code)
	}
}

const october = "/statement?billing_account=acme%2Fpayer+1&billing_period=2026-10"

func TestStatementPage(t *testing.T) {
	h := server(t, dashtest.New())
	body := get(t, h, october).Body.String()
	has(t, "the newest version", text(body), "GPU statement, October 2026", "Statement acme/payer 1 2026-10 v2",
		"Amount charged, USD $990.00", "closed 7 Nov 2026 00:00 UTC by ada", "Effective, after sharing",
		"v2 replaces v1 of 6 Nov", "100.0 % measured",
		"Used", "300 75.2 % $760.00", "Shared Control planes", "n/a 0.1 % $1.13", "Before sharing 400 100.0 % $1,011.13",
		"2. Shared cost", "Free $150.00 −$150.00 $150.00 100.0 % $0.00",
		"3. Adjustments", "September 2026 Used statement 2026-09 v1 −$21.13", "Amount charged $990.00",
		"By team", "speech", "$660.00 $100.00 −$21.13 $738.88", "Policy default-1, strict",
		"sha256 084fed08b978", "Versions", "changes since")
	has(t, "the double rule", body, `class="mid rule-final"`,
		`/api/v1/statement_lines?billing-period=2026-10&amp;filter=billing_account+%3D+%27acme%2Fpayer+1%27+and+version+%3D+%272%27&amp;for_excel=true&amp;format=csv`)
	body = get(t, h, october+"&version=1").Body.String()
	has(t, "a reopened version", text(body), "Reopened 6 Nov 2026 01:00 UTC by bob: wrong owner &lt;b&gt;",
		"v1 the first version", "$990.00", "its changes")
	if strings.Contains(body, "rule-final") {
		t.Error("a reopened statement is underlined as final")
	}
	body = get(t, h, october+"&team=speech").Body.String()
	has(t, "a team's part", text(body), "speech: GPU chargeback, October 2026", "$738.88",
		"Held by speech 240 100.0 % $660.00", "Free $150.00 $0.00 $100.00 66.7 % $100.00", "By project", "asr", "no project",
		"The digest covers the whole statement")
	if strings.Contains(text(body), "vision:") || strings.Contains(text(body), "$200.00") {
		t.Error("another team's cost is in it")
	}
	has(t, "a team without a line", get(t, h, october+"&team=nobody").Body.String(), "This statement has no such line.")
	for _, path := range []string{
		"/statement", october + "&version=7", "/statement?billing_account=x&billing_period=2026-10",
	} {
		if w := get(t, h, path); w.Code != http.StatusNotFound ||
			!strings.Contains(w.Body.String(), "There is no such statement.") {
			t.Errorf("%s answers %d", path, w.Code)
		}
	}
	r := dashtest.New()
	r.Err["statement_lines"] = errors.New("secret detail")
	if body := get(t, server(t, r), october).Body.String(); !strings.Contains(body, "could not be read") ||
		strings.Contains(body, "secret") {
		t.Error("a failed read is not said, or says too much")
	}
}

func TestStatementDiff(t *testing.T) {
	h := server(t, dashtest.New())
	has(t, "between versions", text(get(t, h, october+"&against=1").Body.String()),
		"2026-10 v2 charges the same as 2026-10 v1.", "was reopened by bob: wrong owner &lt;b&gt;",
		"By owner", "speech / asr", "+$60.00", "vision", "−$60.00", "By owner and cause", "Used", "5 others alike", "0.00")
	has(t, "between periods", text(get(t, h, october+"&against=2026-09/1&team=speech").Body.String()),
		"2026-10 v2 charges $238.88 more than 2026-09 v1.", "speech. After sharing")
	has(t, "of another account's name", text(get(t, h, october+"&against=acme/payer+1/2026-10/1").Body.String()),
		"charges the same")
	for _, bad := range []string{"x", "0", "9", "2026-01/1", "nobody/2026-10/1"} {
		if w := get(t, h, october+"&against="+bad); w.Code != http.StatusBadRequest {
			t.Errorf("against %s answers %d", bad, w.Code)
		}
	}
}
