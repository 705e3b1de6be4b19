package policy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Serving are the settings of the rules for inference.
type Serving struct {
	// OutputWeight is the weight of a generated token relative to a computed prompt token, in thousandths.
	OutputWeight int64
	// ServedModels maps served names to models; the first match counts. nil: none. It is a pointer, so that policies
	// can be compared.
	ServedModels *[]ServedModel
}

// ServedModel maps the served names that match a pattern, in which * matches anything, to a model, in which * is the
// text that the first * matched.
type ServedModel struct {
	Served string `yaml:"served"`
	Model  string `yaml:"model"`
}

// maxOutputWeight and maxServedModels limit a document.
const (
	maxOutputWeight = 1_000_000 // a thousand
	maxServedModels = 1000
)

// Model is the model that the first matching rule gives a served name; ok is false if none matches.
func (s Serving) Model(served string) (model string, ok bool) {
	for _, m := range s.rules() {
		if part, fits := fits(m.Served, served); fits && served != "" {
			return strings.ReplaceAll(m.Model, "*", part), true
		}
	}
	return "", false
}

func (s Serving) rules() []ServedModel {
	if s.ServedModels == nil {
		return nil
	}
	return *s.ServedModels
}

// fits reports whether a pattern matches a text, and the text that its first * matched.
func fits(pattern, text string) (part string, ok bool) {
	before, after, star := strings.Cut(pattern, "*")
	rest, ok := strings.CutPrefix(text, before)
	if !star || !ok {
		return "", ok && rest == ""
	}
	for i := len(rest); i >= 0; i-- { // as much as possible
		if _, ok := fits(after, rest[i:]); ok {
			return rest[:i], true
		}
	}
	return "", false
}

func readOutputWeight(n *yaml.Node) (func(*Policy), error) {
	v, err := scaled(n.Value, 3)
	if err != nil || n.Kind != yaml.ScalarNode {
		return nil, fmt.Errorf("%q is not a number with up to three decimals, such as 4 or 2.5", n.Value)
	}
	return func(p *Policy) { p.Serving.OutputWeight = v }, nil
}

func readServedModels(n *yaml.Node) (func(*Policy), error) {
	var list []ServedModel
	if err := strict(n, &list); err != nil {
		return nil, err
	}
	if len(list) > maxServedModels {
		return nil, fmt.Errorf("%d models are too many: at most %d", len(list), maxServedModels)
	}
	for i, m := range list {
		if m.Served == "" || m.Model == "" {
			return nil, fmt.Errorf("number %d: served and model are both needed", i+1)
		}
		if strings.Count(m.Served, "*") > 4 {
			return nil, fmt.Errorf("number %d: %q has more than four *", i+1, m.Served)
		}
		if strings.Contains(m.Model, "*") && !strings.Contains(m.Served, "*") {
			return nil, errors.New("a * in model needs a * in served: " + strconv.Quote(m.Served) +
				" has none")
		}
	}
	return func(p *Policy) {
		if p.Serving.ServedModels = &list; len(list) == 0 {
			p.Serving.ServedModels = nil
		}
	}, nil
}

func showServedModels(p Policy) string {
	var parts []string
	for _, m := range p.Serving.rules() {
		parts = append(parts, fmt.Sprintf("{served: %s, model: %s}", strconv.Quote(m.Served), strconv.Quote(m.Model)))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
