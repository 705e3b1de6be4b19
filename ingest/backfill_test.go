package ingest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpuledger/ingest/promquery"
	"gpuledger/internal/period"
)

// history is a query API with one sample per hour of one series.
func history(t *testing.T, asked *[]string, broken func(at string) bool) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/values") {
			fmt.Fprint(w, `{"status":"success","data":["DCGM_FI_DEV_POWER_USAGE"]}`)
			return
		}
		at := r.FormValue("time")
		*asked = append(*asked, at)
		if broken != nil && broken(at) {
			http.Error(w, "gone", http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","UUID":"GPU-1","Hostname":"n1","gpu":"0"},"values":[[%s,"300"]]}]}}`, at)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestBackfillContinuesWhereItStopped(t *testing.T) {
	m := newMemory()
	now := time.Date(2026, 11, 20, 0, 30, 0, 0, time.UTC)
	var asked []string
	var refused string
	url := history(t, &asked, func(at string) bool { return refused != "" && at >= refused })
	run := func(from, to string) (*Summary, error) {
		t.Helper()
		asked = nil
		im := importer(m)
		im.Now = func() time.Time { return now }
		q := Query{
			Lookback: 48 * time.Hour, Access: promquery.Options{Wait: func(context.Context, time.Duration) error { return nil }},
		}
		if from != "" {
			q.From = second(from)
		}
		if to != "" {
			q.To = second(to)
		}
		s, err := im.Import(t.Context(), Request{Source: SourcePrometheus, URIs: []string{url}, Cluster: "c", Query: q})
		if m.open != 0 {
			t.Fatalf("%d stages left open", m.open)
		}
		return s, err
	}
	s, err := run("", "")
	if err != nil || s.State != ImportPublished || s.Files != 49 || len(asked) != 49 || s.RowsRead != 49 ||
		s.Accepted != 49 || s.Bytes == 0 {
		t.Fatalf("the first time: %+v %v", s, err)
	}
	now = now.Add(2 * time.Hour)
	if s, err = run("", ""); err != nil || s.Files != 4 { // an hour again, in two pieces, and the new samples
		t.Errorf("the second time: %d hours %v, %v", s.Files, asked, err)
	}
	// A requested range that broke off on its third day.
	refused = fmt.Sprint(second("2026-10-03T05:00:00Z").Time().Unix())
	s, err = run("2026-10-01T00:00:00Z", "2026-10-05T00:00:00Z")
	if final, whole := Final(err); err == nil || s.State != ImportPublished || s.Accepted != 48 || s.Refused != 1 ||
		!final || whole || !strings.Contains(err.Error(), "the others were published") {
		t.Errorf("broken off: %+v, %v", s, err)
	}
	refused = ""
	if s, err = run("2026-10-01T00:00:00Z", "2026-10-05T00:00:00Z"); err != nil || s.Files != 48 {
		t.Errorf("gone on with: %d hours, %v", s.Files, err)
	}
	if s, err = run("2026-10-01T00:00:00Z", "2026-10-05T00:00:00Z"); err != nil || s.Files != 96 {
		t.Errorf("once more: %d hours, %v", s.Files, err)
	}
	if s, err = run("", ""); err != nil || s.Files > 2 {
		t.Errorf("what is new, after it: %d hours, %v", s.Files, err)
	}
	// Every query fails.
	refused = "0"
	if s, err = run("2026-09-01T00:00:00Z", "2026-09-02T00:00:00Z"); err == nil || s.State != ImportRefused ||
		s.Accepted != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	var states []string
	for _, rec := range m.imports {
		states = append(states, string(rec.State))
	}
	if n := len(states); n != 7 || slices.Contains(states, string(ImportRunning)) {
		t.Errorf("%d records: %v", n, states)
	}
}

// A first backfill that finds no samples notes the days on which the server has some, with the
// options that read them; one that finds no new samples does not.
func TestABackfillWithoutSamplesNotesDaysWithSome(t *testing.T) {
	now := time.Date(2026, 11, 20, 0, 30, 0, 0, time.UTC)
	at := func(day string) int64 { return second(day + "T00:00:00Z").Time().Unix() }
	name, matrix, status := "DCGM_FI_DEV_GPU_UTIL", "", http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/values"):
			fmt.Fprintf(w, `{"status":"success","data":[%q]}`, name)
		case strings.HasSuffix(r.URL.Path, "/query_range"):
			if want := `count(last_over_time({__name__="DCGM_FI_DEV_GPU_UTIL"}[1d]))`; r.FormValue("query") != want ||
				r.FormValue("step") != "86400" {
				t.Errorf("asked for %s by %s", r.FormValue("query"), r.FormValue("step"))
			}
			w.WriteHeader(status)
			if start, err := strconv.ParseFloat(r.FormValue("start"), 64); err != nil || int64(start) > at("2026-03-02") {
				matrix = ""
			} else if status == http.StatusOK { // whole days, by their ends
				matrix = fmt.Sprintf(`{"metric":{},"values":[[%d,"1"],[%d,"2"]]}`, at("2026-03-02"), at("2026-03-10"))
			}
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`, matrix)
		default:
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[]}}`)
		}
	}))
	t.Cleanup(s.Close)
	notes := func(m *memory) string {
		t.Helper()
		im := importer(m)
		im.Now = func() time.Time { return now }
		sum, err := im.Import(t.Context(), Request{Source: SourcePrometheus, URIs: []string{s.URL}, Cluster: "c",
			Query: Query{Access: promquery.Options{Wait: func(context.Context, time.Duration) error { return nil }}}})
		if err != nil || sum.Accepted != 0 || sum.State != ImportUnchanged {
			t.Fatalf("%+v, %v", sum, err)
		}
		return fmt.Sprint(sum.NotedByReason)
	}
	m := newMemory()
	if got := notes(m); !strings.Contains(got,
		"it has some from 2026-03-01 to 2026-03-09: use --from 2026-03-01 --to 2026-03-10") {
		t.Error(got)
	}
	if got := notes(m); strings.Contains(got, "--from") {
		t.Errorf("the second time: %s", got)
	}
	status = http.StatusUnprocessableEntity
	if got := notes(newMemory()); !strings.Contains(got, "did not list the days") {
		t.Error(got)
	}
	if name = "up"; !strings.Contains(notes(newMemory()), "nor in the five years before") {
		t.Error("a server without any metric that is read")
	}
}

func TestHoursOf(t *testing.T) {
	at := func(text string) period.Second { return *second(text) }
	got := fmt.Sprint(hoursOf(period.Interval{From: at("2026-11-01T00:59:59Z"), To: at("2026-11-01T03:00:00Z")}))
	if want := "[2026-11-01T00:59:59Z/2026-11-01T01:00:00Z 2026-11-01T01:00:00Z/2026-11-01T02:00:00Z " +
		"2026-11-01T02:00:00Z/2026-11-01T03:00:00Z]"; got != want {
		t.Error(got)
	}
	if got := hoursOf(period.Interval{From: 5, To: 5}); len(got) != 0 {
		t.Error(got)
	}
}
