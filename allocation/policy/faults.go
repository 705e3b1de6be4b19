package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/nearest"
	"gpuledger/internal/yamlfault"
)

// Fault is one fault of a document: its line, and the fault with the values that are possible.
type Fault = yamlfault.Fault

// Check reads a document and lists every fault with its line. Parse names the first one.
func Check(text []byte) (Version, []Fault) {
	if len(text) > MaxDocument {
		return Version{}, []Fault{{Line: 1, Text: fmt.Sprintf("the document is larger than %d bytes", MaxDocument)}}
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
type lineError Fault

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// in finds the lines of faults in the document.
func (f faults) in(root *yaml.Node) []Fault {
	var out []Fault
	for _, l := range f {
		if e, ok := errors.AsType[*lineError](l.err); ok {
			out = append(out, Fault(*e))
			continue
		}
		out = append(out, Fault{Line: yamlfault.Line(root, l.path...), Text: l.err.Error()})
	}
	return out
}

// ValueLine is the line of a rule among the mapped values of a document, and of a policy or a mapping.
func ValueLine(text []byte, rule int) int {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return 1 // a document that is stored was read before
	}
	return yamlfault.Line(doc.Content[0], "values", rule)
}

// decode reads the only document of a text into out, a pointer to a struct. root is nil if it cannot be read at all.
func decode(text []byte, out any) (root *yaml.Node, found []Fault) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, []Fault{{Line: 1, Text: "the document is empty"}}
		}
		return nil, decoded(text, err)
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, []Fault{{Line: max(more.Line, 1), Text: "more than one document: remove everything from the line --- on"}}
	}
	root = doc.Content[0]
	for _, field := range yamlfault.Unknown(root, reflect.TypeOf(out)) {
		found = append(found, Fault{Line: field.Line, Text: fmt.Sprintf("%q is not a field%s: write %s", field.Name,
			nearest.Suggest(field.Name, field.Known), strings.Join(field.Known, ", "))})
	}
	if err := root.Decode(out); err != nil {
		found = append(found, decoded(text, err)...)
	}
	return root, found
}

// decoded are the faults that the decoder found; one without a line is on the first.
func decoded(text []byte, err error) []Fault {
	list := yamlfault.Decoded(text, err)
	for i := range list {
		list[i].Line = max(list[i].Line, 1)
	}
	return list
}
