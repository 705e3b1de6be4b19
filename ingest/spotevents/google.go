package spotevents

import (
	"encoding/json"
	"strings"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
)

// googlePayload is the part of an audit log entry with the operation.
type googlePayload struct {
	Method   string `json:"methodName"`
	Resource string `json:"resourceName"`
}

// google turns an audit log entry into an event. Each preemption has two, at
// the start and the end of its operation.
func (r *Reader) google(at source, raw []byte) {
	var e struct {
		ID      string         `json:"insertId"`
		Payload *googlePayload `json:"protoPayload"`
		Time    string         `json:"timestamp"`
		Arrived string         `json:"receiveTimestamp"`
		About   struct {
			Labels struct {
				Instance string `json:"instance_id"`
				Zone     string `json:"zone"`
				Project  string `json:"project_id"`
			} `json:"labels"`
		} `json:"resource"`
		Operation struct {
			ID string `json:"id"`
		} `json:"operation"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		at.reject("protoPayload", "not an event", err.Error())
		return
	}
	if method := e.Payload.Method; method != "compute.instances.preempted" &&
		!strings.HasSuffix(method, ".compute.instances.preempted") {
		r.Tally.Ignore("method "+records.Clip(records.Clean(method)), 1)
		return
	}
	ev := ledger.InstanceEvent{
		EventID: e.ID, Provider: "gcp", Account: e.About.Labels.Project, Kind: ledger.EventInterruption, Detail: "preempted",
	}
	project, zone, name, named := ledger.GoogleResource("//compute.googleapis.com/" +
		strings.TrimPrefix(e.Payload.Resource, "//compute.googleapis.com/"))
	if named {
		if ev.Account == "" {
			ev.Account = project
		}
		if e.About.Labels.Zone == "" {
			e.About.Labels.Zone = zone
		}
	}
	if i := strings.LastIndexByte(e.About.Labels.Zone, '-'); i > 0 {
		ev.Region = e.About.Labels.Zone[:i]
	}
	switch id := e.About.Labels.Instance; {
	case id != "" && strings.Trim(id, "0123456789") == "":
		ev.InstanceID = ledger.GoogleInstanceKey(id)
	case named: // names are reused, but no other identifier exists
		ev.InstanceID = ledger.GoogleNameKey(project, zone, name)
	default:
		at.reject("resource.labels.instance_id", "missing value", "the entry names no instance")
		return
	}
	if e.Time == "" {
		e.Time = e.Arrived
	}
	var ok bool
	if ev.At, ok = at.time("timestamp", e.Time); !ok {
		return
	}
	r.keep(ev, e.Operation.ID)
}
