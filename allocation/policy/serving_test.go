package policy

import (
	"strings"
	"testing"
)

func TestServedModels(t *testing.T) {
	v, err := Parse([]byte(`version: x
settings:
  output_weight: 2.5
  served_models:
    - {served: "acme/*-7b", model: "*-small"}
    - {served: "exact", model: one}
    - {served: "*/*", model: "*"}
`))
	if err != nil {
		t.Fatal(err)
	}
	s := v.Settings.Serving
	if s.OutputWeight != 2500 {
		t.Errorf("output weight %d", s.OutputWeight)
	}
	for served, want := range map[string]string{
		"acme/llama-7b": "llama-small", "exact": "one", "exactly": "", "a/b/c": "a/b", "plain": "", "": "",
	} {
		if got, ok := s.Model(served); got != want || ok != (want != "") {
			t.Errorf("%q is %q, want %q", served, got, want)
		}
	}
	if got, ok := Default().Serving.Model("acme/x"); ok {
		t.Errorf("without rules: %q", got)
	}
	if again := Default(); v.Settings == Default() || again != Default() {
		t.Error("policies cannot be compared")
	}
}

func TestServedModelsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"output_weight: much":                          "not a number",
		"output_weight: 1001":                          "allowed is 0 to 1000000",
		"served_models: [{served: a}]":                 "number 1: served and model are both needed",
		"served_models: [{served: a, model: '*'}]":     "has none",
		"served_models: [{server: a, model: b}]":       "not found",
		"served_models: [{served: '*****', model: b}]": "more than four",
	} {
		if _, err := Parse([]byte("version: x\nsettings: {" + text + "}")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
