package config

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// The docs promise that deploy/gpuledger.yaml shows every key.
func TestTheExampleShowsEveryKey(t *testing.T) {
	text, err := os.ReadFile("../../deploy/gpuledger.yaml")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	collectKeys(reflect.TypeFor[Config](), keys)
	if len(keys) < 40 {
		t.Fatalf("only %d keys found", len(keys))
	}
	for key := range keys {
		if !regexp.MustCompile(`\b` + key + `:`).Match(text) {
			t.Errorf("deploy/gpuledger.yaml does not show the key %s", key)
		}
	}
}

func collectKeys(t reflect.Type, into map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		collectKeys(t.Elem(), into)
	case reflect.Struct:
		for f := range t.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" && name != "-" {
				into[name] = true
			}
			collectKeys(f.Type, into)
		}
	}
}
