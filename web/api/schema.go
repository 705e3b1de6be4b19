package api

import (
	"encoding/json"
	"reflect"
	"strings"

	"gpuledger/metrics"
)

// shape writes the JSON schema of types. Tags of fields say more: one:"of these words", doc:"A sentence." and
// example:"value".
type shape struct {
	// body: of a request. Only fields with the tag need:"true" are required, and others than the fields are refused. In
	// answers, fields without omitempty are always there.
	body bool
}

var (
	inBody   = shape{body: true}
	inAnswer = shape{}
)

// of is the JSON schema of a type. Amounts are decimal strings; a pointer may be null.
func (s shape) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		o := s.of(t.Elem())
		if one, single := o["type"].(string); single {
			o["type"] = []any{one, "null"}
		}
		return o
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer", "format": "int64"}
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		if t == reflect.TypeFor[metrics.DataWindow]() {
			return windowSchema()
		}
		return s.fields(t)
	}
	return object{"type": "string"}
}

func (s shape) fields(t reflect.Type) object {
	properties, required := object{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			return object{"type": "string"} // it has its own MarshalJSON, like amounts
		}
		if name == "-" {
			continue
		}
		properties[name] = s.field(f)
		if needed := f.Tag.Get("need") == "true"; s.body && needed || !s.body && option != "omitempty" {
			required = append(required, name)
		}
	}
	o := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		o["required"] = required
	}
	if s.body {
		o["additionalProperties"] = false
	}
	return o
}

func (s shape) field(f reflect.StructField) object {
	o := s.of(f.Type)
	if words := f.Tag.Get("one"); words != "" {
		o["enum"] = strings.Fields(words)
	}
	if doc := f.Tag.Get("doc"); doc != "" {
		o["description"] = doc
	}
	if example := f.Tag.Get("example"); example != "" {
		var value any = example
		if kind, _ := typeOf(o); kind != "string" {
			if err := json.Unmarshal([]byte(example), &value); err != nil {
				panic(f.Name + ": the example is no " + kind) // tags are constants
			}
		}
		o["examples"] = []any{value}
	}
	return o
}

// windowSchema is that of a data window, which writes itself.
func windowSchema() object {
	at := func(typ any, doc string) object {
		return object{"type": typ, "format": "date-time", "description": doc}
	}
	return object{"type": []any{"object", "null"}, "required": []string{"from", "to"}, "properties": object{
		"from": at("string", "Its start."), "to": at([]any{"string", "null"}, "Its end; null: a row goes on."),
	}}
}

// typed is a type whose schema has a name.
type typed struct {
	shape
	value any
}

// name is the name of a type, as others read it.
func (n typed) name() string {
	name := reflect.TypeOf(n.value).Name()
	return strings.ToUpper(name[:1]) + name[1:]
}

func (n typed) schema() object { return n.of(reflect.TypeOf(n.value)) }

// contents is a body of JSON with the schema.
func (n typed) contents() []Content {
	return []Content{{Type: "application/json", Schema: refTo(n.name()), Example: exampleOf("", n.schema())}}
}

// list is a body of a list of the schema.
func (n typed) list() []Content {
	return []Content{{Type: "application/json", Example: []any{exampleOf("", n.schema())},
		Schema: object{"type": "array", "minItems": 1, "items": refTo(n.name())}}}
}

func problemSchema() object {
	s := inAnswer.of(reflect.TypeFor[problem]())
	s["description"] = "An error (RFC 9457)."
	return s
}

func metaSchema() object {
	s := inAnswer.of(reflect.TypeFor[pageMeta]())
	s["description"] = "Which ledger answered, and where the next page begins."
	return s
}
