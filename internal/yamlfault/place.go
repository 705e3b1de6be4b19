package yamlfault

import (
	"bytes"
	"errors"
	"io"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// broken is the line at which a text stops being YAML, or of the value that cannot be decoded; 0 if that is unknown.
func broken(text []byte) int {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			return 0
		}
		if err != nil {
			return stopped(reflect.ValueOf(dec).Elem(), text)
		}
		if line := undecodable(&n); line > 0 {
			return line
		}
	}
}

// Kinds of errors of the parser, as its field error has them.
const (
	noError     = 0 // a name of an anchor that is not there
	readerError = 2 // bytes that are not text
	lexerError  = 3
	syntaxError = 4
)

// stopped is the line at which a decoder gave up. Its messages name the line before the start of the block around it.
// The place is in private fields, which may be read but not named; TestBroken fails if another version lacks them.
func stopped(dec reflect.Value, text []byte) int {
	kind, known := number(dec, "parser", "parser", "error")
	if !known {
		return 0
	}
	line := 0
	switch kind {
	case noError:
		line, known = number(dec, "parser", "event", "start_mark", "line")
	case readerError:
		if line, known = number(dec, "parser", "parser", "problem_offset"); known {
			line = bytes.Count(text[:min(max(line, 0), len(text))], newline)
		}
	case lexerError: // where the text begins that it cannot read, such as a quote without end
		line, known = number(dec, "parser", "parser", "context_mark", "line")
	case syntaxError:
		line, known = number(dec, "parser", "parser", "problem_mark", "line")
	default:
		return 0
	}
	if !known {
		return 0
	}
	last := bytes.Count(bytes.TrimRight(text, " \t\r\n"), newline)
	return min(line, last) + 1
}

var newline = []byte("\n")

// number is a whole number in a field of a field; false if there is no such field.
func number(v reflect.Value, path ...string) (int, bool) {
	for _, name := range path {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return 0, false
		}
		v = v.FieldByName(name)
	}
	if !v.IsValid() || !v.CanInt() {
		return 0, false
	}
	return int(v.Int()), true
}

// undecodable is the line of the deepest node that is YAML and means nothing, such as an anchor inside its own value;
// 0 without one.
func undecodable(n *yaml.Node) int {
	var value any
	err := n.Decode(&value)
	if _, typed := errors.AsType[*yaml.TypeError](err); err == nil || typed {
		return 0
	}
	for i, child := range n.Content {
		if line := undecodable(child); line > 0 {
			return line
		}
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Value == mergeKey {
			return child.Line
		}
	}
	return n.Line
}
