package spotevents

import (
	"strings"
	"time"

	"gpuledger/ingest/jsonstream"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// azureEvent is an event in a document of Scheduled Events.
type azureEvent struct {
	ID        string   `json:"EventId"`
	Type      string   `json:"EventType"`
	Kind      string   `json:"ResourceType"`
	Resources []string `json:"Resources"`
	Status    string   `json:"EventStatus"`
	NotBefore string   `json:"NotBefore"`
}

// azure reads a document of Scheduled Events. Every machine of a set sees it repeatedly until
// the event is over. A Preempt is an interruption; other events may be cancelled and are kept
// as changes of state.
func (r *Reader) azure(at source, e *envelope, raw []byte) {
	if len(e.AzureEvents) == 0 {
		r.Read++
		r.Tally.Ignore("document without events", 1)
		return
	}
	written := documentTime(raw)
	for i := range e.AzureEvents {
		r.azureEvent(at, &e.AzureEvents[i], written)
	}
}

// documentTime is when a document was captured, if its writer added the time: the document
// itself has none. nil: unknown.
func documentTime(raw []byte) *period.Second {
	o, ok := jsonstream.Decode(raw)
	if !ok {
		return nil
	}
	for _, name := range []string{"time", "timestamp", "Time", "Timestamp", "TimeGenerated", "collectedAt", "receivedAt"} {
		if t, err := time.Parse(time.RFC3339Nano, o.Text(name)); err == nil {
			if at := period.FromTime(t); at.Believable() {
				return &at
			}
		}
	}
	return nil
}

func (r *Reader) azureEvent(at source, e *azureEvent, written *period.Second) {
	if len(e.Resources) == 0 || e.ID == "" {
		r.Read++
		at.reject("Events.Resources", "missing value", "the event names no machine or has no EventId")
		return
	}
	ev := ledger.InstanceEvent{EventID: e.ID, Provider: "azure", Kind: ledger.EventState, Detail: strings.ToLower(e.Type)}
	switch e.Type {
	case "Preempt":
		ev.Kind = ledger.EventInterruption
	case "Freeze", "Reboot", "Redeploy", "Terminate":
		ev.Detail = "scheduled:" + ev.Detail // a plan is not a state
	default:
		r.Read++
		r.Tally.Ignore("EventType "+e.Type, 1)
		return
	}
	switch {
	case strings.TrimSpace(e.NotBefore) != "":
		t, err := httpTime(e.NotBefore)
		if err != nil {
			r.Read++
			at.reject("Events.NotBefore", "not a date", err.Error())
			return
		}
		var ok bool
		if ev.At, ok = at.believed("Events.NotBefore", t); !ok {
			r.Read++
			return
		}
	case written != nil:
		ev.At = *written
	default: // it has started: an earlier document had the time
		r.Read++
		r.Tally.Ignore("started event without a time", 1)
		return
	}
	for _, name := range e.Resources {
		r.Read++
		ev.InstanceID = ledger.AzureVMKey(strings.TrimSpace(name))
		r.keep(ev, e.ID)
	}
}
