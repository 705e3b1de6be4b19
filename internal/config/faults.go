package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/nearest"
	"gpuledger/internal/yamlfault"
)

// Fault is something in a file that cannot be used as it is.
type Fault = yamlfault.Fault

// Faults are all faults of a file, by line.
type Faults struct {
	File string // its path; empty: a text that came from nowhere
	List []Fault
}

// Error implements error: one fault a line, each as FILE:LINE: TEXT, which editors open.
func (f *Faults) Error() string {
	lines := make([]string, len(f.List))
	for i, fault := range f.List {
		switch {
		case f.File == "" && fault.Line > 0:
			lines[i] = fmt.Sprintf("line %d: %s", fault.Line, fault.Text)
		case f.File == "":
			lines[i] = fault.Text
		case fault.Line > 0:
			lines[i] = fmt.Sprintf("%s:%d: %s", f.File, fault.Line, fault.Text)
		default:
			lines[i] = fmt.Sprintf("%s: %s", f.File, fault.Text)
		}
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return fmt.Sprintf("%d faults\n%s", len(lines), strings.Join(lines, "\n"))
}

// Add adds a fault.
func (f *Faults) Add(line int, format string, args ...any) {
	f.List = append(f.List, Fault{Line: line, Text: fmt.Sprintf(format, args...)})
}

// Err is nil without faults.
func (f *Faults) Err() error {
	if len(f.List) == 0 {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	f.List = slices.Compact(f.List)
	return f
}

// adding collects faults of an entry that begins at a line.
func (f *Faults) adding(line int, entry string) fault {
	return func(format string, args ...any) { f.Add(line, "%s", entry+fmt.Sprintf(format, args...)) }
}

// decoded adds the faults that a decoder found in a text.
func (f *Faults) decoded(text []byte, err error) {
	f.List = append(f.List, yamlfault.Decoded(text, err)...)
}

// findUnknown adds the fields that no section of a configuration has, each with the nearest name that it has.
func (f *Faults) findUnknown(root *yaml.Node) {
	for _, field := range yamlfault.Unknown(root, reflect.TypeFor[Config]()) {
		where := ""
		if field.Section != "" {
			where = " in " + field.Section
		}
		f.Add(field.Line, "unknown field %s%s%s; known are %s", field.Name, where,
			nearest.Suggest(field.Name, field.Known), strings.Join(field.Known, ", "))
	}
}

// oneFault is the fault of a value, as decoders report it, so that they go on behind it.
func oneFault(n *yaml.Node, format string, args ...any) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: ", n.Line) + fmt.Sprintf(format, args...)}}
}

// lineOf is the line of the deepest key of a path that is in the file; 0: no key of it is.
func lineOf(root *yaml.Node, path ...string) (line int) {
	for n := 1; n <= len(path); n++ {
		if key, _ := find(root, path[:n]); key != nil {
			line = key.Line
		}
	}
	return line
}

// sectionLine is the line at which a section's first key is; 0: there is no such section.
func sectionLine(root *yaml.Node, path ...string) int {
	if section := nodeOf(root, path...); section != nil {
		return section.Line
	}
	return 0
}

// nodeOf is the value at a path of keys; nil: it is not there.
func nodeOf(root *yaml.Node, path ...string) *yaml.Node {
	_, value := find(root, path)
	return value
}

func find(n *yaml.Node, path []string) (key, value *yaml.Node) {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	value = n
	for _, name := range path {
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if value.Kind != yaml.MappingNode {
			return nil, nil
		}
		at := 0
		for at < len(value.Content) && value.Content[at].Value != name {
			at += 2
		}
		if at >= len(value.Content) {
			return nil, nil
		}
		key, value = value.Content[at], value.Content[at+1]
	}
	return key, value
}

// entryLines are the lines of the entries of a list, of those that are mappings: the decoder leaves out all others.
func entryLines(root *yaml.Node, path ...string) (lines []int) {
	list := nodeOf(root, path...)
	if list == nil {
		return nil
	}
	for _, entry := range list.Content {
		if entry.Kind == yaml.MappingNode || entry.Kind == yaml.AliasNode {
			lines = append(lines, entry.Line)
		}
	}
	return lines
}
