package web_test

import (
	"net/http"
	"strings"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/test/dashtest"
)

const visions = "/statement?owner=team%3Dvision&billing_period=2026-10"

// billed are costs of team vision, billed in October.
func billed(reader *asked) {
	row := func(kind, cause, cost string) dashtest.Row {
		return dashtest.Row{"team": "vision", "project": "<b>seg</b>", "kind": kind, "cause": cause, "currency": "USD",
			"state": "final", "quality": "measured", "provider": "aws", "billing_account": dashtest.Payer,
			"period_start": period.Second(1_790_812_800), "effective_cost": money.MustParse(cost)}
	}
	reader.Tables["costs"] = []dashtest.Row{
		row("direct", "used", "90.5"), row("direct", "lost", "9.5"), row("shared_in", "free", "12.25"),
	}
}

func TestStatementOfAnOwnerIsShown(t *testing.T) {
	h, reader := served(t)
	billed(reader)
	body := get(t, h, visions).Body.String()
	has(t, visions, text(body), "vision: GPU chargeback, October 2026", "Amount charged, USD $112.25",
		"Shared in received from others, as the policy shares cost $12.25", "Used", "$90.50", "&lt;b&gt;seg&lt;/b&gt;",
		"Change since September 2026", "Notes")
	has(t, "links to its files", body,
		`href="/api/v1/statement?billing_period=2026-10&amp;format=pdf&amp;owner=team%3Dvision"`,
		`href="/api/v1/statement?billing_period=2026-10&amp;for_excel=true&amp;format=csv&amp;owner=team%3Dvision"`)
	has(t, "before sharing", get(t, h, visions+"&sharing=before").Body.String(),
		`format=pdf&amp;owner=team%3Dvision&amp;sharing=before"`)
}

func TestNoStatementOfAnOwner(t *testing.T) {
	h, reader := served(t)
	reader.Tables["costs"] = nil
	if w := get(t, h, visions); w.Code != http.StatusNotFound ||
		!strings.Contains(w.Body.String(), "There is no such statement.") {
		t.Errorf("%d %s", w.Code, text(w.Body.String()))
	}
	for _, path := range []string{
		"/statement?owner=team&billing_period=2026-10", "/statement?owner=node%3Dx&billing_period=2026-10",
		"/statement?owner=team%3Dvision",
	} {
		if w := get(t, h, path); w.Code != http.StatusBadRequest {
			t.Errorf("%s is %d", path, w.Code)
		}
	}
}
