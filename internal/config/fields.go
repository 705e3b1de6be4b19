package config

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/nearest"
)

// findUnknown adds the fields of a file that the type of its section has not, each with the nearest name that it has.
func (f *Faults) findUnknown(n *yaml.Node, t reflect.Type, section string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return
	}
	switch {
	case n.Kind == yaml.DocumentNode:
		for _, child := range n.Content {
			f.findUnknown(child, t, section)
		}
	case n.Kind == yaml.AliasNode:
		// its anchor is read where it is written
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for _, child := range n.Content {
			f.findUnknown(child, t.Elem(), section)
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		names, types := fieldsOf(t)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if key.Value == mergeKey {
				continue
			}
			if child, known := types[key.Value]; known {
				f.findUnknown(value, child, key.Value)
				continue
			}
			where := ""
			if section != "" {
				where = " in " + section
			}
			f.Add(key.Line, "unknown field %s%s%s; known are %s", key.Value, where, nearest.Suggest(key.Value, names),
				strings.Join(names, ", "))
		}
	}
}

// mergeKey takes over the fields of another mapping.
const mergeKey = "<<"

var unmarshaler = reflect.TypeFor[yaml.Unmarshaler]()

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
