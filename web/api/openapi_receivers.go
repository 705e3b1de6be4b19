package api

import "maps"

// receiverPaths describes the addresses that take telemetry. Other packages
// answer them.
func receiverPaths(paths object) {
	text := func(description string) object { return object{"description": description} }
	later := object{
		"429": text("Too much data from this sender at once: send it again after Retry-After."),
		"503": text("Nothing was stored: send it again after Retry-After."),
	}
	with := func(responses object) object {
		maps.Copy(responses, later)
		responses["401"] = text("The configured token is missing or wrong.")
		return responses
	}
	paths["/api/v1/checkpoints"] = object{"post": object{
		"operationId": "post_checkpoints",
		"summary": "Checkpoints saved by a training run, one or a list. They are stored when the answer arrives; " +
			"sending them again changes nothing.",
		"requestBody": object{"required": true, "content": object{"application/json": object{"schema": object{
			"oneOf": []object{
				checkpointSchema(), {"type": "array", "minItems": 1, "maxItems": 10_000, "items": checkpointSchema()},
			}}}}},
		"responses": with(object{
			"200": object{"description": "All of them are stored.",
				"content": object{"application/json": object{"schema": object{
					"type": "object", "required": []string{"accepted"},
					"properties": object{"accepted": object{"type": "integer"}}}}}},
			"400": problemResponse("One checkpoint is wrong; `detail` names it, and nothing is stored."),
			"413": problemResponse("The body is too large."),
			"415": problemResponse("The body is not application/json."),
		}),
	}}
	paths["/api/v1/write"] = object{"post": object{
		"operationId": "remote_write",
		"summary":     "Prometheus remote_write 1.0 and 2.0.",
		"requestBody": object{"required": true, "content": object{"application/x-protobuf": object{}}},
		"responses": with(object{
			"204": text("All samples are stored; for 2.0, the X-Prometheus-Remote-Write-…-Written headers give the counts."),
			"400": text("The named samples can never be stored; all others are."),
			"413": text("The request is too large."),
			"415": text("Unsupported protocol or encoding."),
		}),
	}}
	paths["/v1/metrics"] = object{"post": object{
		"operationId": "otlp_metrics",
		"summary":     "OpenTelemetry metrics, OTLP/HTTP.",
		"requestBody": object{
			"required": true, "content": object{"application/x-protobuf": object{}, "application/json": object{}},
		},
		"responses": with(object{
			"200": text("Stored, except for the points that partial_success counts."),
			"400": text("The body cannot be parsed."),
			"413": text("The request is too large."),
			"415": text("Unsupported media type or encoding."),
		}),
	}}
}

func checkpointSchema() object {
	str := func(description string) object { return object{"type": "string", "description": description} }
	return object{"type": "object", "additionalProperties": false, "required": []string{"at"},
		"properties": object{
			"run_id": str("Run id, unique across clusters."), "cluster": str("Cluster of pod or job_id."),
			"namespace": str("Namespace of pod."),
			"pod":       str("Name or uid of the pod."), "job_id": str("Id of a batch job."),
			"at": object{
				"description": "RFC 3339 with a zone, or unix seconds.",
				"oneOf":       []object{{"type": "string", "format": "date-time"}, {"type": "number"}},
			},
			"step": object{"type": "integer", "minimum": 0},
			"duration_seconds": object{
				"type": "number", "exclusiveMinimum": 0, "maximum": 86400,
				"description": "Time it took to write the checkpoint, in seconds.",
			},
		},
		"oneOf": []object{
			{"required": []string{"run_id"}}, {"required": []string{"cluster", "namespace", "pod"}},
			{"required": []string{"cluster", "job_id"}},
		},
	}
}
