package api

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"gpuledger/internal/export"
	"gpuledger/metrics"
)

// datasetRoutes describe the datasets.
func datasetRoutes() (all []Route) {
	for _, d := range metrics.Datasets {
		all = append(all, datasetRoute(d))
	}
	return all
}

func datasetRoute(d *metrics.Dataset) Route {
	summary, more, _ := strings.Cut(d.Doc, ". ")
	if more != "" {
		summary += "."
	}
	r := Route{Method: http.MethodGet, Path: root + "/" + d.Name, ID: "get_" + d.Name, Tag: tagDatasets,
		Summary: summary, Doc: strings.TrimSpace(more + groupsDoc(d)), Parameters: parameters(d), Query: queryOf(d),
		Answers: []Answer{
			{Status: http.StatusOK, Doc: "The rows.", Contents: datasetContents(d)},
			{Status: http.StatusAccepted, Doc: "The query is deferred, as Prefer asks; Location is its address.",
				Contents: typed{inAnswer, queryStatus{}}.contents()},
			{Status: http.StatusNotModified, Doc: "Unchanged since If-None-Match."},
		}}
	r.problems(http.StatusNotFound, http.StatusNotAcceptable, http.StatusConflict)
	return r
}

func groupsDoc(d *metrics.Dataset) string {
	switch {
	case d.Grouped:
		return " One property per key of group_by; tag:KEY and label:KEY are properties of that name."
	case d.Regroups():
		return " With group_by, one row per group, with only the properties that apply to a group."
	}
	return ""
}

// parameters are those of a dataset.
func parameters(d *metrics.Dataset) (list []Parameter) {
	for _, o := range metrics.OptionList {
		if !d.Regroups() && o.Name == "group-by" || !d.SplitsByTime() && o.Name == "granularity" ||
			!d.Compared && o.Name == "against" || !d.Windowed && (o.Name == "from" || o.Name == "to") ||
			!d.Billed() && o.Name == "billing-period" || d.Focus == nil && o.Name == "focus-version" {
			continue
		}
		schema := object{"type": "string"}
		if o.Name == "limit" {
			schema = object{"type": "integer", "minimum": 1, "default": pageRows}
		}
		name := strings.ReplaceAll(o.Name, "-", "_")
		list = append(list, Parameter{Name: name, In: "query", Doc: o.Doc, Schema: schema, Example: optionExamples[name],
			Shared: true})
	}
	for _, p := range ownParameters {
		p.In, p.Shared = "query", true
		list = append(list, p)
	}
	list = append(list, preferParameter)
	return list
}

// queryOf is an example of a question to the dataset.
func queryOf(d *metrics.Dataset) string {
	v := url.Values{}
	if d.Windowed {
		v.Set("from", "2026-11-01")
		v.Set("to", "2026-12-01")
	}
	if d.Compared {
		v.Set("against", "previous")
	}
	if d.Regroups() && slices.Contains(d.GroupKeys(), "team") {
		v.Set("group_by", "team")
	}
	v.Set("limit", "10")
	return v.Encode()
}

func datasetContents(d *metrics.Dataset) []Content {
	row := rowSchema(d)
	meta := exampleOf("", metaSchema()).(object)
	meta["dataset"], meta["rows"] = d.Name, 1
	example := object{"data": []any{exampleOf("", row)}, "meta": meta}
	list := []Content{{Type: export.JSON.ContentType(), Schema: refTo(pageOf(d)), Example: example}}
	for _, f := range export.Formats {
		if f != export.JSON {
			list = append(list, Content{Type: f.ContentType()})
		}
	}
	return list
}

// pageOf is the name of the schema of an answer of a dataset.
func pageOf(d *metrics.Dataset) string { return d.Name + "_page" }

// datasetSchemas are the rows and answers of all datasets.
func datasetSchemas() object {
	all := object{}
	for _, d := range metrics.Datasets {
		all[d.Name] = rowSchema(d)
		all[pageOf(d)] = object{"type": "object", "required": []string{"data", "meta"}, "properties": object{
			"data": object{"type": "array", "items": refTo(d.Name)}, "meta": refTo("Meta"),
		}}
	}
	return all
}

func keySchema(k metrics.Key) object {
	return object{"type": []string{"string", "null"}, "description": k.Doc}
}

func rowSchema(d *metrics.Dataset) object {
	props, order := object{}, []string{}
	for _, c := range d.Columns {
		props[c.Name] = columnSchema(c)
		if !c.OnlyGroups && !d.Varies(c) && (d.Grouped || !d.Regroups()) {
			order = append(order, c.Name)
		}
	}
	if d.Regroups() {
		for _, name := range d.GroupKeys() { // rows have them only if group_by names them
			if k, ok := metrics.LookupKey(name); ok && props[name] == nil {
				props[name] = keySchema(k)
			}
		}
	}
	s := object{"type": "object", "description": d.Doc + groupsDoc(d), "properties": props}
	if len(order) > 0 {
		s["required"] = order
	}
	return s
}

// Patterns of texts.
const (
	decimalPattern = `^-?[0-9]+(\.[0-9]+)?$`
	idPattern      = "^[0-9a-f]{32}$"
)

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
		s["pattern"] = decimalPattern
	case c.Kind.Integer():
		typ, s["format"] = "integer", "int64"
	case c.Kind == metrics.Bool:
		typ = "boolean"
	case c.Kind == metrics.Time:
		s["format"] = "date-time"
	case c.Kind == metrics.ID:
		s["pattern"] = idPattern
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

// explanationSchema has the members that every explanation has.
var explanationSchema = object{"type": "object", "required": []string{"subject", "figures", "formula"},
	"properties": object{
		"subject": object{"type": "string", "examples": []any{"costs"}, "description": "As asked."},
		"formula": object{"type": "string", "examples": []any{"Σ effective_cost"}, "description": "In words."},
		"figures": object{"type": "array", "items": inAnswer.of(reflect.TypeFor[metrics.Figure]()),
			"description": "The result, one per currency."},
	}}

var explanationContents = []Content{{Type: "application/json", Schema: refTo("Explanation"),
	Example: exampleOf("", explanationSchema)}}

// explainRoute describes the explanations.
func explainRoute() Route {
	r := Route{Method: http.MethodGet, Path: root + "/explain/{subject}", ID: "explain", Tag: tagExplain,
		Summary: "How a figure is derived from bill lines and usage.",
		Doc: "Subjects are run/ID, attempt/ID, posting/ID, charge/ID, usage/ID, node/NAME/HOUR, device/UUID/DAY, " +
			"owner/team=NAME, spot and spot/instance_type=NAME (with from, to, tz, filter), costs with the options of that " +
			"report as parameters, or DATASET.COLUMN with the options of that dataset.",
		Parameters: []Parameter{
			inPathOf("subject", "What to explain. It may contain slashes.", "costs"),
			{Name: "list", In: "query", Schema: object{"type": "string", "enum": []string{"all"}},
				Doc: "all: every posting behind a figure of costs, of an owner or of spot, instead of the largest ones; streamed."},
		},
		Answers: []Answer{
			{Status: http.StatusOK, Doc: "The explanation.", Contents: explanationContents},
			{Status: http.StatusNotModified, Doc: "Unchanged since If-None-Match."},
			{Status: http.StatusNotFound, Doc: "Not in the ledger."},
		}}
	for _, p := range parameters(metrics.Datasets[0]) {
		if p.Name == "from" || p.Name == "to" || p.Name == "tz" || p.Name == "filter" || p.Name == "group_by" {
			r.Parameters = append(r.Parameters, p)
		}
	}
	return r
}
