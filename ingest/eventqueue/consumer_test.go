package eventqueue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/internal/ledger"
)

// queue is a fake SQS over HTTP: messages that are received but not deleted are delivered
// again.
type queue struct {
	mu       sync.Mutex
	messages map[string]string // receipt → body
	order    []string
	received int
	failures int // receives to fail first
	empty    chan struct{}
}

func newQueue(bodies ...string) *queue {
	q := &queue{messages: map[string]string{}, empty: make(chan struct{}, 100)}
	for i, b := range bodies {
		name := fmt.Sprintf("m%d", i)
		q.messages[name], q.order = b, append(q.order, name)
	}
	return q
}

func (q *queue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	reply := func(v any) {
		if err := json.NewEncoder(w).Encode(v); err != nil {
			panic(err)
		}
	}
	switch _, action, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); action {
	case "ReceiveMessage":
		if q.received++; q.failures > 0 {
			q.failures--
			w.WriteHeader(http.StatusForbidden)
			reply(map[string]string{"__type": "com.amazonaws.sqs#AccessDenied", "message": "no"})
			return
		}
		list := []map[string]string{}
		for _, name := range q.order {
			if body, there := q.messages[name]; there && len(list) < 10 {
				list = append(list, map[string]string{"MessageId": name, "ReceiptHandle": name, "Body": body})
			}
		}
		if len(list) == 0 {
			select {
			case q.empty <- struct{}{}:
			default:
			}
		}
		reply(map[string]any{"Messages": list})
	case "DeleteMessageBatch":
		var in struct {
			Entries []struct {
				ID            string `json:"Id"`
				ReceiptHandle string
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			panic(err)
		}
		ok := []map[string]string{}
		for _, e := range in.Entries {
			delete(q.messages, e.ReceiptHandle)
			ok = append(ok, map[string]string{"Id": e.ID})
		}
		reply(map[string]any{"Successful": ok, "Failed": []any{}})
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

func warning(instance string) string {
	return fmt.Sprintf(`{"detail-type":"EC2 Spot Instance Interruption Warning","id":"e","account":"1","time":"2026-11-02T03:04:05Z","region":"us-east-1","detail":{"instance-id":%q,"instance-action":"terminate"}}`, instance)
}

// sink keeps events like the store.
type sink struct {
	mu    sync.Mutex
	known map[string]bool
	fails int
	calls int
}

func (s *sink) publish(_ context.Context, events []ledger.InstanceEvent) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls++; s.fails > 0 {
		s.fails--
		return 0, errors.New("the database is away")
	}
	var fresh int64
	for _, e := range events {
		if key := fmt.Sprint(e.Account, e.InstanceID, e.Kind, e.Detail, e.At); !s.known[key] {
			s.known[key] = true
			fresh++
		}
	}
	return fresh, nil
}

func start(t *testing.T, q *queue, s *sink) (*Consumer, *strings.Builder) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
	server := httptest.NewServer(q)
	t.Cleanup(server.Close)
	o := Options{URL: server.URL + "/1/events", Region: "us-east-1", Endpoint: server.URL}
	client, err := Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	return &Consumer{
		URL: o.URL, Queue: client, Publish: s.publish,
		Log: slog.New(slog.NewTextHandler(&log, nil)), Wait: time.Second, Pause: time.Millisecond,
	}, &log
}

func TestEventsAreStoredBeforeTheirMessagesGo(t *testing.T) {
	sns := func(text string) string {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return `{"Type":"Notification","Message":` + string(quoted) + `}`
	}
	q := newQueue(warning("i-1"), sns(warning("i-2")), warning("i-1"), `{"detail-type":"EC2 Fleet","detail":{}}`,
		"no json", `{"a":1}`)
	s := &sink{known: map[string]bool{}, fails: 1}
	c, log := start(t, q, s)
	told := 0
	c.Arrived = func() { told++ }
	if err := c.Once(t.Context()); err == nil || len(q.messages) != 6 {
		t.Errorf("nothing is deleted that is not stored: %v, %d left", err, len(q.messages))
	}
	if err := c.Once(t.Context()); err != nil || len(s.known) != 2 || told != 1 {
		t.Errorf("%v %v %d", err, s.known, told)
	}
	var left []string
	for name := range q.messages {
		left = append(left, name)
	}
	slices.Sort(left)
	if !slices.Equal(left, []string{"m4", "m5"}) || !strings.Contains(log.String(), "left in the queue") {
		t.Errorf("what is no event stays for the redrive policy: %v\n%s", left, log)
	}
	// Delivered again.
	q.mu.Lock()
	q.messages["m0"] = warning("i-1")
	q.mu.Unlock()
	if err := c.Once(t.Context()); err != nil || len(s.known) != 2 || told != 1 {
		t.Errorf("the same event again changes nothing: %v %v %d", err, s.known, told)
	}
}

func TestConsumerRetriesFailuresAndEndsWithItsContext(t *testing.T) {
	bodies := make([]string, 25)
	for i := range bodies {
		bodies[i] = warning(fmt.Sprintf("i-%d", i))
	}
	q := newQueue(bodies...)
	q.failures = 2
	s := &sink{known: map[string]bool{}, fails: 2}
	c, _ := start(t, q, s)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); c.Run(ctx) }()
	select {
	case <-q.empty:
	case <-time.After(30 * time.Second):
		t.Error("the queue is not empty")
	}
	cancel()
	<-ended
	if len(s.known) != 25 || s.calls < 5 {
		t.Errorf("%d events in %d calls", len(s.known), s.calls)
	}
}

func TestRegions(t *testing.T) {
	for queue, want := range map[string]string{
		"https://sqs.eu-west-1.amazonaws.com/1/q": "eu-west-1", "https://sqs.cn-north-1.amazonaws.com.cn/1/q": "cn-north-1",
		"https://us-east-2.queue.amazonaws.com/1/q": "us-east-2", "http://localhost:4566/1/q": "", "::": "",
	} {
		if got := regionOf(queue); got != want {
			t.Errorf("%s: %q", queue, got)
		}
	}
}
