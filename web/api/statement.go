package api

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gpuledger/metrics"
	"gpuledger/metrics/statement"
	"gpuledger/web/paper"
)

// statement answers GET /api/v1/statement with the bytes of the command of that name.
func (a *API) statement(w http.ResponseWriter, r *http.Request) {
	q, format, forExcel, err := statementOf(r.URL.RawQuery)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	version, err := a.version(r.Context())
	if err != nil {
		a.fail(w, r, err)
		return
	}
	s, err := statement.Build(r.Context(), a.reader, q)
	var text bytes.Buffer
	if err == nil {
		err = paper.Write(&text, s, format, forExcel)
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", format.ContentType())
	if format != statement.JSON {
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "statement-"+s.FileName(format)))
	}
	if a.notModified(w, r, version, string(format)) || r.Method == http.MethodHead {
		return
	}
	out := &countingWriter{ResponseWriter: w}
	_, err = out.Write(text.Bytes())
	a.finish(out, r, err)
}

var statementParameters = []string{"owner", "billing_period", "sharing", "format", "for_excel"}

// statementOf reads the parameters of a statement.
func statementOf(query string) (q statement.Question, f statement.Format, forExcel bool, err error) {
	params, err := url.ParseQuery(query)
	if err != nil {
		return q, f, false, &metrics.OptionError{Option: "query", Value: query, Reason: "is not a valid query string"}
	}
	given := map[string]string{}
	for name, values := range params {
		known := strings.ReplaceAll(name, "-", "_")
		switch _, twice := given[known]; {
		case !slices.Contains(statementParameters, known):
			return q, f, false, unknownParameter(name, values[0], statementParameters)
		case twice || len(values) > 1:
			return q, f, false, &metrics.OptionError{Option: name, Value: strings.Join(values, ", "),
				Reason: "is given more than once"}
		}
		given[known] = values[0]
	}
	if f, err = statement.ParseFormat(given["format"]); err != nil {
		return q, f, false, err
	}
	if text := given["for_excel"]; text != "" {
		if forExcel, err = strconv.ParseBool(text); err != nil || forExcel && f != statement.CSV {
			return q, f, false, &metrics.OptionError{Option: "for_excel", Value: text,
				Reason: "must be true or false; true is only for csv"}
		}
	}
	q, err = statement.Parse(given["owner"], given["billing_period"], given["sharing"])
	return q, f, forExcel, asTyped(err, params)
}

// statementRoute describes the statement.
func statementRoute() Route {
	parameter := func(name, doc string, schema object, example any) Parameter {
		return Parameter{Name: name, In: "query", Doc: doc, Schema: schema, Example: example}
	}
	owner := parameter("owner", "KEY=VALUE, such as team=speech; VALUE unowned is cost without an owner.",
		object{"type": "string"}, "team=speech")
	month := parameter("billing_period", "Billing month, such as 2026-10.", object{"type": "string"}, "2026-10")
	owner.Required, month.Required = true, true
	contents := []Content{{Type: statement.JSON.ContentType(), Schema: object{"type": "object"}}}
	for _, f := range statement.Formats {
		if f != statement.JSON {
			contents = append(contents, Content{Type: f.ContentType()})
		}
	}
	return Route{Method: http.MethodGet, Path: root + "/statement", ID: "statement", Tag: tagStatements,
		Summary: "What an owner is charged for a billing month, over all accounts and providers.",
		Query:   "owner=team%3Dspeech&billing_period=2026-10",
		Parameters: []Parameter{owner, month,
			parameter("sharing", "Before or after sharing; after by default.",
				object{"type": "string", "enum": []string{"before", "after"}}, nil),
			parameter("format", "json by default.", object{"type": "string", "enum": names(statement.Formats)}, nil),
			parameter("for_excel", forExcelDoc, object{"type": "boolean", "default": false}, nil),
		},
		Answers: []Answer{
			{Status: http.StatusOK, Doc: "The statement.", Contents: contents},
			{Status: http.StatusNotModified, Doc: "Unchanged since If-None-Match."},
			{Status: http.StatusNotFound, Doc: "Nothing of this owner is billed in that month."},
		}}
}

func names(formats []statement.Format) (list []string) {
	for _, f := range formats {
		list = append(list, string(f))
	}
	return list
}
