package api

import (
	"strings"

	"gpuledger/metrics"
)

// changePaths describes what operators may change.
func changePaths(paths object) {
	post := func(path string, operation object) {
		responses := operation["responses"].(object)
		responses["401"] = problemResponse("No operator's token was shown.")
		responses["403"] = problemResponse("The operator has not the right, or none are configured.")
		responses["409"] = problemResponse("The ledger refuses; `reasons` lists all that stands in the way.")
		operation["security"] = []object{{"operator": []string{}}}
		entry, ok := paths[path].(object)
		if !ok {
			entry = object{}
			paths[path] = entry
		}
		entry["post"] = operation
	}
	answer := func(description string, properties object) object {
		return object{"200": object{"description": description, "content": object{"application/json": object{"schema": object{"type": "object", "properties": properties}}}}}
	}
	change := object{"type": "object", "properties": object{"change": object{"type": "object", "properties": object{
		"change_id": object{"type": "string"}, "kind": object{"type": "string"}, "subject": object{"type": "string"}, "state": object{"type": "string"},
		"asked_by": object{"type": "string"}, "asked_at": object{"type": "string"}, "expires_at": object{"type": "string"}, "digest": object{"type": "string"}}}}}
	mayWait := func(responses object) object {
		responses["202"] = object{"description": "Not done yet: the policy asks for a second person, who confirms the change.",
			"content": object{"application/json": object{"schema": change}}}
		return responses
	}
	str, yes := object{"type": "string"}, object{"type": "boolean"}
	document := object{"required": true, "content": object{"application/yaml": object{}, "application/json": object{}}}
	inPath := func(name, description string) object {
		return object{"name": name, "in": "path", "required": true, "schema": str, "description": description}
	}
	post("/api/v1/policies", object{"operationId": "save_policy", "summary": "Store a document as a new version of the policy.",
		"requestBody": document, "responses": mayWait(answer("Stored, or stored already.", object{"version": str, "stored": yes}))})
	var window []object
	for _, o := range metrics.OptionList {
		if o.Name == "from" || o.Name == "to" {
			window = append(window, object{"name": o.Name, "in": "query", "schema": str, "description": o.Doc})
		}
	}
	post("/api/v1/policies/try", object{"operationId": "try_policy", "summary": "Who would pay what differently under a document. Nothing is stored.",
		"parameters": window, "requestBody": document,
		"responses": answer("Amounts now, then, and their difference.", object{"version": str, "node_days": object{"type": "integer"}, "node_days_waiting": object{"type": "integer"},
			"rows": object{"type": "array", "items": object{"type": "object"}}})})
	post("/api/v1/policies/{version}/withdraw", object{"operationId": "withdraw_policy", "summary": "End a version of the policy.",
		"parameters": []object{inPath("version", "Name of the version.")}, "responses": mayWait(answer("It no longer holds.", object{"version": str, "withdrawn": yes}))})
	statement := object{"data": object{"type": "array", "items": object{"type": "object", "properties": object{
		"billing_account": str, "billing_period": str, "version": object{"type": "integer"}, "digest": str}}}}
	body := func(properties object, required ...string) object {
		schema := object{"type": "object", "additionalProperties": false, "properties": properties}
		if len(required) > 0 {
			schema["required"] = required
		}
		return object{"required": len(required) > 0, "content": object{"application/json": object{"schema": schema}}}
	}
	post("/api/v1/periods/{period}/close", object{"operationId": "close_period", "summary": "Close a billing period of one account, or of all.",
		"parameters": []object{inPath("period", "Billing month: 2026-10.")}, "requestBody": body(object{"billing_account": str}),
		"responses": answer("The statements that were written.", statement)})
	post("/api/v1/recommendations/{id}", object{"operationId": "decide_recommendation", "summary": "Record what was decided on a recommendation.",
		"parameters":  []object{inPath("id", "recommendation_id.")},
		"requestBody": body(object{"status": object{"type": "string", "enum": []string{"open", "accepted", "dismissed", "done"}}, "note": str}, "status"),
		"responses":   answer("Recorded.", object{"recommendation_id": str, "status": str})})
	post("/api/v1/periods/{period}/reopen", object{"operationId": "reopen_period", "summary": "Reopen a closed period. Its statements are kept.",
		"parameters": []object{inPath("period", "Billing month: 2026-10.")}, "requestBody": body(object{"billing_account": str, "reason": str}, "reason"),
		"responses": mayWait(answer("The statements that no longer stand.", statement))})
	for _, d := range []struct{ name, summary string }{
		{"confirm", "Confirm a change that waits for a second person, which does it. Whoever asked cannot, and no token of a program."},
		{"decline", "Decline a change that waits for a second person, with a reason."},
		{"take-back", "Take back a change that one asked for oneself."},
	} {
		post("/api/v1/changes/{id}/"+d.name, object{"operationId": strings.ReplaceAll(d.name, "-", "_") + "_change", "summary": d.summary,
			"parameters": []object{inPath("id", "change_id of dataset changes.")}, "requestBody": body(object{"reason": str}),
			"responses": object{"200": object{"description": "What became of it.", "content": object{"application/json": object{"schema": change}}},
				"404": problemResponse("There is no such change.")}})
	}
}
