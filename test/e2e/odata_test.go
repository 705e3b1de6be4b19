package e2e

import (
	"encoding/json"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A spreadsheet sends its token as a password, follows links to the end, and gets the rows of the token's scope: their
// sum is the report's, to the last digit.
func TestASpreadsheetOverOData(t *testing.T) {
	db := smallLedger(t)
	base, _ := serveLedger(t, db, "--auth", "on")
	var made struct{ Token string }
	out := must(t, db, "token", "create", "--name=excel", "--role=viewer", "--scope=team = 'speech'", "--output=json")
	if err := json.Unmarshal([]byte(out), &made); err != nil {
		t.Fatal(err)
	}
	ask := func(address, password string, page any) (int, http.Header) {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Accept", "application/json;odata.metadata=minimal;q=1.0,application/atom+xml;q=0.8")
		q.Header.Set("Prefer", "odata.maxpagesize=40")
		if password != "" {
			q.SetBasicAuth("carla", password)
		}
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		dec := json.NewDecoder(answer.Body)
		dec.UseNumber()
		if err := dec.Decode(page); err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		return answer.StatusCode, answer.Header
	}
	var fault struct{ Error struct{ Code string } }
	status, header := ask(base+"/odata/v4/", "", &fault)
	if asks := header.Values("WWW-Authenticate"); status != http.StatusUnauthorized ||
		fault.Error.Code != "not-signed-in" || len(asks) == 0 || !strings.HasPrefix(asks[0], "Basic ") {
		t.Errorf("without a token: %d %+v, asks for %v", status, fault, asks)
	}
	var service struct{ Value []struct{ Name string } }
	if status, _ = ask(base+"/odata/v4/", made.Token, &service); status != http.StatusOK || len(service.Value) < 20 {
		t.Errorf("%d: %d sets", status, len(service.Value))
	}
	for _, set := range service.Value {
		var page struct{ Value []map[string]any }
		if status, _ := ask(base+"/odata/v4/"+set.Name+"?$top=2", made.Token, &page); status != http.StatusOK {
			t.Errorf("%s is listed and answers %d", set.Name, status)
		}
	}
	if status, _ = ask(base+"/odata/v4/charges", made.Token, &fault); status != http.StatusForbidden {
		t.Errorf("bill lines answer %d to a scoped token", status)
	}
	sum, pages, rows := map[string]*big.Rat{}, 0, 0
	next := base + "/odata/v4/costs?" + url.Values{"$filter": {"cause ne 'shared'"}}.Encode()
	for ; next != ""; pages++ {
		var page struct {
			Value []struct {
				Team, Currency *string
				Cost           *json.Number `json:"effective_cost"`
			}
			Next string `json:"@odata.nextLink"`
		}
		if status, _ = ask(next, made.Token, &page); status != http.StatusOK {
			t.Fatalf("%s: %d", next, status)
		}
		for _, row := range page.Value {
			if rows++; row.Team == nil || *row.Team != "speech" {
				t.Fatal("a row outside the scope")
			}
			if row.Cost != nil {
				cost, ok := new(big.Rat).SetString(row.Cost.String())
				if !ok || row.Currency == nil {
					t.Fatalf("cost %s", *row.Cost)
				}
				if sum[*row.Currency] == nil {
					sum[*row.Currency] = new(big.Rat)
				}
				sum[*row.Currency].Add(sum[*row.Currency], cost)
			}
		}
		next = page.Next
	}
	if rows < 60 || pages < 2 {
		t.Fatalf("%d rows on %d pages", rows, pages)
	}
	found := 0
	for _, row := range reportRows(t, db, "costs", "--filter=team = speech and cause != shared") {
		want, ok := new(big.Rat).SetString(row["effective_cost"])
		if !ok {
			continue
		}
		if found++; sum[row["currency"]] == nil || sum[row["currency"]].Cmp(want) != 0 {
			t.Errorf("%s: the rows add up to %v, the report says %s", row["currency"], sum[row["currency"]],
				row["effective_cost"])
		}
	}
	if found == 0 {
		t.Error("the report has no cost")
	}
}
