package spotevents

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"

	"gpuledger/ingest/jsonstream"
	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// maxWrap is how many envelopes may wrap an event (SQS around SNS around a pipe's own).
const maxWrap = 5

// Reader collects the events of one import. The zero value is ready.
type Reader struct {
	Events []ledger.InstanceEvent
	Tally  ledger.Tally
	Read   int64 // events seen, with any outcome
	seen   map[key]int
}

// key identifies an event. The cloud's own id replaces the time if one event is reported
// several times with different times.
type key struct {
	provider, account, instance string
	kind                        ledger.InstanceEventKind
	detail, id                  string
	at                          period.Second
}

// source is an event's place, for rejections.
type source struct {
	r    *Reader
	file string
	line int64
}

func (s source) reject(column, reason, detail string) {
	s.r.Tally.Reject(ledger.Rejection{File: s.file, Line: s.line, Column: column, Reason: reason, Detail: detail})
}

// envelope is an event or any wrapper of events.
type envelope struct {
	DetailType *string         `json:"detail-type"`
	ID         string          `json:"id"`
	Account    string          `json:"account"`
	Time       string          `json:"time"`
	Region     string          `json:"region"`
	Detail     json.RawMessage `json:"detail"`

	Type     string            `json:"Type"`     // SNS
	Message  json.RawMessage   `json:"Message"`  // SNS; Pub/Sub writes it in lower case
	Body     *string           `json:"Body"`     // SQS
	Messages []json.RawMessage `json:"Messages"` // receive-message
	Records  []json.RawMessage `json:"Records"`  // Lambda, CloudTrail

	EventName string `json:"eventName"` // CloudTrail

	ProtoPayload *googlePayload `json:"protoPayload"`

	Incarnation json.RawMessage `json:"DocumentIncarnation"` // Azure
	AzureEvents []azureEvent    `json:"Events"`
}

// Parse reads one file. An error refuses the file: its JSON is broken or truncated. Events that
// cannot be facts are counted in the Tally.
func (r *Reader) Parse(ctx context.Context, in io.Reader, file string) error {
	return jsonstream.Each(ctx, in, file, jsonstream.Options{Lists: []string{"Records", "Messages"}},
		func(v jsonstream.Value) error {
			if !v.Around {
				r.event(source{r, file, v.Line}, v.Raw, 0)
			}
			return nil
		})
}

// event reads a value: an event, or envelopes around events.
func (r *Reader) event(at source, raw []byte, depth int) {
	var e envelope
	if err := json.Unmarshal(raw, &e); err != nil {
		r.Read++
		at.reject("", "not an event", err.Error())
		return
	}
	switch {
	case e.DetailType != nil:
		r.Read++
		r.aws(at, &e)
		return
	case e.ProtoPayload != nil:
		r.Read++
		r.google(at, raw)
		return
	case e.Incarnation != nil:
		r.azure(at, &e, raw)
		return
	case e.EventName != "":
		r.Read++
		r.trail(at, raw)
		return
	}
	inner := append(append([]json.RawMessage(nil), e.Messages...), e.Records...)
	if e.Body != nil {
		inner = append(inner, json.RawMessage(*e.Body))
	}
	if text := wrapped(e.Message); text != nil {
		inner = append(inner, text)
	}
	switch {
	case strings.HasSuffix(e.Type, "Confirmation"):
		r.Read++
		r.Tally.Ignore(e.Type, 1)
	case len(inner) == 0 || depth >= maxWrap:
		r.Read++
		at.reject("detail-type", "not an event",
			"neither an event of AWS, Google Cloud or Azure nor an envelope of SNS, SQS or Pub/Sub around one")
	default:
		for _, v := range inner {
			r.list(at, v, depth+1)
		}
	}
}

// list reads the contents of an envelope: one event or a list of them.
func (r *Reader) list(at source, v json.RawMessage, depth int) {
	if bytes.HasPrefix(bytes.TrimSpace(v), []byte("[")) {
		var list []json.RawMessage
		if err := json.Unmarshal(v, &list); err == nil {
			for _, one := range list {
				r.event(at, one, depth)
			}
			return
		}
	}
	r.event(at, v, depth)
}

// wrapped is the content of a Message: text with JSON in it, or Pub/Sub's record with data in
// base64.
func wrapped(message json.RawMessage) json.RawMessage {
	if len(message) == 0 {
		return nil
	}
	var text string
	if err := json.Unmarshal(message, &text); err == nil {
		return json.RawMessage(text)
	}
	var pubsub struct {
		Data []byte `json:"data"` // base64
	}
	if err := json.Unmarshal(message, &pubsub); err == nil && len(pubsub.Data) > 0 {
		return pubsub.Data
	}
	return nil
}

// keep adds an event unless it is known. If id is given, two events with it are one although
// their times differ: the earlier time counts.
func (r *Reader) keep(e ledger.InstanceEvent, id string) {
	e.EventID, e.Account, e.Region, e.Detail = records.Clean(e.EventID), records.Clean(e.Account), records.Clean(e.Region),
		records.Clean(e.Detail)
	e.InstanceID = records.Clean(e.InstanceID)
	k := key{e.Provider, e.Account, e.InstanceID, e.Kind, e.Detail, id, e.At}
	if id != "" {
		k.at = 0
	}
	if i, known := r.seen[k]; known {
		r.Tally.Ignore("repeated event", 1)
		if e.At < r.Events[i].At {
			r.Events[i] = e
		}
		return
	}
	if r.seen == nil {
		r.seen = map[key]int{}
	}
	r.seen[k] = len(r.Events)
	r.Events = append(r.Events, e)
}

// marks occur in the first bytes of a file with events.
var marks = []string{
	`"detail-type"`, `\"detail-type\"`, `\\\"detail-type`, // EventBridge, as text, as text in text
	`"protoPayload"`, `\"protoPayload\"`, `"DocumentIncarnation"`,
	`\"DocumentIncarnation\"`, `"BidEvictedEvent"`, `"eventSource"`,
}

// LooksLikeEvents reports whether the first bytes of a file contain an event or an envelope
// around one.
func LooksLikeEvents(head []byte) bool {
	for _, mark := range marks {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	// Pub/Sub
	if _, after, found := bytes.Cut(head, []byte(`"data"`)); found && bytes.Contains(head, []byte(`"message"`)) {
		text := bytes.TrimLeft(after, " :\n\t\"")
		plain := make([]byte, base64.StdEncoding.DecodedLen(min(len(text), 4096)))
		n, _ := base64.StdEncoding.Decode(plain, text[:min(len(text), 4096)]) // up to the first byte that is not base64
		return LooksLikeEvents(bytes.ReplaceAll(plain[:n], []byte(`"message"`), nil))
	}
	return false
}
