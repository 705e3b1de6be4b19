package yamlfault

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

type itself struct{}

func (*itself) UnmarshalYAML(*yaml.Node) error { return nil }

type list struct {
	Name  string    `yaml:"name"`
	Items []*item   `yaml:"items,omitempty"`
	Free  yaml.Node `yaml:"free"`
	Own   itself    `yaml:"own"`
}

type item struct {
	Count int `yaml:"count"`
}

const text = `name: a
nmae: b
items:
  - &first {count: 1}
  - <<: *first
    cuont: 2
  - *first
free: {any: 1}
own: {any: 1}
`

func read(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	return &root
}

func TestUnknown(t *testing.T) {
	got := Unknown(read(t, text), reflect.TypeFor[list]())
	want := []Field{{2, "nmae", "", []string{"name", "items", "free", "own"}}, {6, "cuont", "items", []string{"count"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestLine(t *testing.T) {
	root := read(t, text).Content[0]
	for _, c := range []struct {
		path []any
		want int
	}{
		{nil, 1}, {[]any{"nowhere"}, 1}, {[]any{"free"}, 8}, {[]any{"items", 1}, 5}, {[]any{"items", 1, "cuont"}, 6},
		{[]any{"items", 9}, 3}, {[]any{"name", "deeper"}, 1},
	} {
		if got := Line(root, c.path...); got != c.want {
			t.Errorf("%v: line %d, want %d", c.path, got, c.want)
		}
	}
}

func TestDecoded(t *testing.T) {
	for text, want := range map[string][]Fault{
		"items: [{count: x}]\nname: [1]": {{1, "cannot unmarshal str `x` into int"}, {2, "cannot unmarshal seq into string"}},
		"items: 7":                       {{1, "cannot unmarshal int `7`"}},
		"name: a\n  items: [":            {{2, "mapping values are not allowed in this context"}},
	} {
		err := yaml.Unmarshal([]byte(text), new(list))
		if err == nil {
			t.Errorf("%q is read", text)
			continue
		}
		if got := Decoded([]byte(text), err); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A fault has the line at which the text stops being YAML, not that of the block around it.
func TestBroken(t *testing.T) {
	var long strings.Builder
	long.WriteString("kind: budgets\nbudgets:\n")
	for i := range 200 {
		indent := "  "
		if i == 150 {
			indent = "   "
		}
		long.WriteString(indent + "- name: a\n    key: all\n    period: life\n    amount: 1\n")
	}
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"a bad indent far down":          {long.String(), 603},
		"a bad indent":                   {"a:\n  b: 1\n  c: 2\n d: 3\n", 4},
		"a field after a list":           {"a:\n- x\n- y\nb: c\n- z\n", 5},
		"a field in a list":              {"- x\n- y\n- z\nb: c\n", 4},
		"a value in a value":             {"a: 1\nb: 2\nc: 3\nd: e: f\n", 4},
		"a line without a colon":         {"a: 1\nb: 2\ncolon\nd: 4\n", 3},
		"a quote that never ends":        {"a: 1\nb: \"x\nc: 3\nd: 4\n", 2},
		"a bracket that never ends":      {"a: 1\nb: [x, y\nc: 3\n", 3},
		"a brace that never ends":        {"a: 1\nb: {x: y\nc: 3\n", 3},
		"a bracket at the end":           {"a: 1\nb: [x,\n\n\n", 2},
		"a tab":                          {"a: 1\nb:\n\tc: 2\n", 3},
		"an anchor that is missing":      {"a: 1\nb: 2\nc: *nobody\n", 3},
		"a control character":            {"a: 1\nb: 2\nc: \x01\n", 3},
		"bytes that are not UTF-8":       {"a: 1\nb: 2\nc: 3\nd: \xff\n", 4},
		"the second document":            {"a: 1\n---\nb: 1\n c: 2\n", 4},
		"the first line":                 {"a: b: c\n", 1},
		"an anchor inside its value":     {"a: 1\nb: 2\nc: &x\n  d: *x\n", 4},
		"a merge of what is not a field": {"a: 1\nb:\n  c: 1\n  <<: 7\n", 4},
	} {
		if got := broken([]byte(c.text)); got != c.line {
			t.Errorf("%s: line %d, want %d", name, got, c.line)
		}
		err := yaml.Unmarshal([]byte(c.text), new(map[string]any))
		if err == nil {
			continue // the first document
		}
		if got := Decoded([]byte(c.text), err); len(got) != 1 || got[0].Line != c.line {
			t.Errorf("%s: %v, want line %d", name, got, c.line)
		}
	}
	if got := broken([]byte("a: 1\n---\nb: [1, 2]\n")); got != 0 {
		t.Errorf("a good text is broken in line %d", got)
	}
}
