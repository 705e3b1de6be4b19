package promquery

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/ledger"
)

var deviceNames = []string{"DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED",
	"DCGM_FI_DEV_FB_FREE", "DCGM_FI_DEV_GPU_TEMP",
	"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_DRAM_ACTIVE",
	"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "DCGM_FI_DEV_XID_ERRORS"}

const startMS = 1_700_000_100_000 // on a sample

func TestWindowsAreExactOnBothSides(t *testing.T) {
	for _, open := range []bool{false, true} {
		f := newFake(t, deviceNames[0])
		f.leftOpen = open
		whole := Window{startMS, startMS + 600_000}
		one, _, err := f.read(t, Options{}, whole)
		if err != nil {
			t.Fatal(err)
		}
		if one.Rows != 40 || one.Accepted != 40 || one.RejectedRows() != 0 {
			t.Errorf("left open %v: %+v", open, one)
		}
		cut, _, err := f.read(t, Options{}, Window{startMS, startMS + 60_000}, Window{startMS + 60_000, startMS + 75_001},
			Window{startMS + 75_001, startMS + 600_000})
		if err != nil || cut.Rows != 40 {
			t.Errorf("left open %v, in pieces: %d rows, %v", open, cut.Rows, err)
		}
	}
}

func limited(status int, kind, words string) func(w http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"status":"error","errorType":%q,"error":%q}`, kind, words)
	}
}

func TestTooLargeIsCut(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter){
		"prometheus": limited(422, "execution",
			"query processing would load too many samples into memory in query execution"),
		"mimir": limited(422, "execution",
			"the query exceeded the maximum number of chunks (limit: 2000000 chunks) (err-mimir-max-chunks-per-query)"),
		"thanos":   limited(500, "internal", "expanding series: exceeded series limit"),
		"victoria": limited(400, "400", "cannot select more than -search.maxSamplesPerQuery=1000000000 samples"),
		"timeout":  limited(503, "timeout", "query timed out in expression evaluation"),
		"gateway":  func(w http.ResponseWriter) { http.Error(w, "upstream", http.StatusGatewayTimeout) },
		"nginx":    func(w http.ResponseWriter) { http.Error(w, "<html>413</html>", http.StatusRequestEntityTooLarge) },
	} {
		f := newFake(t, deviceNames...)
		f.max, f.tooLarge = 60, answer
		got, facts, err := f.read(t, Options{}, Window{startMS, startMS + 3_600_000})
		if err != nil || got.Rows != 2400 {
			t.Errorf("%s: %d rows, %v", name, got.Rows, err)
			continue
		}
		f.max = 0
		want, whole, err := f.read(t, Options{}, Window{startMS, startMS + 3_600_000})
		if err != nil || want.Rows != got.Rows || fmt.Sprint(len(whole)) != fmt.Sprint(len(facts)) ||
			fmt.Sprintf("%+v", *whole[0]) != fmt.Sprintf("%+v", *facts[0]) {
			t.Errorf("%s: in pieces it reads otherwise: %v", name, err)
		}
	}
	f := newFake(t, deviceNames...)
	_, _, err := f.read(t, Options{MaxAnswer: 600}, Window{startMS, startMS + 3_600_000})
	if err != nil {
		t.Errorf("answers above our own bound: %v", err)
	}
	f.max, f.tooLarge = 1, limited(422, "execution", "too many samples")
	_, _, err = f.read(t, Options{}, Window{startMS, startMS + 3_600_000})
	if fe := (*ledger.FileError)(nil); !errors.As(err, &fe) || fe.Reason != "answer too large" {
		t.Errorf("a minute of one name that is too large: %v", err)
	}
}

func TestFaults(t *testing.T) {
	query := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/query") }
	once := func(status int, header, body string) func(http.ResponseWriter, *http.Request, int) bool {
		failed := 0
		return func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if !query(r) || failed == 2 {
				return false
			}
			failed++
			if header != "" {
				w.Header().Set("Retry-After", header)
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return true
		}
	}
	always := func(status int, body string) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if query(r) {
				w.WriteHeader(status)
				fmt.Fprint(w, body)
			}
			return query(r)
		}
	}
	partial := `{"status":"success","data":{"resultType":"matrix","result":[]},"warnings":["store 10.0.0.1 is not reachable"]}`
	for name, c := range map[string]struct {
		fault func(http.ResponseWriter, *http.Request, int) bool
		want  string
	}{
		"429 and then":     {once(429, "7", "slow down"), ""},
		"503 and then":     {once(503, "Mon, 01 Jan 2024 00:00:00 GMT", "<html>"), ""},
		"partial and then": {once(200, "", partial), ""},
		"partial for ever": {always(200, partial), "only a partial answer: store 10.0.0.1"},
		"no json":          {always(200, "<html>login</html>"), "not the JSON"},
		"bad data": {
			always(400, `{"status":"error","errorType":"bad_data","error":"parse error"}`), "refused by the server",
		},
		"unauthorized": {always(401, "no"), "bearer_token_env"},
		"not there":    {always(404, "404 page not found"), "/select/0/prometheus"},
		"down":         {always(500, `{"status":"error","errorType":"internal","error":"boom"}`), "answered 500: boom"},
		"no POST": {func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if query(r) && r.Method == http.MethodPost {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return true
			}
			return false
		}, ""},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request, _ int) bool {
			http.Redirect(w, r, "http://127.0.0.2:1/", http.StatusTemporaryRedirect)
			return true
		}, "redirects to http://127.0.0.2:1"},
		"names unknown": {func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if !query(r) {
				http.NotFound(w, r)
			}
			return !query(r)
		}, ""},
		"cut": {func(w http.ResponseWriter, r *http.Request, n int) bool {
			if query(r) && n < 4 {
				w.Header().Set("Content-Length", "1000")
				fmt.Fprint(w, `{"status":"success"`)
				return true
			}
			return false
		}, ""},
	} {
		f := newFake(t, deviceNames[:2]...)
		f.fault = c.fault
		got, _, err := f.read(t, Options{}, Window{startMS, startMS + 60_000})
		switch {
		case c.want == "" && (err != nil || got.Rows != 8):
			t.Errorf("%s: %d rows, %v", name, got.Rows, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestCredentialsAndParametersOfQueries(t *testing.T) {
	f := newFake(t, deviceNames[0])
	var seen []string
	f.fault = func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		user, password, _ := r.BasicAuth()
		seen = append(seen, r.URL.Path+" "+user+":"+password+" "+r.Header.Get("Authorization")+" "+r.Header.Get("X-Scope-OrgID")+" "+r.URL.Query().Get("extra"))
		return false
	}
	for _, uri := range []string{
		"http://me:s3cret@" + strings.TrimPrefix(f.URL, "http://") + "/prom/api/v1/?extra=1", f.URL,
	} {
		r, err := Open(Options{URI: uri, OrgID: "t1", BearerToken: map[bool]string{true: "tok"}[uri == f.URL]})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Find(t.Context(), Window{startMS, startMS + 1}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.Address(), "s3cret") {
			t.Error(r.Address())
		}
	}
	if len(seen) != 2 || !strings.HasPrefix(seen[0], "/prom/api/v1/label/__name__/values me:s3cret Basic") ||
		!strings.HasSuffix(seen[0], "t1 1") || !strings.Contains(seen[1], "Bearer tok t1") {
		t.Errorf("%q", seen)
	}
	for _, bad := range []string{"ftp://x", "prometheus:9090", "http://", "http://x:y:z/"} {
		if err := Check(bad, nil); err == nil {
			t.Errorf("%q is no address", bad)
		}
	}
}

func TestMatchers(t *testing.T) {
	for in, want := range map[string]string{
		`cluster="a"`:                      `cluster="a"`,
		`{job=~"dcgm.*", zone != "x\"},"}`: `job=~"dcgm.*",zone!="x\"},"`,
		``:                                 ``,
		`a="b"} or {c="d"`:                 "error",
		`{a="b"`:                           "error",
		`__name__="x"`:                     "error",
		`a=b`:                              "error",
		`a="b`:                             "error",
		`a="b" c="d"`:                      "error",
		`9a="b"`:                           "error",
	} {
		got, err := matchers([]string{in})
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %s (%v), want %s", in, got, err, want)
		}
	}
}

func TestWaitsAsLongAsAsked(t *testing.T) {
	f := newFake(t, deviceNames[0])
	f.fault = func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n == 1 {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return n == 1
	}
	var waited []time.Duration
	r, err := Open(Options{
		URI: f.URL, Wait: func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Find(t.Context(), Window{startMS, startMS + 1}); err != nil || len(waited) != 1 ||
		waited[0] != 7*time.Second {
		t.Errorf("waited %v, %v", waited, err)
	}
}
