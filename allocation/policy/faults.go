package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/ledger"
	"gpuledger/internal/nearest"
	"gpuledger/internal/period"
)

// Fault is one fault of a document.
type Fault struct {
	Line int
	What string // the fault, and the values that are possible
}

// Check reads a document and lists every fault with its line. Parse names the first one.
func Check(text []byte) (Version, []Fault) {
	if len(text) > MaxDocument {
		return Version{}, []Fault{{1, fmt.Sprintf("the document is larger than %d bytes", MaxDocument)}}
	}
	var doc document
	root, found := decode(text, &doc)
	if root == nil {
		return Version{}, found
	}
	v, faults := doc.version()
	if len(faults) == 0 {
		if err := v.Validate(); err != nil {
			faults.add(errors.New(strings.TrimPrefix(err.Error(), "policy "+doc.Version+": ")), "settings")
		}
	}
	return v, append(found, faults.in(root)...)
}

// A located fault is an error with the path to its place: names of fields and indexes of lists.
type located struct {
	err  error
	path []any
}

type faults []located

func (f *faults) add(err error, path ...any) {
	if err != nil {
		*f = append(*f, located{err, path})
	}
}

// lineError is an error that knows its line.
type lineError struct {
	line int
	text string
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.text) }

// in finds the lines of faults in the document.
func (f faults) in(root *yaml.Node) []Fault {
	var out []Fault
	for _, l := range f {
		if e, ok := errors.AsType[*lineError](l.err); ok {
			out = append(out, Fault{e.line, e.text})
			continue
		}
		out = append(out, Fault{lineOf(root, l.path), l.err.Error()})
	}
	return out
}

// lineOf is the line of the deepest node of a path that exists.
func lineOf(n *yaml.Node, path []any) int {
	line := n.Line
	for _, step := range path {
		var next *yaml.Node
		switch step := step.(type) {
		case string:
			for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == step {
					line, next = n.Content[i].Line, n.Content[i+1]
				}
			}
		case int:
			if n.Kind == yaml.SequenceNode && step < len(n.Content) {
				next = n.Content[step]
				line = next.Line
			}
		}
		if next == nil {
			return line
		}
		n = next
	}
	return line
}

// decode reads the only document of a text into out, a pointer to a struct. root is nil if it cannot be read at all.
func decode(text []byte, out any) (root *yaml.Node, found []Fault) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, []Fault{{1, "the document is empty"}}
		}
		return nil, []Fault{lineIn(err.Error())}
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, []Fault{{max(more.Line, 1), "more than one document: remove everything from the line --- on"}}
	}
	root = doc.Content[0]
	found = unknownFields(root, reflect.TypeOf(out).Elem())
	err := root.Decode(out)
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		for _, text := range wrong.Errors {
			found = append(found, lineIn(text))
		}
	} else if err != nil {
		found = append(found, lineIn(err.Error()))
	}
	return root, found
}

var lineText = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(.*)$`)

// lineIn cuts a message of the decoder into line and text.
func lineIn(text string) Fault {
	m := lineText.FindStringSubmatch(strings.ReplaceAll(text, "\n", " "))
	line, err := strconv.Atoi(m[1])
	if err != nil {
		line = 1
	}
	return Fault{line, typeName.ReplaceAllString(m[2], "")}
}

var nodeType = reflect.TypeFor[yaml.Node]()

// unknownFields lists the fields of a mapping that a struct type does not have. Fields that are kept as nodes are read,
// and checked, elsewhere.
func unknownFields(n *yaml.Node, t reflect.Type) (found []Fault) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case t == nodeType:
	case t.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			found = append(found, unknownFields(item, t.Elem())...)
		}
	case t.Kind() == reflect.Struct && n.Kind == yaml.MappingNode:
		fields := map[string]reflect.Type{}
		var names []string
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			fields[name] = t.Field(i).Type
			names = append(names, name)
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if of, known := fields[key.Value]; known {
				found = append(found, unknownFields(n.Content[i+1], of)...)
				continue
			}
			found = append(found, Fault{key.Line, fmt.Sprintf("%q is not a field%s: write %s", key.Value,
				nearest.Suggest(key.Value, names), strings.Join(names, ", "))})
		}
	}
	return found
}

// day reads valid_from.
func (f *faults) day(text string) period.Second {
	if text == "" {
		return 0
	}
	day, err := period.ParseDay(text)
	if err != nil {
		f.add(fmt.Errorf("valid_from: %w", err), "valid_from")
	}
	return day
}

func (f *faults) owners(list []ownerRule) (out []OwnerRule) {
	for i := range list {
		r, err := list[i].rule()
		if err != nil {
			f.add(fmt.Errorf("owner rule %d: %w", i+1, err), "owners", i)
			continue
		}
		out = append(out, r)
	}
	return out
}

func (f *faults) allowed(list []allowedValues) (out []AllowedValues) {
	for i, a := range list {
		if err := patterns(a.Namespace); err != nil || !slices.Contains(ledger.Dimensions, a.Dimension) {
			f.add(fmt.Errorf("allowed %d: namespace must be a pattern and dimension one of %s", i+1,
				strings.Join(ledger.Dimensions, ", ")), "allowed", i)
		}
		out = append(out, AllowedValues(a))
	}
	return out
}
