package yamlfault

import (
	"reflect"
	"slices"
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
		if got := Decoded(err); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
