package yamlfault

import (
	"cmp"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Fault is something in a file that cannot be used as it is.
type Fault struct {
	Line int // 0: the file as a whole
	Text string
}

var (
	lineForm = regexp.MustCompile(`^line ([0-9]{1,7}): `)
	goType   = regexp.MustCompile(` (in|into) (type )?[^\s;]*[a-z]\.[A-Za-z]+|!!`)
)

// Decoded are the faults in an error of the decoder about a text, without "yaml:" and Go types.
func Decoded(text []byte, err error) (list []Fault) {
	texts := []string{strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: ")}
	several, typed := errors.AsType[*yaml.TypeError](err)
	if typed {
		texts = several.Errors
	}
	for _, said := range texts {
		f := Fault{Text: goType.ReplaceAllString(said, "")}
		if m := lineForm.FindStringSubmatch(f.Text); m != nil {
			f.Line, _ = strconv.Atoi(m[1]) // digits
			f.Text = f.Text[len(m[0]):]
		}
		if !typed {
			f.Line = cmp.Or(broken(text), f.Line)
		}
		list = append(list, f)
	}
	return list
}

// Field is a field of a file that the type of its section does not have.
type Field struct {
	Line    int
	Name    string
	Section string   // the field that has it; empty: the file
	Known   []string // the fields of the section, in their order
}

// Unknown lists the fields of a node that t, a struct, does not have. Fields whose types decode themselves, or are nodes,
// are not looked into.
func Unknown(n *yaml.Node, t reflect.Type) []Field { return unknown(n, t, "") }

func unknown(n *yaml.Node, t reflect.Type, section string) (list []Field) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nodeType || reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	switch {
	case n.Kind == yaml.DocumentNode:
		for _, child := range n.Content {
			list = append(list, unknown(child, t, section)...)
		}
	case n.Kind == yaml.AliasNode:
		// its anchor is read where it is written
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for _, child := range n.Content {
			list = append(list, unknown(child, t.Elem(), section)...)
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		names, types := fieldsOf(t)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if key.Value == mergeKey {
				continue
			}
			if child, known := types[key.Value]; known {
				list = append(list, unknown(value, child, key.Value)...)
				continue
			}
			list = append(list, Field{key.Line, key.Value, section, names})
		}
	}
	return list
}

// mergeKey takes over the fields of another mapping.
const mergeKey = "<<"

var (
	nodeType    = reflect.TypeFor[yaml.Node]()
	unmarshaler = reflect.TypeFor[yaml.Unmarshaler]()
)

// fieldsOf are the fields of a section as they are written, in their order.
func fieldsOf(t reflect.Type) (names []string, types map[string]reflect.Type) {
	types = map[string]reflect.Type{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		if name != "" && name != "-" {
			names = append(names, name)
			types[name] = t.Field(i).Type
		}
	}
	return names, types
}

// Line is the line of the deepest node that exists of a path: names of fields, and indexes of lists. Without any it is
// the line of root.
func Line(root *yaml.Node, path ...any) int {
	n, line := root, root.Line
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
