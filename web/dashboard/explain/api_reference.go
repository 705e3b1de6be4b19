package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/api"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// apiPath is the page of the API.
const apiPath = "/docs/api"

// apiDoc shows every route of the API, with examples that name this server.
func (d *room) apiDoc(w http.ResponseWriter, r *http.Request) {
	routes := api.Described()
	v := views.APIView{
		Shell:    d.Shell(r, page.Passing(r), "api", "API"),
		Sentence: "Every figure and every change, over HTTP.",
		Sub: format.Plural(len(routes), "route", "routes") + ". Money and exact quantities are decimal strings; null is " +
			"unknown; times are UTC.",
		Links: []views.Link{{Text: "OpenAPI 3.1", Href: "/openapi.json"}},
		Start: startOf(addressOf(r)),
	}
	groups := map[string]*views.APIGroup{}
	for _, t := range api.Tags {
		v.Groups = append(v.Groups, views.APIGroup{ID: strings.ToLower(t.Name), Title: t.Name, Doc: t.Doc})
	}
	v.Contents = append(v.Contents, views.Link{Text: "Options", Href: "#options"})
	for i := range v.Groups {
		groups[v.Groups[i].Title] = &v.Groups[i]
		v.Contents = append(v.Contents, views.Link{Text: v.Groups[i].Title, Href: "#" + v.Groups[i].ID})
	}
	v.Contents = append(v.Contents, views.Link{Text: "Errors", Href: "#errors"})
	shared := map[string]bool{}
	for _, route := range routes {
		g := groups[route.Tag]
		g.Routes = append(g.Routes, routeOf(route))
		for _, p := range route.Parameters {
			if p.Shared && !shared[p.Name] {
				shared[p.Name] = true
				v.Options = append(v.Options, parameterOf(p))
			}
		}
	}
	for _, s := range api.Problems {
		v.Problems = append(v.Problems, views.APIAnswer{Status: strconv.Itoa(s.Status), Doc: s.Doc})
	}
	d.Render(w, r, http.StatusOK, views.APIPage(v))
}

func routeOf(r api.Route) views.APIRoute {
	out := views.APIRoute{ID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Doc: r.Doc}
	if _, err := metrics.LookupDataset(strings.TrimPrefix(r.ID, "get_")); err == nil && r.Method == http.MethodGet {
		out.More = views.Link{Text: "Its columns", Href: metrics.ReferencePath + "#" + strings.TrimPrefix(r.ID, "get_")}
	}
	for _, p := range r.Parameters {
		if p.Shared {
			out.Options = append(out.Options, views.Link{Text: p.Name, Href: "#" + anchorOf(p)})
			continue
		}
		out.Parameters = append(out.Parameters, parameterOf(p))
	}
	out.Snippets = append(out.Snippets, views.Snippet{Title: "Request", Text: curlOf(r)})
	for _, a := range r.Answers {
		out.Answers = append(out.Answers, views.APIAnswer{Status: strconv.Itoa(a.Status), Doc: a.Says()})
		if !a.Failed() && len(a.Contents) > 0 && a.Contents[0].Example != nil {
			out.Snippets = append(out.Snippets, views.Snippet{Title: fmt.Sprintf("Answer %d", a.Status),
				Text: written(a.Contents[0].Example)})
		}
	}
	return out
}

func parameterOf(p api.Parameter) views.APIParameter {
	out := views.APIParameter{Name: p.Name, Doc: p.Doc, Kind: p.In}
	if p.Required {
		out.Kind += ", required"
	}
	if words, ok := p.Schema["enum"].([]string); ok {
		out.Doc += " One of " + strings.Join(words, ", ") + "."
	}
	if p.Example != nil {
		out.Doc += fmt.Sprintf(" Example: %v.", p.Example)
	}
	if p.Shared {
		out.Anchor = anchorOf(p)
	}
	return out
}

func anchorOf(p api.Parameter) string { return "option-" + strings.ToLower(p.Name) }

// curlOf is the request as a command.
func curlOf(r api.Route) string {
	address := r.Path
	for _, p := range r.Parameters {
		if p.In == "path" {
			address = strings.ReplaceAll(address, "{"+p.Name+"}", fmt.Sprint(p.Example))
		}
	}
	var asked []string
	for _, p := range r.Parameters {
		if p.In == "query" && p.Required && r.Query == "" {
			asked = append(asked, fmt.Sprintf("%s=%v", p.Name, p.Example))
		}
	}
	if r.Query != "" {
		asked = append(asked, r.Query)
	}
	if asked != nil {
		address += "?" + strings.Join(asked, "&")
	}
	var b strings.Builder
	b.WriteString("curl -H \"Authorization: Bearer $GPULEDGER_TOKEN\" \"$GPULEDGER" + address + "\"")
	if r.Method != http.MethodGet {
		b.WriteString(" \\\n  -X " + r.Method)
	}
	if r.Keyed() {
		b.WriteString(" \\\n  -H \"Idempotency-Key: $(uuidgen)\"")
	}
	if r.Body != nil {
		c := r.Body.Contents[0]
		if c.Example == nil {
			return b.String() + " \\\n  --data-binary @file"
		}
		b.WriteString(" \\\n  -H 'Content-Type: " + c.Type + "' --data-binary '" + written(c.Example) + "'")
	}
	return b.String()
}

// written is an example as text.
func written(example any) string {
	if text, ok := example.(string); ok {
		return text
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(example); err != nil { // texts, numbers, lists and maps of them: it cannot fail
		return ""
	}
	return strings.TrimSpace(b.String())
}

// addressOf is the address of this server, as the reader's browser has it. Only servers on the reader's machine are
// without TLS.
func addressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if r.TLS == nil && (host == "localhost" || err == nil && ip.IsLoopback()) {
		return "http://" + r.Host
	}
	return "https://" + r.Host
}
