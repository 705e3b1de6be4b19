package api

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"gpuledger/metrics"
)

// keyParameter makes a change safe to repeat.
var keyParameter = Parameter{Name: "Idempotency-Key", In: "header", Shared: true,
	Schema: object{"type": "string", "minLength": 1, "maxLength": 255}, Example: "8e03978e-40d5-43dd-bc93-6894a57f9324",
	Doc: "A name of your choice for this request, such as a UUID. If the same request comes again with the same key within " +
		"a day, it gets the stored answer and changes nothing; the header Idempotent-Replayed marks it. Another request " +
		"with the same key is refused with 422."}

// changeRoutes describe the operations.
func changeRoutes() (all []Route) {
	for i := range operations {
		all = append(all, operations[i].route())
	}
	return all
}

// changeSchemas are the named schemas of bodies and answers.
func changeSchemas() object {
	list := []typed{{inAnswer, waiting{}}, {inBody, viewBody{}}, {inAnswer, madeView{}}, {inAnswer, savedViews{}},
		{inBody, checkpointRow{}}, {inAnswer, acceptedRows{}}, {inAnswer, queryStatus{}}, {inAnswer, queryList{}}}
	for i := range operations {
		o := &operations[i]
		list = append(list, typed{inAnswer, o.answer})
		if o.body != nil {
			list = append(list, typed{inBody, o.body})
		}
	}
	all := object{}
	for _, n := range list {
		all[n.name()] = n.schema()
	}
	return all
}

func (o *operation) route() Route {
	r := Route{Method: http.MethodPost, Path: root + o.path, ID: o.id, Tag: tagChanges, Summary: o.summary,
		Parameters: o.parameters(), Body: o.takes(),
		Answers: []Answer{{Status: o.done(), Doc: o.says, Contents: typed{inAnswer, o.answer}.contents()}}}
	if o.rows {
		r.Doc = "A single object is taken like a list of one."
		r.Answers = append(r.Answers, Answer{Status: http.StatusBadRequest,
			Doc: "A row is wrong. `parameter` names the field, and nothing is stored."})
	}
	if o.mayWait {
		r.Answers = append(r.Answers, Answer{Status: http.StatusAccepted, Contents: typed{inAnswer, waiting{}}.contents(),
			Doc: "Not done yet: the policy requires a second person to confirm the change."})
	}
	if o.missing != "" {
		r.Answers = append(r.Answers, Answer{Status: http.StatusNotFound, Doc: o.missing})
	}
	return r
}

// takes is the body of the operation; nil: there is none.
func (o *operation) takes() *Body {
	switch {
	case o.documents != nil:
		return &Body{Required: true, Contents: o.documents}
	case o.body == nil:
		return nil
	}
	n := typed{inBody, o.body}
	if o.rows {
		return &Body{Required: true, Contents: n.list()}
	}
	_, needed := n.schema()["required"]
	return &Body{Required: needed, Contents: n.contents()}
}

var inPath = regexp.MustCompile(`\{([a-z]+)\}`)

// parameters lists the parameters of the path and of the query.
func (o *operation) parameters() (list []Parameter) {
	for _, m := range inPath.FindAllStringSubmatch(o.path, -1) {
		list = append(list, inPathOf(m[1], o.named, exampleOf(m[1], object{"type": "string"})))
	}
	for _, p := range metrics.OptionList {
		if slices.Contains(o.query, p.Name) {
			name := strings.ReplaceAll(p.Name, "-", "_")
			list = append(list, Parameter{Name: name, In: "query", Doc: p.Doc, Shared: true,
				Schema: object{"type": "string"}, Example: optionExamples[name]})
		}
	}
	return append(list, o.asked...)
}

// policyDocuments are the bodies of routes that take a policy.
var policyDocuments = []Content{
	{Type: "application/yaml", Schema: object{"type": "string"},
		Example: "version: idle-2h\nvalid_from: 2026-12-01\nnote: idle is what idles for two hours\n" +
			"settings:\n  idle: lt5pct-2h-mean\n"},
	{Type: "application/json", Schema: object{"type": "object"},
		Example: object{"version": "idle-2h", "valid_from": "2026-12-01", "settings": object{"idle": "lt5pct-2h-mean"}}},
}
