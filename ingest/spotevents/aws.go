package spotevents

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Detail types that become facts.
const (
	detailInterruption = "EC2 Spot Instance Interruption Warning"
	detailReservation  = "EC2 Capacity Reservation Instance Interruption Warning"
	detailRebalance    = "EC2 Instance Rebalance Recommendation"
	detailState        = "EC2 Instance State-change Notification"
	detailHealth       = "AWS Health Event"
	detailTrail        = "AWS Service Event via CloudTrail"
)

// bidEvicted is CloudTrail's event name for reclaimed spot instances.
const bidEvicted = "BidEvictedEvent"

// aws turns an EventBridge event into instance events.
func (r *Reader) aws(at source, e *envelope) {
	ev := ledger.InstanceEvent{EventID: e.ID, Provider: "aws", Account: e.Account, Region: e.Region}
	switch *e.DetailType {
	case detailInterruption, detailReservation:
		ev.Kind = ledger.EventInterruption
	case detailRebalance:
		ev.Kind = ledger.EventRebalance
	case detailState:
		ev.Kind = ledger.EventState
	case detailHealth:
		r.health(at, e)
		return
	case detailTrail:
		r.trail(at, e.Detail)
		return
	default:
		r.Tally.Ignore("detail-type "+records.Clip(*e.DetailType), 1)
		return
	}
	var d struct {
		Instance string `json:"instance-id"`
		Action   string `json:"instance-action"`
		State    string `json:"state"`
	}
	if err := json.Unmarshal(e.Detail, &d); err != nil {
		at.reject("detail", "not an event", "its detail is not an object: "+err.Error())
		return
	}
	if ev.InstanceID = d.Instance; ev.InstanceID == "" {
		at.reject("detail.instance-id", "missing value", "the event names no instance")
		return
	}
	var ok bool
	if ev.At, ok = at.time("time", e.Time); !ok {
		return
	}
	switch ev.Kind {
	case ledger.EventInterruption:
		ev.Detail = d.Action
	case ledger.EventState:
		if ev.Detail = d.State; ev.Detail == "" {
			at.reject("detail.state", "missing value", "the event names no state")
			return
		}
	}
	r.keep(ev, "")
}

// believed is an event's plausible time; ok is false if it was rejected.
func (s source) believed(column string, t time.Time) (period.Second, bool) {
	at := period.FromTime(t)
	if why := period.Impossible(at); why != "" {
		s.reject(column, "impossible time", why)
		return 0, false
	}
	return at, true
}

// time reads the time of an event; ok is false if it was rejected.
func (s source) time(column, text string) (period.Second, bool) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		s.reject(column, "not a date", fmt.Sprintf("%q: a date such as 2026-11-01T00:00:00Z is expected", records.Clip(text)))
		return 0, false
	}
	return s.believed(column, t)
}

// instances finds EC2 instances among the entities of an event.
func instances(ids []string) []string {
	var out []string
	for _, id := range ids {
		if key := ledger.AWSInstanceKey(strings.TrimSpace(id)); key != "" {
			out = append(out, key)
		}
	}
	return out
}

// health keeps AWS Health's announcements about instances: possible maintenance and retirement.
// They end nothing by themselves.
func (r *Reader) health(at source, e *envelope) {
	var d struct {
		Code     string `json:"eventTypeCode"`
		Service  string `json:"service"`
		Start    string `json:"startTime"`
		Entities []struct {
			Value string `json:"entityValue"`
		} `json:"affectedEntities"`
	}
	if err := json.Unmarshal(e.Detail, &d); err != nil {
		at.reject("detail", "not an event", "its detail is not an object: "+err.Error())
		return
	}
	var ids []string
	for _, one := range d.Entities {
		ids = append(ids, one.Value)
	}
	if ids = instances(ids); len(ids) == 0 {
		r.Tally.Ignore("AWS Health event about no instance", 1)
		return
	}
	if d.Code == "" {
		at.reject("detail.eventTypeCode", "missing value", "the event does not say what it is")
		return
	}
	// The published example has no time for the event, only for its content.
	t, err := time.Parse(time.RFC3339Nano, e.Time)
	if err != nil {
		if t, err = httpTime(d.Start); err != nil {
			at.reject("time", "not a date",
				fmt.Sprintf("%q and detail.startTime %q", records.Clip(e.Time), records.Clip(d.Start)))
			return
		}
	}
	when, ok := at.believed("time", t)
	if !ok {
		return
	}
	for i, id := range ids {
		if i > 0 {
			r.Read++ // one event about each of them
		}
		r.keep(ledger.InstanceEvent{EventID: e.ID, Provider: "aws", Account: e.Account, Region: e.Region, InstanceID: id,
			Kind: ledger.EventState, Detail: "health:" + d.Code, At: when}, "")
	}
}

// httpTime reads Sat, 05 Jun 2016 15:10:09 GMT. It ignores the day of the week, which is wrong
// in published examples.
func httpTime(s string) (time.Time, error) {
	_, rest, found := strings.Cut(strings.TrimSpace(s), ", ")
	if !found {
		rest = strings.TrimSpace(s)
	}
	for _, layout := range []string{"02 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 MST", time.RFC3339} {
		t, err := time.Parse(layout, rest)
		if err == nil && (layout == time.RFC3339 || strings.HasSuffix(rest, " GMT") || strings.HasSuffix(rest, " UTC")) {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q: a date such as Mon, 02 Jan 2006 15:04:05 GMT is expected", records.Clip(s))
}

// trail reads a record of CloudTrail: BidEvictedEvent confirms that instances were taken.
func (r *Reader) trail(at source, raw []byte) {
	var e struct {
		ID      string          `json:"eventID"`
		Name    string          `json:"eventName"`
		Time    string          `json:"eventTime"`
		Region  string          `json:"awsRegion"`
		Account string          `json:"recipientAccountId"`
		Details json.RawMessage `json:"serviceEventDetails"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		at.reject("", "not an event", err.Error())
		return
	}
	if e.Name != bidEvicted {
		r.Tally.Ignore("other record of CloudTrail", 1)
		return
	}
	var d struct {
		Instances []string `json:"instanceIdSet"`
	}
	if err := json.Unmarshal(e.Details, &d); err != nil {
		at.reject("serviceEventDetails.instanceIdSet", "not an event", "a list of instances is expected: "+err.Error())
		return
	}
	ids := instances(d.Instances)
	if len(ids) == 0 {
		at.reject("serviceEventDetails.instanceIdSet", "missing value", "the event names no instance")
		return
	}
	when, ok := at.time("eventTime", e.Time)
	if !ok {
		return
	}
	for i, id := range ids {
		if i > 0 {
			r.Read++
		}
		r.keep(ledger.InstanceEvent{EventID: e.ID, Provider: "aws", Account: e.Account, Region: e.Region, InstanceID: id,
			Kind: ledger.EventInterruption, Detail: "evicted", At: when}, "")
	}
}
