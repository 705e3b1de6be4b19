package fleetsim

import (
	"fmt"
	"strings"
)

// servedName is how a server names the model that it serves.
type servedName struct {
	pattern   string
	quantised string
	stranger  bool // another model than the one that it is like
}

// servedNames are taken in turn; the first is the one that all take who name
// them alike.
var servedNames = []servedName{
	{pattern: "acme/%s"},
	{pattern: "registry.example.com:5000/acme/%s:v2"},
	{pattern: "hub.example.com/acme/%s-AWQ", quantised: "awq"},
	{pattern: "%s-instruct", stranger: true},
	{pattern: "s3://weights/models/%s/3/"},
	{pattern: "%s.Q4_K_M-vllm:prod", quantised: "q4-k-m"},
	{pattern: "%s-2026-10-05-tgi"},
	{pattern: "hf://acme/%s-w8a8@main", quantised: "w8a8"},
}

// servedName is the next.
func (b *builder) servedName() servedName {
	if !b.cfg.ServedNames {
		return servedNames[0]
	}
	b.namesGiven++
	return servedNames[b.namesGiven%len(servedNames)]
}

func (p *pod) serveAs(model string, as servedName) {
	p.model, p.answers, p.quantised = fmt.Sprintf(as.pattern, model), model, as.quantised
	if as.stranger {
		p.answers = ""
	}
}

// knowModels notes the models that workloads of any cluster are labelled with.
func knowModels(parts []*truth) {
	known := map[string]bool{}
	for _, t := range parts {
		t.known = known
		for _, p := range t.world.pods {
			if v := first(p.labels, "label_model"); v != "" && p.scheduled < t.world.to {
				known[v] = true
			}
		}
	}
}

// answering is rule 16.11, of names whose making is known: the model behind a
// name where there is such a model, else the name, which says no version then.
func (t *truth) answering(p *pod) (model, quantised string) {
	if t.known[p.answers] {
		return p.answers, p.quantised
	}
	return p.model, ""
}

// behind is the same of a name that Triton serves: a model, else one of a
// deployment that ends in what it does.
func (t *truth) behind(name string) string {
	if model, ok := strings.CutSuffix(name, "-serve"); ok && !t.known[name] && t.known[model] {
		return model
	}
	return name
}
