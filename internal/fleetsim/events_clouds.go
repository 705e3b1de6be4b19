package fleetsim

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gpuledger/internal/fleetsim/world"
)

// preempted lists the machines whose end the cloud announced, in order of time.
func preempted(w *world.World) []*world.Node {
	var out []*world.Node
	for _, n := range w.Nodes {
		if n.Warned != 0 && n.Warned < w.To {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b *world.Node) int { return int(a.Warned - b.Warned) })
	return out
}

// writePreemptions writes the preemptions in Google's audit log and in Azure's Scheduled Events, one file for all days.
func writePreemptions(w *world.World, dir string, m *Manifest) error {
	write := map[world.Provider]func(w *world.World, r *world.RNG, n *world.Node) []any{
		world.GCP: auditEntries, world.Azure: scheduledEvents,
	}[w.Site.Provider]
	if write == nil {
		return nil
	}
	r := world.NewRNG(w.Config.Seed, 41)
	var body []byte
	for _, n := range preempted(w) {
		for _, entry := range write(w, r, n) {
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
func auditEntries(w *world.World, r *world.RNG, n *world.Node) []any {
	operation := "systemevent-" + r.UUID()
	entry := func(at int64, first bool) any {
		position := map[string]any{"id": operation, "producer": "compute.instances.preempted"}
		if first {
			position["first"] = true
		} else {
			position["last"] = true
		}
		return map[string]any{
			"insertId": r.Word(12), "logName": "projects/" + world.GCPProject + "/logs/cloudaudit.googleapis.com%2Fsystem_event",
			"severity":         "INFO",
			"timestamp":        world.IsoSecond(at)[:19] + ".418077Z",
			"receiveTimestamp": world.IsoSecond(at + 1)[:19] + ".004129Z", "operation": position,
			"resource": map[string]any{
				"type": "gce_instance", "labels": map[string]string{
					"instance_id": n.NumericID, "zone": n.Zone, "project_id": world.GCPProject,
				},
			},
			"protoPayload": map[string]any{
				"@type":       "type.googleapis.com/google.cloud.audit.AuditLog",
				"serviceName": "compute.googleapis.com", "methodName": "compute.instances.preempted",
				"resourceName":       "projects/" + world.GCPProject + "/zones/" + n.Zone + "/instances/" + n.Name,
				"authenticationInfo": map[string]string{"principalEmail": "system@google.com"},
				"status":             map[string]string{"message": "Instance was preempted."},
			},
		}
	}
	return []any{entry(n.Warned, true), entry(n.Warned+28, false)}
}

// scheduledEvents are the documents in which machines of the set saw the
// preemption announced, then begun.
func scheduledEvents(w *world.World, r *world.RNG, n *world.Node) []any {
	id := r.UUID()
	document := func(number int64, status, notBefore string) any {
		return map[string]any{"DocumentIncarnation": number, "Events": []any{map[string]any{
			"EventId": id, "EventType": "Preempt", "ResourceType": "VirtualMachine",
			"Resources":   []string{fmt.Sprintf("%s_%d", n.SetName, n.SetIndex)},
			"EventStatus": status, "NotBefore": notBefore, "Description": "", "EventSource": "Platform", "DurationInSeconds": -1,
		}}}
	}
	soon := time.Unix(n.Warned, 0).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
	number := r.Between(2, 90)
	return []any{
		document(number, "Scheduled", soon), document(number, "Scheduled", soon), document(number+1, "Started", ""),
	}
}
