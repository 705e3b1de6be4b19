package odata

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"gpuledger/metrics"
)

func parse(t testing.TB, set, query string) (*Question, error) {
	t.Helper()
	params, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(dataset(t, set), params)
}

// told is a question as a report.
func told(q *Question) string {
	var keys, order []string
	for _, k := range q.Query.GroupBy {
		keys = append(keys, k.Name)
	}
	for _, o := range q.Query.Order {
		order = append(order, fmt.Sprint(o.Column, o.Desc))
	}
	if len(keys) > 3 {
		keys = []string{"keys"}
	}
	text := fmt.Sprintf("%s by %s, %s", q.Query.Dataset.Name, strings.Join(keys, "+"), q.Query.Granularity)
	if w := q.Query.Window; w.From != 0 || w.To != 0 {
		text += fmt.Sprintf(", %s to %s", w.From, w.To)
	}
	for i, e := range []metrics.Expr{q.Query.Filter, q.Query.Having} {
		if e != nil {
			text += []string{", of ", ", with "}[i] + metrics.FilterText(e)
		}
	}
	return text + ", first " + order[0]
}

func TestQuestions(t *testing.T) {
	for query, want := range map[string]string{
		"":                                  "costs by keys, day, first period_startfalse",
		"$orderby=team desc,effective_cost": "costs by keys, day, first teamtrue",
		"$filter=team eq 'a' and effective_cost gt 5": "costs by keys, day, of team = a, with effective_cost > 5, " +
			"first period_startfalse",
		"$filter=period_start ge 2026-11-01T00:00:00Z and period_start lt 2026-11-03T00:00:00Z": "costs by keys, " +
			"day, 2026-11-01T00:00:00Z to 2026-11-03T00:00:00Z, first period_startfalse",
		"$filter=period_start gt 2026-11-01T00:00:00Z and team eq 'a' and period_start le 2026-11-03T00:00:00Z": "costs by keys, " +
			"day, 2026-11-02T00:00:00Z to 2026-11-04T00:00:00Z, of team = a, first period_startfalse",
		"$filter=period_start ge 2026-11-01T06:00:00Z": "costs by keys, day, with period_start >= " +
			"2026-11-01T06:00:00Z, first period_startfalse",
		"$filter=period_start ge 2026-11-01T06:00:00Z&granularity=hour": "costs by keys, hour, " +
			"2026-11-01T06:00:00Z to 1970-01-01T00:00:00Z, first period_startfalse",
		"$apply=groupby((team,currency),aggregate(effective_cost with sum as effective_cost))": "costs by team, " +
			"total, first period_startfalse",
		"$apply=filter(team ne null and period_start ge 2026-11-01T00:00:00Z)/groupby((pod,period_start,currency))": "costs " +
			"by pod, day, 2026-11-01T00:00:00Z to 1970-01-01T00:00:00Z, of team is not null, first period_startfalse",
	} {
		q, err := parse(t, "costs", query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if got := told(q); got != want {
			t.Errorf("%s asks\n%s, want\n%s", query, got, want)
		}
	}
	q, err := parse(t, "costs", "$filter=period_start ge 2026-11-03T00:00:00Z and period_start lt 2026-11-03T00:00:00Z")
	if err != nil || !q.Empty {
		t.Errorf("no time: %v", err)
	}
}

func TestWhatIsSelected(t *testing.T) {
	q, err := parse(t, "costs", "$select=effective_cost, team,effective_cost")
	if err != nil || q.Context != "costs(effective_cost,team)" || len(q.Properties) != 2 {
		t.Fatalf("%+v, %v", q, err)
	}
	for _, c := range q.Query.Columns() {
		if c.Name == "gpu_hours" {
			t.Error("a figure that is not selected is computed")
		}
	}
	q, err = parse(t, "costs", "$apply=groupby((team,currency),aggregate(billed_cost with sum as billed_cost))")
	if err != nil || q.Context != "costs(team,currency,billed_cost)" {
		t.Errorf("%+v, %v", q, err)
	}
	if q, err = parse(t, "costs", "currency=USD&$top=5"); err != nil || q.Query.Currency != "USD" || q.Top != 5 {
		t.Errorf("%+v, %v", q, err)
	}
	for _, p := range q.Properties {
		if p.Name == "exchange_rates" {
			t.Error("a property that the type lacks")
		}
	}
}

// The next page has the same question, the rest of $top, and no $skip; only its place is not part of the digest.
func TestTheNextPage(t *testing.T) {
	q, err := parse(t, "runs", "$top=25&$skip=3&$count=true&$filter=team eq 'a b'")
	if err != nil || q.Top != 25 || q.Skip != 3 || !q.Counted {
		t.Fatalf("%+v, %v", q, err)
	}
	query := q.Next("abc", 10)
	next, err := parse(t, "runs", query)
	if err != nil || next.Top != 15 || next.Skip != 0 || next.Counted || next.Token != "abc" || next.Digest != q.Digest {
		t.Errorf("%s: %+v, %v", query, next, err)
	}
	if !strings.Contains(query, "$skiptoken=abc") {
		t.Errorf("%s: Power Query compares names as they are", query)
	}
	other, err := parse(t, "runs", "$filter=team eq 'b'")
	if err != nil || other.Digest == q.Digest || other.Top != math.MaxInt {
		t.Errorf("another question has the same digest: %v", err)
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	for query, want := range map[string]string{
		"$top=-1": "$top", "$top=x": "$top", "$count=yes": "$count", "$orderby=team down": "$orderby",
		"$orderby=,": "$orderby", "$orderby=taem": "did you mean team", "$select=taem": "did you mean team",
		"$TOP=1": "lower case", "group_by=team": "$apply", "limit=5": "$top", "filter=x": "$filter", "nix=1": "neither",
		"$top=1&$top=2": "more than once", "from=yesterday": "from", "$apply=groupby((team))": "currency",
		"$apply=groupby(team)": "parentheses", "$apply=groupby((taem,currency))": "taem",
		"$apply=groupby((team,currency),aggregate(effective_cost))":                "must be written",
		"$apply=groupby((team,currency),aggregate(efective with sum as efective))": "effective_cost",
	} {
		if _, err := parse(t, "costs", query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
	}
	for _, query := range []string{"$expand=x", "$search=x", "$compute=x", "@p=1", "$apply=aggregate(x with sum as y)",
		"$apply=groupby((team,currency),aggregate(effective_cost with average as effective_cost))",
		"$apply=groupby((team,currency),aggregate(idle_share with sum as idle_share))",
		"$apply=filter(effective_cost gt 5)/groupby((team,currency))",
		"$apply=filter(period_start ge 2026-11-01T06:00:00Z)/groupby((team,currency))"} {
		_, err := parse(t, "costs", query)
		if _, ok := errors.AsType[*UnsupportedError](err); !ok {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// The description is well formed, has every set, and a type and a definition for every property.
func TestTheDescription(t *testing.T) {
	var b bytes.Buffer
	if err := WriteMetadata(&b); err != nil {
		t.Fatal(err)
	}
	counts, dec := map[string]int{}, xml.NewDecoder(&b)
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		counts[e.Name.Local]++
		for _, a := range e.Attr {
			counts[a.Value]++
			if e.Name.Local == "Annotation" && a.Name.Local == "String" && a.Value == "" {
				t.Error("an empty definition")
			}
		}
	}
	if counts["EntitySet"] != len(metrics.Datasets) || counts["EntityType"] != len(metrics.Datasets) ||
		counts["Core.Description"] != counts["Property"]+counts["EntitySet"] || counts["Edm.Decimal"] < 100 ||
		counts["Edm.DateTimeOffset"] < 20 || counts["Measures.ISOCurrency"] < 50 {
		t.Errorf("%d sets, %d types, %d properties, %d definitions", counts["EntitySet"], counts["EntityType"],
			counts["Property"], counts["Core.Description"])
	}
}

func TestRowsKeepTheirDigits(t *testing.T) {
	q, err := parse(t, "runs", "$select=run_id,effective_cost,attempts,started_at,ended_at,row_id")
	if err != nil {
		t.Fatal(err)
	}
	columns := q.Query.Columns()
	values := make([]metrics.Value, len(columns))
	for i, c := range columns {
		switch c.Name {
		case "run_id":
			values[i] = metrics.Value{Valid: true, Text: `a"b<`}
		case "effective_cost":
			values[i] = metrics.Value{Valid: true, Text: "12345678901234567890.123456789012"}
		case "attempts":
			values[i] = metrics.Value{Valid: true, Int: 9007199254740993}
		case "started_at":
			values[i] = metrics.Value{Valid: true, Time: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
		}
	}
	for quoted, want := range map[bool]string{
		false: `{"run_id":"a\"b\u003c","effective_cost":12345678901234567890.123456789012,"attempts":9007199254740993,` +
			`"started_at":"2026-11-01T00:00:00Z","ended_at":null,"row_id":"`,
		true: `{"run_id":"a\"b\u003c","effective_cost":"12345678901234567890.123456789012","attempts":"9007199254740993",` +
			`"started_at":"2026-11-01T00:00:00Z","ended_at":null,"row_id":"`,
	} {
		row, err := NewRow(q, columns, quoted)
		if err != nil {
			t.Fatal(err)
		}
		got, err := row.Append(nil, values)
		if err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}

func TestRepresentations(t *testing.T) {
	excel := "application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9," +
		"application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7"
	for _, c := range []struct {
		accept, format string
		want           Representation
		fails          bool
	}{
		{"", "", Representation{"minimal", false}, false}, {excel, "", Representation{"minimal", false}, false},
		{"*/*", "", Representation{"minimal", false}, false},
		{"application/xml", "json", Representation{"minimal", false}, false},
		{"application/json;odata.metadata=none;IEEE754Compatible=true", "", Representation{"none", true}, false},
		{"", "application/json;IEEE754Compatible=true", Representation{"minimal", true}, false},
		{"application/xml", "", Representation{}, true}, {"", "atom", Representation{}, true},
		{"application/json;odata.metadata=some", "", Representation{}, true},
		{"application/json;q=0", "", Representation{}, true},
		{"application/json;IEEE754Compatible=maybe", "", Representation{}, true},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept", c.accept)
		got, err := Represent(r, c.format)
		if (err != nil) != c.fails || !c.fails && got != c.want {
			t.Errorf("%q %q: %+v, %v", c.accept, c.format, got, err)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("OData-MaxVersion", "3.0")
	if _, err := Represent(r, ""); err == nil {
		t.Error("a client of OData 3.0 gets 4.0")
	}
}
