package promquery

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/internal/ledger"
)

// fake answers like a server of the query API over made-up samples: one per
// name and 15 s.
type fake struct {
	*httptest.Server
	mu        sync.Mutex
	names     []string
	leftOpen  bool // as Prometheus 3
	max       int  // samples per answer; 0: any
	tooLarge  func(w http.ResponseWriter)
	fault     func(w http.ResponseWriter, r *http.Request, n int) bool // answered itself
	asked     int
	questions []string
}

var selectorForm = regexp.MustCompile(`^\{__name__=~?"([^"]+)"(,[^}]*)?\}\[(\d+)ms\]$`)

func newFake(t *testing.T, names ...string) *fake {
	f := &fake{names: names}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

const stepMS = 15_000

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if f.fault != nil && f.fault(w, r, f.asked) {
		return
	}
	if strings.HasSuffix(r.URL.Path, "/api/v1/label/__name__/values") {
		fmt.Fprintf(w, `{"status":"success","data":["up","%s"]}`, strings.Join(f.names, `","`))
		return
	}
	m := selectorForm.FindStringSubmatch(r.FormValue("query"))
	if m == nil {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"status":"error","errorType":"bad_data","error":"parse error: %q"}`, r.FormValue("query"))
		return
	}
	f.questions = append(f.questions, m[0]+" at "+r.FormValue("time"))
	length, _ := strconv.ParseInt(m[3], 10, 64)
	at, err := strconv.ParseFloat(r.FormValue("time"), 64)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	to := int64(at*1000 + 0.5)
	from := to - length
	if f.leftOpen {
		from++
	}
	var out strings.Builder
	n := 0
	for name := range strings.SplitSeq(m[1], "|") {
		if !slices.Contains(f.names, name) {
			continue
		}
		if n > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `{"metric":{"__name__":%q,"UUID":"GPU-1","Hostname":"n1","gpu":"0","modelName":"NVIDIA H100 80GB HBM3","replica":"a"},"values":[`, name)
		first := (from + stepMS - 1) / stepMS * stepMS
		for ms := first; ms <= to; ms += stepMS {
			if ms > first {
				out.WriteByte(',')
			}
			fmt.Fprintf(&out, `[%d.%03d,"%d.5"]`, ms/1000, ms%1000, ms/stepMS%90)
			n++
		}
		out.WriteString("]}")
	}
	if f.max > 0 && n > f.max {
		f.tooLarge(w)
		return
	}
	fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`, out.String())
}

// read reads a window of the fake.
func (f *fake) read(t *testing.T, o Options, windows ...Window) (ledger.Reading, []*ledger.Telemetry, error) {
	t.Helper()
	o.URI = f.URL + "/prefix/"
	o.Wait = func(context.Context, time.Duration) error { return nil }
	r, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Find(t.Context(), Window{windows[0].From, windows[len(windows)-1].To}); err != nil {
		return ledger.Reading{}, nil, err
	}
	var all ledger.Reading
	var facts []*ledger.Telemetry
	for _, w := range windows {
		one, err := r.Read(t.Context(), w, "fake", func(t *ledger.Telemetry) error { facts = append(facts, t); return nil })
		all.Rows, all.Accepted = all.Rows+one.Rows, all.Accepted+one.Accepted
		all.Merge(&one.Tally)
		if err != nil {
			return all, facts, err
		}
	}
	return all, facts, nil
}
