package api

import (
	"net/http"
	"strings"

	"gpuledger/internal/export"
	"gpuledger/metrics"
)

type object map[string]any

const forExcelDoc = "With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula."

// openAPI answers GET /openapi.json.
func (a *API) openAPI(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return
	}
	out := &countingWriter{ResponseWriter: w}
	a.finish(out, r, writeObject(out, Document()))
}

// Document is the OpenAPI 3.1 description, derived from the definitions of
// package metrics.
func Document() map[string]any {
	paths, schemas := object{}, object{"Problem": problemSchema()}
	for _, d := range metrics.Datasets {
		schemas[d.Name] = rowSchema(d)
		paths["/api/v1/"+d.Name] = object{"get": object{
			"operationId": "get_" + d.Name,
			"summary":     d.Doc,
			"parameters":  parameters(d),
			"responses":   responses(d),
		}}
	}
	paths["/api/v1/explain/{subject}"] = object{"get": object{
		"operationId": "explain",
		"summary": "How a figure is derived from bill lines and usage: run/ID, attempt/ID, posting/ID, charge/ID, " +
			"usage/ID, node/NAME/HOUR, device/UUID/DAY, owner/team=NAME, spot and spot/instance_type=NAME (with from, to, " +
			"tz, filter), costs with the options of that report as parameters, or DATASET.COLUMN with the options of that " +
			"dataset.",
		"parameters": []object{{"name": "subject", "in": "path", "required": true, "schema": object{"type": "string"},
			"description": "May contain slashes."},
			{"name": "list", "in": "query", "schema": object{"type": "string", "enum": []string{"all"}},
				"description": "all: every posting behind a figure of costs, of an owner or of spot, instead of the largest " +
					"ones; streamed."}},
		"responses": object{"200": object{"description": "The explanation.",
			"content": object{"application/json": object{"schema": object{"type": "object"}}}},
			"404": problemResponse("Not in the ledger."),
			"503": problemResponse("Too many requests at once, or the database does not answer: retry after Retry-After.")},
	}}
	statementPath(paths)
	receiverPaths(paths)
	changePaths(paths)
	viewPaths(paths)
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "gpuledger", "version": "v1",
			"description": "Money and exact quantities are decimal strings; null is unknown; times are RFC 3339 in UTC."},
		"paths": paths,
		"components": object{
			"schemas": schemas, "securitySchemes": object{"operator": object{"type": "http", "scheme": "bearer"}},
		},
	}
}

func parameters(d *metrics.Dataset) []object {
	var list []object
	for _, o := range metrics.OptionList {
		if !d.Regroups() && o.Name == "group-by" || !d.SplitsByTime() && o.Name == "granularity" ||
			!d.Compared && o.Name == "against" || !d.Windowed && (o.Name == "from" || o.Name == "to") ||
			strings.HasPrefix(o.Doc, "Not built") {
			continue
		}
		schema := object{"type": "string"}
		if o.Name == "limit" {
			schema = object{"type": "integer", "minimum": 1, "default": pageRows}
		}
		list = append(list, object{
			"name": strings.ReplaceAll(o.Name, "-", "_"), "in": "query", "description": o.Doc, "schema": schema,
		})
	}
	formats := make([]string, len(export.Formats))
	for i, f := range export.Formats {
		formats[i] = string(f)
	}
	return append(list,
		object{
			"name": "for_excel", "in": "query", "description": forExcelDoc,
			"schema": object{"type": "boolean", "default": false},
		},
		object{
			"name": "cursor", "in": "query", "description": "next_cursor of the previous page; json only.",
			"schema": object{"type": "string"},
		},
		object{
			"name": "format", "in": "query", "description": "Overrides the Accept header.",
			"schema": object{"type": "string", "enum": formats},
		})
}

func responses(d *metrics.Dataset) object {
	content := object{"application/json": object{"schema": object{
		"type": "object", "required": []string{"data", "meta"},
		"properties": object{
			"data": object{"type": "array", "items": object{"$ref": "#/components/schemas/" + d.Name}},
			"meta": object{"type": "object", "properties": object{
				"dataset": object{"type": "string"}, "rows": object{"type": "integer"}, "generation": object{"type": "integer"},
				"policy_version": object{"type": "string"}, "notes": object{"type": "array", "items": object{"type": "string"}},
				"next_cursor": object{"type": []string{"string", "null"}},
			}},
		},
	}}}
	for _, f := range export.Formats {
		if f != export.JSON {
			content[f.ContentType()] = object{}
		}
	}
	return object{
		"200": object{"description": "The rows.", "content": content},
		"304": object{"description": "Unchanged since If-None-Match."},
		"400": problemResponse("A parameter is wrong; `parameter` names it."),
		"404": problemResponse("Unknown dataset."),
		"503": problemResponse("Too many requests or exports at once, or the database does not answer: retry after " +
			"Retry-After."),
		"406": problemResponse("No format matches the Accept header."),
		"409": problemResponse("The ledger changed since the cursor was issued."),
	}
}

func problemResponse(text string) object {
	return object{
		"description": text, "content": object{
			"application/problem+json": object{"schema": object{"$ref": "#/components/schemas/Problem"}},
		},
	}
}

func problemSchema() object {
	return object{"type": "object", "required": []string{"type", "title", "status", "detail"}, "properties": object{
		"type": object{"type": "string"}, "title": object{"type": "string"}, "status": object{"type": "integer"},
		"detail": object{"type": "string"}, "parameter": object{"type": "string"},
	}}
}

func rowSchema(d *metrics.Dataset) object {
	props, order := object{}, []string{}
	for _, c := range d.Columns {
		props[c.Name] = columnSchema(c)
		if !c.OnlyGroups {
			order = append(order, c.Name)
		}
	}
	s := object{"type": "object", "description": d.Doc, "properties": props, "required": order}
	switch {
	case d.Grouped:
		s["description"] = d.Doc + " One further property per key of group_by."
		s["additionalProperties"] = object{"type": []string{"string", "null"}}
	case d.Regroups():
		s["description"] = d.Doc +
			" With group_by: one row per group, with only the properties that apply to a group."
		s["additionalProperties"] = object{"type": []string{"string", "null"}}
	}
	return s
}

func columnSchema(c metrics.Column) object {
	s := object{
		"description": strings.Join(append([]string{c.Doc}, c.Caveats...), " "),
		"x-kind":      c.Kind, "x-formula": c.Formula.String(), "x-source": c.Source,
	}
	if c.Unit != "" {
		s["x-unit"] = c.Unit
	}
	typ := "string"
	switch {
	case c.Kind.Decimal():
		s["pattern"] = `^-?[0-9]+(\.[0-9]+)?$`
	case c.Kind.Integer():
		typ = "integer"
	case c.Kind == metrics.Bool:
		typ = "boolean"
	case c.Kind == metrics.Time:
		s["format"] = "date-time"
	case c.Kind == metrics.ID:
		s["pattern"] = "^[0-9a-f]{32}$"
	}
	s["type"] = []string{typ, "null"}
	if len(c.Values) > 0 {
		var values []any
		for _, v := range c.Values {
			values = append(values, v)
		}
		s["enum"] = append(values, nil)
	}
	return s
}
