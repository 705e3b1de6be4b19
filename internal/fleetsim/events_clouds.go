package fleetsim

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// preempted lists the machines whose end the cloud announced, in order of time.
func (w *World) preempted() []*Node {
	var out []*Node
	for _, n := range w.Nodes {
		if n.Warned != 0 && n.Warned < w.To {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b *Node) int { return int(a.Warned - b.Warned) })
	return out
}

// writePreemptions writes what Google's audit log and Azure's Scheduled Events
// say of preemptions, one file for all days.
func (w *World) writePreemptions(dir string, m *Manifest) error {
	write := map[Provider]func(r *rng, n *Node) []any{GCP: w.auditEntries, Azure: w.scheduledEvents}[w.Site.Provider]
	if write == nil {
		return nil
	}
	r := newRNG(w.Config.Seed, 41)
	var body []byte
	for _, n := range w.preempted() {
		for _, entry := range write(r, n) {
			line, err := json.Marshal(entry)
			if err != nil {
				return fmt.Errorf("encode event: %w", err)
			}
			body = append(append(body, line...), '\n')
		}
	}
	if body == nil {
		return nil
	}
	rel := filepath.Join("spot-events", string(w.Site.Provider)+"-"+w.Config.Cluster+".json")
	if err := os.MkdirAll(filepath.Join(dir, "spot-events"), 0o755); err != nil {
		return fmt.Errorf("make folder of events: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, rel), body, 0o644); err != nil {
		return fmt.Errorf("write events: %w", err)
	}
	m.Events = append(m.Events, rel)
	return nil
}

// auditEntries are the two entries that one preemption has in the log.
func (w *World) auditEntries(r *rng, n *Node) []any {
	operation := "systemevent-" + r.uuid()
	entry := func(at int64, first bool) any {
		position := map[string]any{"id": operation, "producer": "compute.instances.preempted"}
		if first {
			position["first"] = true
		} else {
			position["last"] = true
		}
		return map[string]any{
			"insertId": r.word(12), "logName": "projects/" + gcpProject + "/logs/cloudaudit.googleapis.com%2Fsystem_event", "severity": "INFO",
			"timestamp": IsoSecond(at)[:19] + ".418077Z", "receiveTimestamp": IsoSecond(at + 1)[:19] + ".004129Z", "operation": position,
			"resource": map[string]any{"type": "gce_instance", "labels": map[string]string{"instance_id": n.numericID, "zone": n.Zone, "project_id": gcpProject}},
			"protoPayload": map[string]any{
				"@type": "type.googleapis.com/google.cloud.audit.AuditLog", "serviceName": "compute.googleapis.com", "methodName": "compute.instances.preempted",
				"resourceName":       "projects/" + gcpProject + "/zones/" + n.Zone + "/instances/" + n.Name,
				"authenticationInfo": map[string]string{"principalEmail": "system@google.com"}, "status": map[string]string{"message": "Instance was preempted."},
			},
		}
	}
	return []any{entry(n.Warned, true), entry(n.Warned+28, false)}
}

// scheduledEvents are the documents in which machines of the set saw the
// preemption announced, then begun.
func (w *World) scheduledEvents(r *rng, n *Node) []any {
	id := r.uuid()
	document := func(number int64, status, notBefore string) any {
		return map[string]any{"DocumentIncarnation": number, "Events": []any{map[string]any{
			"EventId": id, "EventType": "Preempt", "ResourceType": "VirtualMachine", "Resources": []string{fmt.Sprintf("%s_%d", n.setName, n.setIndex)},
			"EventStatus": status, "NotBefore": notBefore, "Description": "", "EventSource": "Platform", "DurationInSeconds": -1,
		}}}
	}
	soon := time.Unix(n.Warned, 0).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
	number := r.between(2, 90)
	return []any{document(number, "Scheduled", soon), document(number, "Scheduled", soon), document(number+1, "Started", "")}
}
