package web_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/dashboard/books"
)

// text is the text of a page, without markup.
func text(body string) string {
	body = regexp.MustCompile(`(?s)<(script|head|svg)\b[^>]*>.*?</(script|head|svg)>`).ReplaceAllString(body, " ")
	return strings.Join(strings.Fields(strings.ReplaceAll(regexp.MustCompile(`<[^>]+>`).ReplaceAllString(body, " "),
		"\u00a0", " ")), " ")
}

func has(t *testing.T, where, body string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(body, w) {
			t.Errorf("%s lacks %q", where, w)
		}
	}
}

func TestReconciliationPage(t *testing.T) {
	h := server(t, dashtest.New())
	has(t, "the page", text(get(t, h, "/reconciliation").Body.String()),
		"1 total of 4 does not tie out.", "1 bill line has no posting", "Bill against ledger USD",
		"AWS 111122223333, November 2026", "AWS 111122223333, October 2026",
		"$2,104,311.87", "0.00", "$14.80", "All books, Billed 1.24M $4,904,656.06 $4,904,641.26",
		"Restatements", "Amazon Elastic Compute Cloud AWS Cost and Usage Report, 2026-11 111122223333 19 Nov 13:59 206 1 "+
			"4 +206 −1 ~4 +$385.78",
		"AmazonS3 AWS Cost and Usage Report, 2026-11 111122223333 19 Nov 13:59 48 0 1 +48 −0 ~1 −$3.21",
		"Deliveries", "AWS Cost and Usage Report, CUR 2.0", "superseded", "+254 −1 ~5")
	has(t, "the page", get(t, h, "/reconciliation").Body.String(), "254 added, 1 removed, 5 changed")
	one := text(get(t, h, "/reconciliation?billing_period=2026-10").Body.String())
	has(t, "October", one, "Every billed cent is posted.", "1 total of 1 account tie")
	if strings.Contains(one, "AWS 111122223333, November") {
		t.Error("the month is not filtered")
	}
	has(t, "a filter without rows", get(t, h, "/reconciliation?provider=nobody").Body.String(),
		"No bill total matches the filter.")
	for dataset, holds := range map[string]string{"deliveries": "Restatements", "restatements": "Deliveries"} {
		r := dashtest.New()
		r.Err[dataset] = errors.New("down")
		has(t, dataset+" failing", get(t, server(t, r), "/reconciliation").Body.String(), "Bill against ledger", holds,
			"could not be read")
	}
}

func TestEvidenceIsNextToItsBook(t *testing.T) {
	h := server(t, dashtest.New().WithEuros())
	body := text(get(t, h, "/reconciliation").Body.String())
	has(t, "the page", body, "Bill against ledger, EUR", "Bill against ledger, USD",
		"1 more total is shown as evidence",
		"Billed Azure Cost Management export 17 EUR 35,113.48 EUR 35,113.48 open 0.00",
		"Billed evidence FOCUS 17 EUR 35,113.55 not posted evidence EUR 0.07")
	if sums := regexp.MustCompile(`All books, Billed \S+ (\w+)`).FindAllStringSubmatch(body, -1); len(sums) != 1 ||
		sums[0][1] != "USD" {
		t.Errorf("totals over books: %v", sums)
	}
}

// amounts are all printed amounts of money in table cells.
var amounts = regexp.MustCompile(`<td class="[^"]*\bn\b[^"]*">(?:<[^>]+>)*([^<]+)`)

func TestEveryFigureCarriesItsCurrency(t *testing.T) {
	h := server(t, dashtest.New().WithEuros())
	for _, path := range []string{"/runs", "/reconciliation", "/charges"} {
		seen := map[string]bool{}
		for _, m := range amounts.FindAllStringSubmatch(get(t, h, path).Body.String(), -1) {
			figure := strings.ReplaceAll(m[1], "\u00a0", " ")
			if strings.ContainsAny(figure, "$€") {
				t.Errorf("%s prints %q beside another currency", path, figure)
			}
			for _, code := range []string{"USD", "EUR"} {
				seen[code] = seen[code] || strings.Contains(figure, code)
			}
			if regexp.MustCompile(`^[−+]?[\d,]+\.\d{2}$`).MatchString(figure) && figure != "0.00" {
				t.Errorf("%s prints %q without a currency", path, figure)
			}
		}
		if !seen["USD"] || path != "/charges" && !seen["EUR"] {
			t.Errorf("%s shows %v", path, seen)
		}
	}
	runs := text(get(t, h, "/runs").Body.String())
	has(t, "the runs", runs, "All runs, USD", "All runs, EUR", "Currencies are never added")
	euros := text(get(t, h, "/runs?currency=EUR").Body.String())
	if strings.Contains(euros, "$") || strings.Contains(euros, "USD 1") {
		t.Error("runs in euros show dollars")
	}
	has(t, "runs in euros", euros, "2 runs cost €1,342", "tts-eu")
}

func TestOnePageOneCurrency(t *testing.T) {
	h := server(t, dashtest.New().WithEuros())
	usd, eur := text(get(t, h, "/").Body.String()), text(get(t, h, "/?currency=EUR").Body.String())
	has(t, "the overview", usd, "Another EUR", "is shown separately: currencies are never added.", "Currency USD")
	has(t, "the overview in euros", eur, "Currency EUR", "Another USD", "of GPU spend did work", "Metered",
		"Commitment unused")
	if n := strings.Count(eur, "$"); n > 3 { // the panel of bills shows all currencies
		t.Errorf("the overview in euros shows dollars %d times", n)
	}
	run := text(get(t, h, runPage+"?currency=EUR").Body.String())
	has(t, "the run in euros", run, "Cost of the run, EUR", "€77.50", "Another USD 50,483 is shown separately")
	has(t, "the run", text(get(t, h, runPage).Body.String()), "Cost of the run, USD", "$50,483", "Another EUR 77.50")
}

func TestProviders(t *testing.T) {
	h := server(t, dashtest.New())
	has(t, "the overview", text(get(t, h, "/").Body.String()), "price class → cause → team", "By provider",
		"Spend by provider", "Google Cloud", "Shared services")
	has(t, "by provider", text(get(t, h, "/?by=provider").Body.String()), "provider → cause → team", "By price class")
	one := text(get(t, h, "/?provider=gcp").Body.String())
	has(t, "one provider", one, "provider is Google Cloud")
	if strings.Contains(one, "Savings plan") {
		t.Error("the provider is not filtered")
	}
}

func TestProvidersOwnSplitIsEvidence(t *testing.T) {
	h := server(t, dashtest.New())
	body := text(get(t, h, runPage).Body.String())
	has(t, "the run", body, "own split $8,214 is the amount that split cost allocation on the bill gives this run",
		"$50,483")
	if other := get(t, h, "/runs/"+dashtest.TaskID).Body.String(); strings.Contains(other, "own split") {
		t.Error("a run without a split shows one")
	}
}

func TestBillLines(t *testing.T) {
	h := server(t, dashtest.New())
	body := get(t, h, "/charges").Body.String()
	has(t, "the lines", text(body), "Every line of every bill.", "cur2-2026-11-00003.parquet:18204",
		"76 lines 15–17, 19, 35–37, 54–56 and 2 more of", "Lines 1 – 100", "AmazonQuickSight", "All services")
	has(t, "the lines", body, `title="lines 15–17, 19, 35–37, 54–56, 73–75, 90–92 of data/cur2-2026-11-00001.parquet"`,
		"/charges?page=2")
	next := text(get(t, h, "/charges?page=2").Body.String())
	has(t, "the second page", next, "Lines 101 – 123", "Previous rows")
	found := text(get(t, h, "/charges?q=i-0a31c9f2007e41b0").Body.String())
	has(t, "the search", found, "Lines 2 Find lines", "discount", "−$11.80")
	has(t, "nothing found", get(t, h, "/charges?q=nothing-of-that-name").Body.String(),
		"Nothing matches the text nothing-of-that-name.", "Clear the filter")
}

func TestImports(t *testing.T) {
	now := time.Unix(int64(dashtest.Last), 0).Add(2 * time.Second)
	serve := func(r *dashtest.Reader, sources func(context.Context) ([]books.Source, error)) http.Handler {
		h, err := web.New(web.Deps{Reader: r, Now: func() time.Time { return now }, Sources: sources})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	idle := get(t, serve(dashtest.New(), nil), "/data").Body.String()
	has(t, "the journal", text(idle), "98.53M rows imported in 2 imports.", "14 rejections of rows",
		"No import is running.", "+254 −1 ~5", "30 s")
	has(t, "schedules of exports", text(idle), "Export schedules",
		"finance costs, daily s3://finance/gpuledger/costs costs daily 19 Nov 00:00 failed 19 Nov 00:00 access denied "+
			"19 Nov 14:03", "new journal, monthly /exports/journal journal monthly never none yet now",
		"warehouse runs, hourly gs://warehouse/runs runs hourly 19 Nov 14:00 done 19 Nov 14:00 19 Nov 15:00")
	has(t, "the whole error", idle, `title="try 3: access denied"`)
	none := dashtest.New()
	none.Tables["export_schedules"] = nil
	has(t, "no schedules", text(get(t, serve(none, nil), "/data").Body.String()), "No export schedule is stored.")
	none.Err["export_schedules"] = &access.ScopeError{}
	has(t, "a scoped viewer", text(get(t, serve(none, nil), "/data").Body.String()),
		"The export schedules: only users with full access can see this.", "98.53M rows imported")
	if strings.Contains(idle, "Configured sources") {
		t.Error("sources are shown though none can be known")
	}
	h := serve(dashtest.New().Running(dashtest.Last), func(context.Context) ([]books.Source, error) {
		return []books.Source{
			{
				Name: "aws-main", Format: "aws-cur", Place: "s3://bills/cur2", Schedule: "every 6h",
				Next: now.Add(time.Hour), State: "refused", Message: "no such bucket", LookedAt: now,
			},
			{Name: "racks", Place: "racks.yaml"},
		}, nil
	})
	page := get(t, h, "/data").Body.String()
	has(t, "a running import", text(page), "One is running.", "Google Cloud Billing export reading", "40.0 MB of 80.0 MB",
		"120,000", "3,000 rows per second", "Phase ends in 38 s",
		"aws-main s3://bills/cur2 aws-cur every 6h", "refused no such bucket",
		"racks racks.yaml auto by hand never never not checked yet by hand")
	poll := regexp.MustCompile(`hx-get="(/data/running\?newest=[0-9a-f]+)" hx-trigger="every 2s"`).FindStringSubmatch(page)
	if poll == nil {
		t.Fatal("the page does not ask again")
	}
	part := get(t, h, poll[1], "HX-Request", "true").Body.String()
	if !strings.HasPrefix(strings.TrimSpace(part), "<section") || strings.Contains(part, "hx-swap-oob") {
		t.Errorf("the part is %.200q", part)
	}
	has(t, "the part after an import has ended", get(t, h, "/data/running?newest=0011").Body.String(),
		`id="journal" hx-swap-oob="true"`, "The import of OpenMetrics has ended: published.")
	now = now.Add(time.Hour)
	has(t, "a killed import", get(t, h, "/data").Body.String(), "silent for 1.0 h")
	has(t, "an import", text(get(t, h, "/data/"+dashtest.ImportID).Body.String()), "OpenMetrics published",
		"node-7.txt.gz:18022 value not a number Found &#34;abc&#34;: a value is a decimal number", "not a number rejected 14")
	for _, path := range []string{"/data/none", "/data/" + strings.Repeat("0", 32)} {
		if w := get(t, h, path); w.Code != http.StatusNotFound {
			t.Errorf("%s answers %d", path, w.Code)
		}
	}
}
