package records

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

func TestCSVAndJSONAreTheSameRecords(t *testing.T) {
	const want = "run_id=a,Nodes=n1;n2,note=x|run_id=b,Nodes=,note={\"k\":[1,2]}|"
	for name, text := range map[string]string{
		"csv":    "\ufeffrun_id,Nodes,note\na,n1;n2,x\nb,NULL,\"{\"\"k\"\":[1,2]}\"\n",
		"lines":  "{\"run_id\":\"a\",\"Nodes\":\"n1;n2\",\"note\":\"x\"}\n{\"run_id\":\"b\",\"Nodes\":null,\"note\":{\"k\":[1,2]}}\n",
		"list":   "[{\"run_id\":\"a\",\"Nodes\":\"n1;n2\",\"note\":\"x\"},\n{\"run_id\":\"b\",\"note\":{\"k\":[1,2]}}]",
		"inside": "{\"data\":[{\"run_id\":\"a\",\"Nodes\":\"n1;n2\",\"note\":\"x\"},{\"run_id\":\"b\",\"note\":{\"k\":[1,2]}}],\"total\":2}",
	} {
		var got strings.Builder
		rd := Reader{Lists: []string{"data"}, Reject: func(r ledger.Rejection) { t.Error(name, r) }}
		err := rd.Each(t.Context(), strings.NewReader(text), "f", func(r *Record) error {
			got.WriteString("run_id=" + r.Text("RunID") + ",Nodes=" + r.Text("nodes") + ",note=" + r.Text("missing", "note") +
				"|")
			if r.Has("other") || !r.Has("RUN-ID") || r.Line < 1 {
				t.Error(name, r)
			}
			return nil
		})
		if err != nil || got.String() != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, got.String(), want)
		}
	}
}

func TestTextThatIsNotARecord(t *testing.T) {
	var rejected []string
	rd := Reader{Reject: func(r ledger.Rejection) { rejected = append(rejected, r.String()) },
		Header: func(names []string) error {
			if names[0] != "a" {
				return errors.New("refused")
			}
			return nil
		}}
	n := 0
	read := func(text string) error {
		return rd.Each(t.Context(), strings.NewReader(text), "f", func(*Record) error { n++; return nil })
	}
	if err := read("a,b\n1\n1,2\n"); err != nil || n != 1 || len(rejected) != 1 ||
		!strings.Contains(rejected[0], "f line 2: wrong number of fields") {
		t.Error(err, n, rejected)
	}
	if err := read("7\n"); err == nil || err.Error() != "refused" {
		t.Error(err)
	}
	if err := read(`[1]`); err != nil || len(rejected) != 2 {
		t.Error(err, rejected)
	}
	for _, text := range []string{`{"a":`, "a,b\n\"x"} {
		if _, ok := errors.AsType[*ledger.FileError](read(text)); !ok {
			t.Errorf("%q is refused", text)
		}
	}
	if err := read(" \n"); err != nil {
		t.Error(err)
	}
}
