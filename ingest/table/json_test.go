package table_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/test/billtest"
)

// open puts a file below a folder of the test and opens it.
func open(t testing.TB, name string, content []byte, o table.Options) (table.Table, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	billtest.Put(t, path, content)
	return table.Open(blob.File{Name: name, Path: path, Size: int64(len(content))}, o)
}

// cells reads all rows of a file, as "line: name=text …".
func cells(t testing.TB, name string, content []byte, o table.Options) ([]string, error) {
	t.Helper()
	tb, err := open(t, name, content, o)
	if err != nil {
		return nil, err
	}
	defer tb.Close()
	var out []string
	err = tb.Each(context.Background(), func(r table.Row) error {
		line := []string{}
		for i, n := range tb.Names() {
			if v := r.Raw(i); v != "" {
				line = append(line, n+"="+v)
			}
		}
		slices.Sort(line)
		out = append(out, fmt.Sprintf("%d: %s", r.Line(), strings.Join(line, " ")))
		return nil
	})
	for _, bad := range tb.Rejected().First {
		out = append(out, bad.String())
	}
	return out, err
}

func TestJSONLayouts(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"lines":        {"{\"a\":1,\"b\":{\"c\":\"x\"}}\n{\"a\":\"2\"}\n\n", "1: a=1 b.c=x|2: a=2"},
		"pretty":       {"{\n \"a\": 1\n}{\n\"a\":2,\"b\":{\"c\":true}}", "1: a=1|3: a=2 b.c=true"},
		"list":         {"\ufeff [\n{\"a\":1},\n {\"a\":2}\n]\n", "2: a=1|3: a=2"},
		"empty list":   {"[ ]", ""},
		"repeated":     {`{"l":[{"b":null,"a":"x"},{"b":2.50,"a":[]}],"m":[]}`, `1: l=[{"a":"x"},{"b":2.5}]`},
		"null record":  {`{"p":null,"a":1}` + "\n" + `{"p":{"id":"x"},"a":1}`, "1: a=1|2: a=1 p.id=x"},
		"late member":  {`{"a":1}` + strings.Repeat("\n", 5) + `{"z":{"y":{"x":1e-3}}}`, "1: a=1|6: z.y.x=1e-3"},
		"record twice": {`{"p":"text"}{"p":{"id":1}}`, "1: p=text|1: p.id=1"},
		"escapes":      {`{"a":"\u00e9\"\\\n","b\u002e":"\ud83d\ude00"}`, "1: a=é\"\\\n b.=😀"},
		"same name": {
			`{"a":1,"a":2}` + "\n" + `{"a":3}`,
			"2: a=3|f.json line 1: duplicate member: a record has one member twice, so its value is ambiguous",
		},
		"braces": {`{"a":"}{][\"","l":[[1,2],["}"]]}`, `1: a=}{][" l=[[1,2],["}"]]`},
	} {
		got, err := cells(t, "f.json", []byte(c.text), table.Options{})
		if err != nil || strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, strings.Join(got, "|"), c.want, err)
		}
	}
	got, err := cells(t, "f.json", []byte(`{"tags":{"b":"2","a":"1"},"x":{"y":1}}`), table.Options{Maps: []string{"tags"}})
	if want := `1: tags={"a":"1","b":"2"} x.y=1`; err != nil || strings.Join(got, "|") != want {
		t.Errorf("a map: %q %v", got, err)
	}
}

func TestHostileJSON(t *testing.T) {
	for name, c := range map[string]struct{ text, reason, says string }{
		"cut in a record": {"{\"a\":1}\n{\"a\":", "truncated file", "line 2"},
		"cut in a string": {"{\"a\":1}\n{\"a\":\"x", "truncated file", "byte 8"},
		"cut in a list":   {"[{\"a\":1},\n", "truncated file", "line 2"},
		"no comma":        {`[{"a":1}{"a":2}]`, "broken json", "byte 8"},
		"two commas":      {`[{"a":1},,{"a":2}]`, "broken json", "byte 9"},
		"last comma":      {`[{"a":1},]`, "broken json", "byte 9"},
		"after the list":  {`[{"a":1}] {"a":2}`, "broken json", "byte 10"},
		"no value":        {"{\"a\":1}\n{\"a\":}", "broken json", "line 2"},
		"bare word":       {`{"a":yes}`, "broken json", "value is expected"},
		"NaN":             {`{"a":NaN}`, "broken json", "value is expected"},
		"leading zero":    {`{"a":007}`, "broken json", "value is expected"},
		"control":         {"{\"a\":\"x\ny\"}", "broken json", "control character"},
		"broken escape":   {`{"a":"\x"}`, "broken json", "escape"},
		"wrong bracket":   {`{"a":[1}]`, "broken json", "comma"},
		"text between":    {`{"a":1} x {"a":2}`, "broken json", `"x"`},
		"deep list": {
			`{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, "broken json", "deeper than 32",
		},
		"deep record":  {strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40), "broken json", "deeper than 32"},
		"many members": {`{"a":{` + members(5000) + `}}`, "broken json", "more than 4096"},
		"many items":   {`{"a":[` + strings.Repeat("0,", 70_000) + `0]}`, "broken json", "more than 65536"},
		"long row":     {`{"a":"` + strings.Repeat("x", 17<<20) + `"}`, "broken json", "16 MiB"},
	} {
		_, err := cells(t, "f.json", []byte(c.text), table.Options{})
		var fe *ledger.FileError
		if !errors.As(err, &fe) || fe.Reason != c.reason || !strings.Contains(fe.String(), c.says) || fe.File != "f.json" {
			t.Errorf("%s: %v, want %s … %s", name, err, c.reason, c.says)
		}
	}
}

func members(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"m%d":1,`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

func TestHeadNames(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat(`{"billing_account_id":"x","service":{"id":"y"},"credits":[]}`+"\n", 5000)
	path := filepath.Join(dir, "big.json")
	billtest.Put(t, path, []byte(text))
	names, err := table.HeadNames(billtest.List(t, path)[0], table.Options{})
	if err != nil || strings.Join(names, " ") != "billing_account_id service.id credits" {
		t.Errorf("%v %v", names, err)
	}
	path = filepath.Join(dir, "list.csv")
	billtest.Put(t, path, []byte("[name],b\n1,2\n"))
	if names, err = table.HeadNames(billtest.List(t, path)[0], table.Options{}); err != nil ||
		strings.Join(names, " ") != "[name] b" {
		t.Errorf("%v %v", names, err)
	}
}

func TestRecords(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"a","amount":-1.50,"x":null,"y":[]},null]`:   "name=a amount=-1.5",
		`[{'key': 'it\'s', 'value': None, 'inherited': True}]`: "key=it's inherited=true",
		`[{'key': "it's", 'value': 'a\\b\x41\n'}]`:             "key=it's value=a\\bA\n",
		`{"month":"202611"}`:                                   "month=202611",
		`[{"labels":[{"key":"b","value":"2","a":0}]}]`:         `labels=[{"a":0,"key":"b","value":"2"}]`,
		`[]`: "", ` `: "", `null`: "", `[{}]`: "",
	} {
		records, err := table.ParseRecords(text)
		var got []string
		for _, r := range records {
			for _, m := range r {
				got = append(got, m.Key+"="+m.Value)
			}
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q %v", text, got, err)
		}
	}
	for _, text := range []string{
		`x`, `[1]`, `"a"`, `[{"a":1},2]`, `[{'a': Decimal('1')}]`,
		`[{"a":1,"a":2}]`, `[{'a': 'x]`, `[{"a":1}`, `[{'a': '\q'}]`, `1`,
	} {
		if r, err := table.ParseRecords(text); err == nil {
			t.Errorf("%s gives %v", text, r)
		}
	}
	// The same records are the same bytes.
	a, err1 := table.AppendRecords(nil, `[{"amount": "-40.0", "name": "x", "id": null}]`)
	b, err2 := table.AppendRecords(nil, `[{'name': 'x', 'amount': -40}]`)
	if err1 != nil || err2 != nil || string(a) != string(b) || len(a) == 0 {
		t.Errorf("%s, %s", a, b)
	}
}
