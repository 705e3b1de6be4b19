package api

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpuledger/metrics"
)

// changePaths describes the operations.
func changePaths(paths object) {
	for _, o := range operations {
		entry, ok := paths[root+o.path].(object)
		if !ok {
			entry = object{}
			paths[root+o.path] = entry
		}
		entry["post"] = o.described()
	}
}

func (o operation) described() object {
	responses := object{
		"401": problemResponse("The operator's token is missing or wrong."),
		"403": problemResponse("The operator does not have the right, or there is no operator in the configuration."),
		"409": problemResponse("The ledger refuses; `reasons` lists why."),
	}
	responses[strconv.Itoa(o.done())] = object{"description": o.says, "content": ofJSON(o.answer)}
	if o.rows {
		responses["400"] = problemResponse("A row is wrong; `parameter` names the field, and nothing is stored.")
	}
	if o.mayWait {
		responses["202"] = object{"content": ofJSON(waiting{}),
			"description": "Not done yet: the policy requires a second person to confirm the change."}
	}
	if o.missing != "" {
		responses["404"] = problemResponse(o.missing)
	}
	out := object{"operationId": o.id, "summary": o.summary, "responses": responses,
		"security": []object{{"operator": []string{}}}}
	if list := o.parameters(); list != nil {
		out["parameters"] = list
	}
	switch o.body.(type) {
	case nil:
	case []byte:
		out["requestBody"] = object{"required": true,
			"content": object{"application/yaml": object{}, "application/json": object{}}}
	default:
		schema := schemaOf(reflect.TypeOf(o.body))
		schema["additionalProperties"] = false
		if o.required != nil {
			schema["required"] = o.required
		}
		if o.rows {
			schema = object{"oneOf": []object{schema, {"type": "array", "items": schema}}}
		}
		out["requestBody"] = object{"required": o.required != nil,
			"content": object{"application/json": object{"schema": schema}}}
	}
	return out
}

var inPath = regexp.MustCompile(`\{([a-z]+)\}`)

// parameters lists the parameters of the path and of the query.
func (o operation) parameters() (list []object) {
	for _, m := range inPath.FindAllStringSubmatch(o.path, -1) {
		list = append(list, object{"name": m[1], "in": "path", "required": true,
			"schema": object{"type": "string"}, "description": o.named})
	}
	for _, p := range metrics.OptionList {
		if slices.Contains(o.query, p.Name) {
			list = append(list, object{"name": p.Name, "in": "query",
				"schema": object{"type": "string"}, "description": p.Doc})
		}
	}
	return list
}

func ofJSON(value any) object {
	return object{"application/json": object{"schema": schemaOf(reflect.TypeOf(value))}}
}

// schemaOf is the JSON schema of a type. Amounts are decimal strings; a pointer
// may be null. A tag `one:"of these words"` lists the allowed values of a string.
func schemaOf(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		s := schemaOf(t.Elem())
		s["type"] = []any{s["type"], "null"}
		return s
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Struct:
		properties := object{}
		for i := range t.NumField() {
			f := t.Field(i)
			name := f.Tag.Get("json")
			if name == "" {
				return object{"type": "string"} // it has its own MarshalJSON, like amounts
			}
			s := schemaOf(f.Type)
			if words := f.Tag.Get("one"); words != "" {
				s["enum"] = strings.Fields(words)
			}
			properties[name] = s
		}
		return object{"type": "object", "properties": properties}
	}
	return object{"type": "string"}
}
