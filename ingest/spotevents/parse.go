package spotevents

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Detail types that become facts.
const (
	detailInterruption = "EC2 Spot Instance Interruption Warning"
	detailRebalance    = "EC2 Instance Rebalance Recommendation"
	detailState        = "EC2 Instance State-change Notification"
)

// maxWrap is how many envelopes may lie around an event (SQS around SNS around
// a pipe's own).
const maxWrap = 5

// Reader collects the events of one import. The zero value is ready.
type Reader struct {
	Events []ledger.InstanceEvent
	Tally  ledger.Tally
	Read   int64 // events seen, whatever became of them
	seen   map[key]bool
}

type key struct {
	account, instance string
	kind              ledger.InstanceEventKind
	detail            string
	at                period.Second
}

// envelope is an event or anything that may wrap events.
type envelope struct {
	DetailType *string         `json:"detail-type"`
	ID         string          `json:"id"`
	Source     string          `json:"source"`
	Account    string          `json:"account"`
	Time       string          `json:"time"`
	Region     string          `json:"region"`
	Detail     json.RawMessage `json:"detail"`

	Type     string            `json:"Type"`    // SNS
	Message  *string           `json:"Message"` // SNS
	Body     *string           `json:"Body"`    // SQS
	Messages []json.RawMessage `json:"Messages"`
	Records  []json.RawMessage `json:"Records"` // Lambda
}

// Parse reads one file. An error refuses the file: its JSON is broken or cut
// off. Events that cannot be facts are counted in the Tally.
func (r *Reader) Parse(ctx context.Context, in io.Reader, file string) error {
	lines := &lineReader{in: in}
	dec := json.NewDecoder(lines)
	inArray := false
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if inArray && !dec.More() {
			if _, err := dec.Token(); err != nil {
				return r.broken(file, lines, dec.InputOffset(), err)
			}
			inArray = false
			continue
		}
		if !inArray {
			open, err := opensArray(dec, lines)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return r.broken(file, lines, dec.InputOffset(), err)
			}
			if open {
				if _, err := dec.Token(); err != nil {
					return r.broken(file, lines, dec.InputOffset(), err)
				}
				inArray = true
				continue
			}
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			if errors.Is(err, io.EOF) && !inArray {
				return nil
			}
			return r.broken(file, lines, dec.InputOffset(), err)
		}
		lines.done = dec.InputOffset()
		r.event(raw, file, lines.at(dec.InputOffset()-int64(len(raw))), 0)
	}
}

// opensArray reports whether the next value is an array, without reading it.
func opensArray(dec *json.Decoder, lines *lineReader) (bool, error) {
	peek := make([]byte, 1)
	rest := dec.Buffered()
	for {
		n, err := rest.Read(peek)
		if n == 1 {
			switch peek[0] {
			case ' ', '\t', '\r', '\n':
				continue
			}
			return peek[0] == '[', nil
		}
		if err != nil || n == 0 {
			break
		}
	}
	// Nothing buffered: the decoder knows after reading on.
	c, err := lines.peek()
	return c == '[', err
}

func (r *Reader) broken(file string, lines *lineReader, offset int64, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		offset = max(offset, syntax.Offset-1)
	}
	what := err.Error()
	switch {
	case errors.Is(lines.failed, errTooLong): // refuse the file as any other broken one
	case lines.failed != nil:
		return lines.failed
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		offset = lines.read
		what = "the file ends in the middle of an event; fetch it again"
	}
	return &ledger.FileError{Rejection: ledger.Rejection{File: file, Line: lines.at(offset), Reason: "broken json", Detail: what}}
}

// event takes a value apart: an event, or envelopes around events.
func (r *Reader) event(raw []byte, file string, line int64, depth int) {
	reject := func(column, reason, detail string) {
		r.Tally.Reject(ledger.Rejection{File: file, Line: line, Column: column, Reason: reason, Detail: detail})
	}
	var e envelope
	if err := json.Unmarshal(raw, &e); err != nil {
		r.Read++
		reject("", "not an event", err.Error())
		return
	}
	if e.DetailType == nil {
		inner := append(append([]json.RawMessage(nil), e.Messages...), e.Records...)
		for _, text := range []*string{e.Body, e.Message} {
			if text != nil {
				inner = append(inner, json.RawMessage(*text))
			}
		}
		switch {
		case strings.HasSuffix(e.Type, "Confirmation"):
			r.Read++
			r.Tally.Ignore(e.Type, 1)
		case len(inner) == 0 || depth >= maxWrap:
			r.Read++
			reject("detail-type", "not an event", "neither an EventBridge event nor an SNS or SQS envelope around one")
		default:
			for _, v := range inner {
				if bytes.HasPrefix(bytes.TrimSpace(v), []byte("[")) {
					var list []json.RawMessage
					if err := json.Unmarshal(v, &list); err == nil {
						for _, one := range list {
							r.event(one, file, line, depth+1)
						}
						continue
					}
				}
				r.event(v, file, line, depth+1)
			}
		}
		return
	}
	r.Read++
	r.fact(&e, reject)
}

// fact turns an event into an instance event.
func (r *Reader) fact(e *envelope, reject func(column, reason, detail string)) {
	ev := ledger.InstanceEvent{EventID: e.ID, Provider: "aws", Account: e.Account, Region: e.Region}
	switch *e.DetailType {
	case detailInterruption:
		ev.Kind = ledger.EventInterruption
	case detailRebalance:
		ev.Kind = ledger.EventRebalance
	case detailState:
		ev.Kind = ledger.EventState
	default:
		r.Tally.Ignore("detail-type "+clip(*e.DetailType), 1)
		return
	}
	var d struct {
		Instance string `json:"instance-id"`
		Action   string `json:"instance-action"`
		State    string `json:"state"`
	}
	if err := json.Unmarshal(e.Detail, &d); err != nil {
		reject("detail", "not an event", "its detail is no object: "+err.Error())
		return
	}
	if ev.InstanceID = d.Instance; ev.InstanceID == "" {
		reject("detail.instance-id", "missing value", "the event names no instance")
		return
	}
	t, err := time.Parse(time.RFC3339Nano, e.Time)
	if err != nil {
		reject("time", "not a date", fmt.Sprintf("%q: a date such as 2026-11-01T00:00:00Z is expected", clip(e.Time)))
		return
	}
	ev.At = period.FromTime(t)
	switch ev.Kind {
	case ledger.EventInterruption:
		ev.Detail = d.Action
	case ledger.EventState:
		if ev.Detail = d.State; ev.Detail == "" {
			reject("detail.state", "missing value", "the event names no state")
			return
		}
	}
	k := key{ev.Account, ev.InstanceID, ev.Kind, ev.Detail, ev.At}
	if r.seen[k] {
		r.Tally.Ignore("repeated event", 1)
		return
	}
	if r.seen == nil {
		r.seen = map[key]bool{}
	}
	r.seen[k] = true
	r.Events = append(r.Events, ev)
}

// LooksLikeEvents reports whether the first bytes of a file hold an event or
// an envelope around one.
func LooksLikeEvents(head []byte) bool {
	for _, mark := range []string{`"detail-type"`, `\"detail-type\"`, `\\\"detail-type`} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
