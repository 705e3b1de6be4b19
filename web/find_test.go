package web_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/dashtest"
)

func TestFoundNamesLeadToTheirPagesWithTheirCost(t *testing.T) {
	reader := dashtest.New()
	reader.Found = []metrics.Found{
		{Key: "team", Value: "speech", Name: "speech"}, {Key: "team", Value: hostile, Name: hostile},
		{Key: "run", Value: dashtest.RunID, Name: "pretrain <b>", Place: "prod-use1"},
		{Key: "node", Value: "it's", Name: "it's", Place: "<i>"},
		{Key: "service", Value: "chat", Name: "chat"}, {Key: "device", Value: dashtest.DeviceID, Name: dashtest.DeviceID},
	}
	for range 9 {
		reader.Found = append(reader.Found, metrics.Found{Key: "project", Value: "p", Name: "p"})
	}
	h := server(t, reader)
	const period = "from=2026-11-09&to=2026-11-13"
	body := get(t, h, "/find?q=spe&team=vision&"+period).Body.String()
	has(t, "the page", body, `href="/?from=2026-11-09&amp;to=2026-11-13&amp;filter=team+%3D+%27speech%27"`,
		`href="/runs/`+dashtest.RunID+`?from=2026-11-09&amp;to=2026-11-13"`,
		`filter=node+%3D+%27it%27%27s%27"`, `href="/inference?`, `href="/fleet/devices/`+dashtest.DeviceID,
		`<bdi>pretrain &lt;b&gt;</bdi>`, "There are more")
	if strings.Contains(body, hostile) || strings.Contains(body, "<i>") {
		t.Error("a name is markup")
	}
	if n := strings.Count(body, "<bdi>p</bdi>"); n != 8 {
		t.Errorf("%d projects are listed", n)
	}
	list := get(t, h, "/find?q=spe&team=vision&"+period, "HX-Request", "true").Body.String()
	if strings.Contains(list, "<html") || !strings.Contains(list, "<bdi>speech</bdi>") {
		t.Errorf("scripts get %.200s", list)
	}
	if strings.Contains(list, "vision") {
		t.Error("a found name keeps the filter of the page")
	}
	want := costOf(t, reader, metrics.Options{GroupBy: "team", From: "2026-11-09", To: "2026-11-13"}, "speech")
	has(t, "the cost of speech", body, `data-exact="`+want+`"`)
}

// costOf is the effective cost of a group with one key, as REST gives it.
func costOf(t *testing.T, reader *dashtest.Reader, o metrics.Options, value string) string {
	t.Helper()
	q, err := metrics.Parse("costs", o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := reader.Query(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	at := map[string]int{}
	for i, c := range rows.Columns() {
		at[c.Name] = i
	}
	for rows.Next() {
		if v := rows.Values(); v[at[o.GroupBy]].Text == value {
			return v[at["effective_cost"]].Text
		}
	}
	t.Fatalf("no cost of %s", value)
	return ""
}

func TestPagesAndMetricsAreFound(t *testing.T) {
	h := server(t, dashtest.New())
	has(t, "pages", get(t, h, "/find?q=charge").Body.String(), "Pages", `href="/chargeback"`)
	has(t, "metrics", get(t, h, "/find?q=held+utilisation").Body.String(), "Metrics", "devices.held_utilisation")
	has(t, "nothing", get(t, h, "/find?q=zzz").Body.String(), "Nothing found.")
	has(t, "no text", get(t, h, "/find").Body.String(), "Find a name.")
	if w := get(t, h, "/find?q="+strings.Repeat("a", 201)); w.Code != http.StatusBadRequest {
		t.Errorf("a long text answers %d", w.Code)
	}
}

// Names are shown when their figures cannot be read.
func TestNamesAreFoundWithoutFigures(t *testing.T) {
	reader := dashtest.New()
	reader.Found = []metrics.Found{{Key: "team", Value: "speech", Name: "speech"}}
	reader.Err = map[string]error{"costs": errors.New("broken")}
	if body := get(t, server(t, reader), "/find?q=spe", "HX-Request", "true").Body.String(); !strings.Contains(
		body, "<bdi>speech</bdi>") || strings.Contains(body, "data-exact") {
		t.Errorf("the list is %s", body)
	}
	reader.Err["found"] = errors.New("broken")
	if w := get(t, server(t, reader), "/find?q=spe"); w.Code != http.StatusInternalServerError {
		t.Errorf("names that cannot be read answer %d", w.Code)
	}
}
