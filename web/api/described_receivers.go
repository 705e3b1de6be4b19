package api

import "net/http"

// Ids of routes of protocols, which have their own ways to repeat a request.
const (
	remoteWriteID = "remote_write"
	otlpID        = "otlp_metrics"
)

// checkpointRow is a checkpoint in a body; package ingest/endpoints reads it.
type checkpointRow struct {
	RunID     string  `json:"run_id" doc:"Run id, unique across clusters. Or name a pod, or a job_id." example:"asr-7"`
	Cluster   string  `json:"cluster" doc:"Cluster of pod or job_id. Leave it out with run_id."`
	Namespace string  `json:"namespace" doc:"Namespace of pod."`
	Pod       string  `json:"pod" doc:"Name or uid of the pod."`
	JobID     string  `json:"job_id" doc:"Id of a batch job."`
	At        string  `json:"at" need:"true" doc:"RFC 3339 with a zone. Unix seconds, as a number, are taken as well." example:"2026-11-01T12:00:00Z"`
	Step      int64   `json:"step" doc:"Training step."`
	Took      float64 `json:"duration_seconds" doc:"Time it took to write the checkpoint; more than 0, at most 86400."`
}

// acceptedRows is the answer to rows of telemetry.
type acceptedRows struct {
	Accepted int64 `json:"accepted"`
}

// receiverRoutes describe the addresses that take telemetry. Other packages answer them.
func receiverRoutes() []Route {
	checkpoints := typed{inBody, checkpointRow{}}.list()
	checkpoints[0].Example = []any{object{"run_id": "asr-7", "at": "2026-11-01T12:00:00Z", "step": 1000}}
	checkpoints[0].Schema["maxItems"] = 10_000
	protobuf := Content{Type: "application/x-protobuf"}
	later := func(r Route) Route {
		r.Method, r.Tag = http.MethodPost, tagTelemetry
		r.Answers = append(r.Answers,
			Answer{Status: http.StatusTooManyRequests, Doc: "Too much data from this sender: send it again after Retry-After."},
			Answer{Status: http.StatusServiceUnavailable, Doc: "Nothing was stored: send it again after Retry-After."})
		r.problems(http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
		return r
	}
	return []Route{
		later(Route{Path: root + "/checkpoints", ID: "post_checkpoints", Summary: "Store checkpoints saved by a training run.",
			Doc: "They are stored when the answer arrives; sending them again changes nothing. A single object is taken like a " +
				"list of one.",
			Body: &Body{Required: true, Contents: checkpoints},
			Answers: []Answer{{Status: http.StatusOK, Doc: "All of them are stored.",
				Contents: typed{inAnswer, acceptedRows{}}.contents()},
				{Status: http.StatusBadRequest, Doc: "One checkpoint is wrong. `detail` names it, and nothing is stored."}}}),
		later(Route{Path: root + "/write", ID: remoteWriteID, Summary: "Take samples by Prometheus remote_write 1.0 and 2.0.",
			Body: &Body{Required: true, Contents: []Content{protobuf}},
			Answers: []Answer{{Status: http.StatusNoContent, Doc: "All samples are stored. For 2.0, the " +
				"X-Prometheus-Remote-Write-…-Written headers give the counts."},
				{Status: http.StatusBadRequest, Doc: "The named samples can never be stored; all others are."}}}),
		later(Route{Path: "/v1/metrics", ID: otlpID, Summary: "Take OpenTelemetry metrics by OTLP/HTTP.",
			Body: &Body{Required: true, Contents: []Content{protobuf, {Type: "application/json",
				Schema: object{"type": "object"}}}},
			Answers: []Answer{{Status: http.StatusOK, Doc: "Stored, except for the points that partial_success counts.",
				Contents: []Content{{Type: "application/json", Schema: object{"type": "object"}}, protobuf}},
				{Status: http.StatusBadRequest, Doc: "The body cannot be parsed."}}}),
	}
}
