package jsonstream

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Object is a JSON object; its numbers keep their digits.
type Object map[string]any

// Decode reads an object; ok is false if raw is another value.
func Decode(raw []byte) (o Object, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&o); err != nil || o == nil {
		return nil, false
	}
	return o, true
}

// Get returns the value at a path of member names, nil if there is none.
func (o Object) Get(path ...string) any {
	var v any = map[string]any(o)
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// Object returns the object at a path, nil if there is none.
func (o Object) Object(path ...string) Object {
	m, _ := o.Get(path...).(map[string]any)
	return m
}

// List returns the array at a path, nil if there is none.
func (o Object) List(path ...string) []any {
	l, _ := o.Get(path...).([]any)
	return l
}

// Text returns the text at a path; see Text.
func (o Object) Text(path ...string) string { return Text(o.Get(path...)) }

// Int returns the whole number at a path; see Int.
func (o Object) Int(path ...string) (int64, bool) { return Int(o.Get(path...)) }

// Text is a value as text: a string, the digits of a number, the first element of a
// list of these. Anything else is "".
func Text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		if len(v) > 0 {
			if _, nested := v[0].([]any); !nested {
				return Text(v[0])
			}
		}
	case map[string]any:
		if n, ok := Int(v); ok {
			return strconv.FormatInt(n, 10)
		}
	}
	return ""
}

// Int is a value as a whole number: bare, quoted, with a fraction that is cut off, or the
// record {"set": true, "infinite": false, "number": 7} of newer Slurm, which is not a number if
// it is unset or infinite.
func Int(v any) (int64, bool) {
	switch v := v.(type) {
	case json.Number:
		return wholeOf(v.String())
	case string:
		return wholeOf(strings.TrimSpace(v))
	case map[string]any:
		number, has := v["number"]
		if set, said := v["set"].(bool); !has || said && !set {
			return 0, false
		}
		if infinite, said := v["infinite"].(bool); said && infinite {
			return 0, false
		}
		if _, nested := number.(map[string]any); nested {
			return 0, false
		}
		return Int(number)
	}
	return 0, false
}

// wholeOf reads a decimal and cuts off its fraction; exponents are not read.
func wholeOf(s string) (int64, bool) {
	whole, fraction, dotted := strings.Cut(s, ".")
	if dotted && strings.Trim(fraction, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	return n, err == nil
}
