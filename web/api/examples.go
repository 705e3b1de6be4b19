package api

import (
	details "gpuledger/internal/problem"
	"gpuledger/metrics"
)

// optionExamples are values of the options of datasets. An option that is not here has no example.
var optionExamples = map[string]any{
	"from": "2026-11-01", "to": "2026-12-01", "tz": "Europe/Berlin", "against": "previous", "billing_period": "2026-11",
	"group_by": "team", "filter": "cluster = prod", "granularity": "total", "basis": "effective", "sharing": "before",
	"currency": "EUR", "currency_missing": "keep", "limit": 10, "as_of": "2026-12-01T00:00:00Z", "statement": "2026-10",
	"org": "as-was", "focus_version": "1.3",
}

// words are examples of texts by the name of their field.
var words = map[string]string{
	"currency": "USD", "team": "speech", "project": "asr", "business_unit": "research", "model": "llama-7",
	"model_version": "3", "cluster": "prod", "namespace": "speech", "node": "gpu-a-7", "provider": "aws",
	"billing_account": "111122223333", "account": "444455556666", "region": "us-east-1", "zone": "us-east-1a",
	"instance_type": "p5.48xlarge", "gpu_model": "H100", "billing_period": "2026-11", "period": "2026-10",
	"policy_version": "default", "version": "idle-2h", "run": "asr-7", "run_id": "asr-7", "experiment": "tokenizer-v3",
	"metric": "bleu", "environment": "production", "cost_center": "4711", "name": "speech 2026-11", "unit": "money",
	"asked_by": "ada", "reason": "late bill", "service_name": "AmazonEC2", "service": "chat", "id": anID,
	"key": "team", "value": "speech", "owner": "ada", "subject": "2026-10", "state": "open", "cause": "used",
	"type": details.Type("invalid parameter"), "title": "invalid parameter", "url": "/?team=speech", "link": "/views/" + anID,
}

const anID = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"

// exampleOf is a value that fits a schema. name is the name of its field.
func exampleOf(name string, schema object) any {
	if list, ok := schema["examples"].([]any); ok {
		return list[0]
	}
	switch list := schema["enum"].(type) {
	case []string:
		return list[0]
	case []any:
		return list[0]
	}
	kind, null := typeOf(schema)
	switch kind {
	case "object":
		out := object{}
		properties, _ := schema["properties"].(object)
		for field, s := range properties {
			out[field] = exampleOf(field, s.(object))
		}
		return out
	case "array":
		if one := exampleOf(name, schema["items"].(object)); one != nil && one != "" {
			return []any{one}
		}
		return []any{}
	case "integer", "number":
		return 3
	case "boolean":
		return true
	}
	text := textOf(name, schema)
	if text == "" && null {
		return nil
	}
	return text
}

func textOf(name string, schema object) string {
	switch {
	case schema["format"] == "date-time":
		return "2026-11-01T00:00:00Z"
	case schema["x-kind"] == metrics.Ratio:
		return "0.58"
	case schema["x-kind"] == metrics.Quantity:
		return "412.5"
	case schema["pattern"] == decimalPattern:
		return "1234.56"
	case schema["pattern"] == idPattern:
		return anID
	}
	return words[name]
}

// typeOf is the type of a schema, and whether it also allows null.
func typeOf(schema object) (kind string, null bool) {
	switch t := schema["type"].(type) {
	case string:
		return t, false
	case []string:
		return t[0], len(t) > 1
	case []any:
		kind, _ = t[0].(string)
		return kind, len(t) > 1
	}
	return "", false
}
