package world

import (
	"fmt"
)

// servedName is a server's name for the model that it serves.
type servedName struct {
	pattern   string
	quantised string
	stranger  bool // another model than its name resembles
}

// servedNames are taken in turn; servers with uniform names all take the first.
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

// servedName is the next name.
func (b *builder) servedName() servedName {
	if !b.Config.ServedNames {
		return servedNames[0]
	}
	b.namesGiven++
	return servedNames[b.namesGiven%len(servedNames)]
}

func (p *Pod) serveAs(model string, as servedName) {
	p.Model, p.Answers, p.Quantised = fmt.Sprintf(as.pattern, model), model, as.quantised
	if as.stranger {
		p.Answers = ""
	}
}
