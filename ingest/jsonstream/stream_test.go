package jsonstream

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"gpuledger/internal/ledger"
)

func read(t testing.TB, text string, lists ...string) (string, error) {
	t.Helper()
	var out []string
	err := Each(t.Context(), iotest.OneByteReader(strings.NewReader(text)), "f.json", Options{Lists: lists},
		func(v Value) error {
			s := fmt.Sprintf("%d %s %s", v.Line, v.List, v.Raw)
			if v.Around {
				s += " around"
			}
			out = append(out, s)
			return nil
		})
	return strings.Join(out, "|"), err
}

func TestValuesWithTheirLines(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		lists      []string
	}{
		"one":   {text: `{"a":1}`, want: `1  {"a":1}`},
		"lines": {text: "{\"a\":1}\n\n{\"b\":2}\n7", want: `1  {"a":1}|3  {"b":2}|4  7`},
		"array": {text: "[\n{\"a\":1},\n2]\n[3]\n[]", want: `2  {"a":1}|3  2|4  3`},
		"list": {
			text:  "{\"meta\":{\"x\":1},\n\"jobs\": [\n{\"a\":1},\n{\"b\":2}],\"more\":[3]}",
			lists: []string{"jobs"}, want: `3 jobs {"a":1}|4 jobs {"b":2}|1  {"meta":{"x":1},"more":[3]} around`,
		},
		"list of none": {text: `{"jobs":{"a":1}}`, lists: []string{"jobs"}, want: `1  {"jobs":{"a":1}}`},
		"no list":      {text: "{\"job\":1}\n{\"job\":2}", lists: []string{"jobs"}, want: `1  {"job":1}|2  {"job":2}`},
		"mark":         {text: "\ufeff{}", want: `1  {}`},
		"nothing":      {text: " \n\t"},
	} {
		got, err := read(t, c.text, c.lists...)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, got, c.want)
		}
	}
}

func TestBrokenTextIsRefusedWithItsLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"cut off":       {"{\"a\":1}\n{\"b\":", "line 2: broken json: the file ends inside a value"},
		"cut list":      {"{\"jobs\":[\n{\"a\":1},", "line 2: broken json: the file ends inside a value"},
		"garbage":       {"{}\n\nx", "line 3: broken json"},
		"stray bracket": {"{}\n]", "line 2: broken json"},
		"endless":       {`{"jobs":["` + strings.Repeat("x", 18<<20), "larger than 16 MiB"},
	} {
		err := Each(t.Context(), strings.NewReader(c.text), "f.json", Options{Lists: []string{"jobs"}},
			func(Value) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	failing := errors.New("disk")
	err := Each(t.Context(), iotest.ErrReader(failing), "f.json", Options{}, func(Value) error { return nil })
	if !errors.Is(err, failing) {
		t.Errorf("an error of the reader passes through: %v", err)
	}
}

func TestNumbersOfAllVersions(t *testing.T) {
	o, ok := Decode([]byte(`{"bare":7,"text":"8","record":{"set":true,"infinite":false,"number":9},"unset":{"set":false,"number":1},"endless":{"set":true,"infinite":true,"number":1},"half":1.9,"big":9007199254740993,"list":["RUNNING","x"],"deep":{"a":{"b":"c"}}}`))
	if !ok {
		t.Fatal("no object")
	}
	for name, want := range map[string]string{
		"bare": "7 true", "text": "8 true", "record": "9 true", "unset": "0 false",
		"endless": "0 false", "half": "1 true", "big": "9007199254740993 true", "nothing": "0 false",
	} {
		n, ok := o.Int(name)
		if got := fmt.Sprint(n, ok); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if o.Text("list") != "RUNNING" || o.Text("deep", "a", "b") != "c" || o.Text("deep", "x", "y") != "" ||
		o.Text("record") != "9" {
		t.Error(o.Text("list"), o.Text("deep", "a", "b"))
	}
	if _, ok := Decode([]byte(`[1]`)); ok {
		t.Error("a list is no object")
	}
}

func FuzzEach(f *testing.F) {
	f.Add(`{"jobs":[{"a":1}],"b":2}`)
	f.Add("[1,2]\n{}\n")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		err := Each(t.Context(), strings.NewReader(text), "f", Options{Lists: []string{"jobs"}}, func(v Value) error {
			if v.Line < 1 {
				t.Fatal("a value without a line")
			}
			n++
			return nil
		})
		if err == nil {
			return
		}
		if _, ok := errors.AsType[*ledger.FileError](err); !ok {
			t.Fatalf("an error of text is a refusal: %v", err)
		}
	})
}
