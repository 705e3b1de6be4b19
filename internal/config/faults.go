package config

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Fault is something in a file that cannot be used as it is.
type Fault struct {
	Line int // 0: the file as a whole
	Text string
}

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
	f.List = append(f.List, Fault{line, fmt.Sprintf(format, args...)})
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

// decoded adds the faults that a decoder found, without "yaml:" and Go types.
func (f *Faults) decoded(err error) {
	texts := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		texts = several.Errors
	}
	for _, text := range texts {
		text = goType.ReplaceAllString(text, "")
		line := 0
		if m := lineForm.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1]) // digits
			text = text[len(m[0]):]
		}
		f.Add(line, "%s", text)
	}
}

// oneFault is the fault of a value, as decoders report it, so that they go on behind it.
func oneFault(n *yaml.Node, format string, args ...any) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: ", n.Line) + fmt.Sprintf(format, args...)}}
}

var (
	lineForm = regexp.MustCompile(`^line ([0-9]{1,7}): `)
	goType   = regexp.MustCompile(` (in|into) (type )?[^\s;]*config\.[A-Za-z]+|!!`)
)

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
