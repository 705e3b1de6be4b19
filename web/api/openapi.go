package api

import (
	"maps"
	"net/http"
	"strings"
)

type object = map[string]any

// openAPI answers GET /openapi.json.
func (a *API) openAPI(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return
	}
	out := &countingWriter{ResponseWriter: w}
	a.finish(out, r, writeObject(out, Document()))
}

// Document is the OpenAPI 3.1 description of all routes. web/api/openapi.json is a copy, from which the clients are
// generated.
func Document() map[string]any {
	routes := Described()
	paths, shared := object{}, object{}
	for i := range routes {
		r := &routes[i]
		entry, ok := paths[r.Path].(object)
		if !ok {
			entry = object{}
			paths[r.Path] = entry
		}
		entry[strings.ToLower(r.Method)] = r.operation(shared)
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "gpuledger", "version": "v1",
			"description": "Where GPU money went, to the cent. Money and exact quantities are decimal strings; null is " +
				"unknown; times are RFC 3339 in UTC. Errors are problems of RFC 9457.",
			"license": object{"name": "Apache 2.0", "identifier": "Apache-2.0"}},
		"servers":  []object{{"url": "/", "description": "The server that answers this document."}},
		"security": []object{{"token": []string{}}},
		"tags":     tags(),
		"paths":    paths,
		"components": object{
			"schemas": schemas(), "parameters": shared, "responses": problemResponses(routes),
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer",
				"description": "A token from `gpuledger token create`. Without access control (`serve --auth off`), reads " +
					"need none, and changes need the token of a configured operator."}},
		},
	}
}

func tags() (list []object) {
	for _, t := range Tags {
		list = append(list, object{"name": t.Name, "description": t.Doc})
	}
	return list
}

// schemas are the named schemas.
func schemas() object {
	all := object{"Problem": problemSchema(), "Meta": metaSchema(), "Explanation": explanationSchema}
	maps.Copy(all, datasetSchemas())
	maps.Copy(all, changeSchemas())
	return all
}

// otherProblem names the answer of errors that a route does not list.
const otherProblem = "Other"

// problemResponses are the named error answers, as far as routes have them.
func problemResponses(routes []Route) object {
	all := object{otherProblem: problemResponse("Any other error.")}
	for _, r := range routes {
		for _, a := range r.Answers {
			if s, named := statusNamed(a.Status); named && a.Doc == "" {
				all[s.Name] = problemResponse(s.Doc)
			}
		}
	}
	return all
}

func problemResponse(text string) object {
	return object{"description": text, "content": object{"application/problem+json": object{"schema": refTo("Problem")}}}
}

// refTo refers to a named schema.
func refTo(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// operation describes the route. Parameters that every route shares are added to shared.
func (r *Route) operation(shared object) object {
	out := object{"operationId": r.ID, "tags": []string{r.Tag}, "summary": r.Summary,
		"description": strings.TrimSpace(r.Summary + " " + r.Doc), "responses": r.responses()}
	var parameters []object
	for _, p := range r.Parameters {
		if p.Shared {
			name := sharedName(p.Name)
			shared[name] = p.described()
			parameters = append(parameters, object{"$ref": "#/components/parameters/" + name})
			continue
		}
		parameters = append(parameters, p.described())
	}
	if parameters != nil {
		out["parameters"] = parameters
	}
	if r.Body != nil {
		out["requestBody"] = object{"required": r.Body.Required, "content": described(r.Body.Contents)}
	}
	return out
}

// sharedName is a name that no schema has, since Go has one name space for both.
func sharedName(name string) string {
	return "param_" + strings.ToLower(strings.ReplaceAll(name, "-", "_"))
}

func (p Parameter) described() object {
	out := object{"name": p.Name, "in": p.In, "description": p.Doc, "schema": p.Schema}
	if p.Required {
		out["required"] = true
	}
	if p.Example != nil {
		out["example"] = p.Example
	}
	return out
}

func (r *Route) responses() object {
	all := object{"default": object{"$ref": "#/components/responses/" + otherProblem}}
	for _, a := range r.Answers {
		switch s, named := statusNamed(a.Status); {
		case a.Doc == "" && named:
			all[a.code()] = object{"$ref": "#/components/responses/" + s.Name}
		case a.Failed() && a.Contents == nil:
			all[a.code()] = problemResponse(a.Doc)
		default:
			one := object{"description": a.Doc}
			if a.Contents != nil {
				one["content"] = described(a.Contents)
			}
			all[a.code()] = one
		}
	}
	return all
}

func described(contents []Content) object {
	all := object{}
	for _, c := range contents {
		one := object{}
		if c.Schema != nil {
			one["schema"] = c.Schema
		}
		if c.Example != nil {
			one["example"] = c.Example
		}
		all[c.Type] = one
	}
	return all
}
