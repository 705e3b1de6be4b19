package endpoints

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gpuledger/ingest/live"
	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/problem"
)

// Bounds of posted checkpoints.
const (
	maxCheckpoints = 10_000
	maxText        = 512 // bytes
	futureLimit    = 10 * time.Minute
	shownFaults    = 5
)

// posted is one checkpoint as sent.
type posted struct {
	RunID     string          `json:"run_id"`
	Cluster   string          `json:"cluster"`
	Namespace string          `json:"namespace"`
	Pod       string          `json:"pod"`
	JobID     string          `json:"job_id"`
	At        json.RawMessage `json:"at"`
	Step      *int64          `json:"step"`
	Took      json.Number     `json:"duration_seconds"`
}

// readCheckpoints reads one checkpoint or a list. Faults name the entry, counted from 0.
func readCheckpoints(body []byte, now time.Time) ([]ledger.Checkpoint, error) {
	if !utf8.Valid(body) {
		return nil, errors.New("the body is not UTF-8")
	}
	var list []posted
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	var err error
	if first := bytes.TrimLeft(body, " \t\r\n"); len(first) > 0 && first[0] == '[' {
		err = dec.Decode(&list)
	} else {
		list = make([]posted, 1)
		err = dec.Decode(&list[0])
	}
	if err != nil {
		return nil, fmt.Errorf("the body is neither a checkpoint nor a list of checkpoints: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the body has more than one JSON value: send several checkpoints as a list")
	}
	if len(list) == 0 || len(list) > maxCheckpoints {
		return nil, fmt.Errorf("%d checkpoints: send between 1 and %d", len(list), maxCheckpoints)
	}
	out := make([]ledger.Checkpoint, 0, len(list))
	var faults []string
	for i := range list {
		c, err := list[i].checkpoint(now)
		if err != nil {
			if len(faults) == shownFaults {
				faults = append(faults, "and more")
			}
			if len(faults) < shownFaults {
				faults = append(faults, fmt.Sprintf("entry %d: %s", i, err))
			}
			continue
		}
		out = append(out, c)
	}
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "; "))
	}
	return out, nil
}

func (p *posted) checkpoint(now time.Time) (ledger.Checkpoint, error) {
	c := ledger.Checkpoint{Cluster: p.Cluster, Namespace: p.Namespace, Pod: p.Pod, Run: p.RunID, Step: -1}
	ways := 0
	for _, given := range []string{p.RunID, p.Pod, p.JobID} {
		if given != "" {
			ways++
		}
	}
	switch {
	case ways != 1:
		return c, errors.New("give run_id, or cluster, namespace and pod, or cluster and job_id")
	case p.RunID != "" && p.Cluster+p.Namespace != "":
		return c, errors.New("give run_id without cluster and namespace: a run may span clusters")
	case p.Pod != "" && (p.Namespace == "" || p.Cluster == ""):
		return c, errors.New("pod needs its cluster and namespace")
	case p.JobID != "" && (p.Cluster == "" || p.Namespace != ""):
		return c, errors.New("job_id needs its cluster, and no namespace")
	}
	if p.JobID != "" {
		c.Pod = p.JobID
	}
	for _, text := range []string{c.Cluster, c.Namespace, c.Pod, c.Run} {
		if len(text) > maxText || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return c, fmt.Errorf("a name has at most %d bytes and no control characters", maxText)
		}
	}
	if p.Step != nil {
		if c.Step = *p.Step; c.Step < 0 {
			return c, errors.New("step must not be negative")
		}
	}
	var err error
	if c.Took, err = took(p.Took); err != nil {
		return c, err
	}
	c.At, err = instant(p.At, now)
	return c, err
}

// took reads how long writing a checkpoint took, in milliseconds; 0 if unknown.
func took(n json.Number) (int64, error) {
	if n == "" {
		return 0, nil
	}
	d, read := series.ParseDecimal([]byte(n))
	ms, seconds, ok := d.Millis()
	if read != len(n) || !ok || !seconds || ms <= 0 || ms > int64(ledger.CheckpointLimit) {
		return 0, errors.New("duration_seconds must be more than 0 and at most 86400")
	}
	return ms, nil
}

// instant reads a time: RFC 3339 with its zone, or unix seconds.
func instant(raw json.RawMessage, now time.Time) (period.Second, error) {
	var at time.Time
	var text string
	switch {
	case len(raw) == 0:
		return 0, errors.New("at is missing")
	case raw[0] == '"':
		if err := json.Unmarshal(raw, &text); err != nil {
			return 0, fmt.Errorf("at: %w", err)
		}
		var err error
		if at, err = time.Parse(time.RFC3339, text); err != nil {
			return 0, errors.New("at must be RFC 3339 with a zone, such as 2026-11-20T12:00:00Z, or unix seconds")
		}
	default:
		s, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || s < 0 || s > float64(series.LatestTime) {
			return 0, errors.New("at must be RFC 3339 with a zone, such as 2026-11-20T12:00:00Z, or unix seconds")
		}
		at = time.Unix(int64(s), 0)
	}
	switch s := period.FromTime(at); {
	case s < series.DefaultNotBefore:
		return 0, errors.New("at is before 2010: times are unix seconds, not minutes or hours")
	case at.After(now.Add(futureLimit)):
		return 0, errors.New("at is in the future")
	default:
		return s, nil
	}
}

func decodeCheckpoints(body []byte, b *live.Batch) error {
	list, err := readCheckpoints(body, b.Now())
	if err != nil {
		return &live.RefusedError{Status: http.StatusBadRequest, Reason: "bad checkpoint", Detail: err.Error()}
	}
	b.Facts(&ledger.Telemetry{Checkpoints: list})
	b.Counted(len(list), 0, 0)
	return nil
}

// Checkpoints answers POST /api/v1/checkpoints, after they are stored; sending them again
// changes nothing.
func Checkpoints(r *live.Receiver) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		n, err := takeCheckpoints(r, w, q)
		if err != nil {
			refuse(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		// A sender that does not read the answer will send again, which is harmless.
		_, _ = fmt.Fprintf(w, "{\"accepted\":%d}\n", n) //nolint:gosec // a number, as JSON
	})
}

func takeCheckpoints(r *live.Receiver, w http.ResponseWriter, q *http.Request) (int, error) {
	if media, _, _ := strings.Cut(q.Header.Get("Content-Type"), ";"); !strings.EqualFold(strings.TrimSpace(media),
		"application/json") {
		return 0, &live.RefusedError{
			Status: http.StatusUnsupportedMediaType, Reason: "unsupported", Detail: "send application/json",
		}
	}
	body, err := r.ReadBody(w, q)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(q.Context(), acceptTimeout)
	defer cancel()
	result, err := r.Accept(ctx, live.Request{Kind: kindCheckpoints, Sender: live.SenderOf(q), Body: body})
	return result.Samples, err
}

// refuse answers with a problem of RFC 9457.
func refuse(w http.ResponseWriter, err error) {
	status, words, after := verdict(err)
	if after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	}
	title := strings.ToLower(http.StatusText(status))
	if refused, ok := errors.AsType[*live.RefusedError](err); ok {
		title, words = refused.Reason, refused.Detail
	}
	problem.Send(w, status, title, strings.ToValidUTF8(words, "?"))
}
