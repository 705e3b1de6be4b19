package training_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"gpuledger/web/api/client"
	"gpuledger/web/api/client/training"
)

func Example() {
	ctx := context.Background()
	ledger := client.New("https://gpu.example.com", "glt_…")
	run := training.Start(ctx, ledger, "asr-7", training.Options{})
	for step := int64(1); step <= 10_000; step++ {
		// train
		if step%1000 == 0 {
			run.Checkpoint(step, 0)
		}
	}
	run.Metric("tokenizer-v3", "bleu", "31.2")
	if rows, err := run.Cost(ctx); err == nil && len(rows) == 1 && rows[0].EffectiveCost != nil {
		fmt.Println(*rows[0].EffectiveCost, *rows[0].Currency)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	if _, err := run.Close(ctx); err != nil {
		fmt.Println(err)
	}
}

// stub answers with statuses in turn, then 200, and keeps what it was sent.
type stub struct {
	*httptest.Server
	rows chan map[string]any
	keys map[string]bool
}

func serve(t *testing.T, statuses ...int) *stub {
	t.Helper()
	s := &stub{rows: make(chan map[string]any, 100), keys: map[string]bool{}}
	var asked atomic.Int64
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var rows []map[string]any
		if err := json.NewDecoder(r.Body).Decode(&rows); err != nil {
			t.Error(err)
		}
		s.keys[r.Header.Get("Idempotency-Key")] = true
		if n := int(asked.Add(1)); n <= len(statuses) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(statuses[n-1])
			_, _ = fmt.Fprintf(w, `{"status":%d,"title":"t","detail":"d","type":"x"}`, statuses[n-1])
			return
		}
		for _, row := range rows {
			s.rows <- row
		}
		_, _ = fmt.Fprint(w, `{"accepted":1}`)
	}))
	t.Cleanup(s.Close)
	return s
}

func closed(t *testing.T, run *training.Run, patience time.Duration) (training.Counts, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return run.Close(ctx)
}

// What a server refuses for now is sent again with its key, until it is taken.
func TestRowsArriveOnceTheServerIsBack(t *testing.T) {
	s := serve(t, 503, 401, 500)
	var told []error
	run := training.Start(t.Context(), client.New(s.URL, "x"), "asr-7",
		training.Options{Pause: time.Millisecond, Told: func(err error) { told = append(told, err) }})
	run.Checkpoint(100, 1500*time.Millisecond)
	row := <-s.rows
	if row["run_id"] != "asr-7" || row["step"] != 100.0 || row["duration_seconds"] != 1.5 || len(s.keys) != 1 {
		t.Errorf("%v, %d keys", row, len(s.keys))
	}
	run.Metric("e", "bleu", "31.2")
	if row = <-s.rows; row["value"] != "31.2" || row["run"] != "asr-7" {
		t.Errorf("%v", row)
	}
	counts, err := closed(t, run, 10*time.Second)
	if err != nil || counts != (training.Counts{Sent: 2}) || len(told) != 1 {
		t.Errorf("%+v, %v, told %v", counts, err, told)
	}
}

// A faulty row holds up no other, a dead server neither the loop nor the end, and lost rows are counted.
func TestNothingIsLostInSilence(t *testing.T) {
	s := serve(t, 400)
	run := training.Start(t.Context(), client.New(s.URL, "x"), "asr-7", training.Options{Pause: time.Millisecond})
	run.Metric("e", "bleu", "much")
	run.Checkpoint(1, 0)
	if counts, err := closed(t, run, 10*time.Second); err == nil || counts != (training.Counts{Sent: 1, Refused: 1}) {
		t.Errorf("%+v, %v", counts, err)
	}
	s.Close()
	run = training.Start(t.Context(), client.New(s.URL, "x"), "asr-7", training.Options{Most: 10})
	for step := range int64(25) {
		run.Checkpoint(step, 0)
	}
	if _, err := run.Cost(t.Context()); err == nil {
		t.Error("a dead server knows the cost")
	}
	if counts, err := closed(t, run, 10*time.Second); err == nil || counts != (training.Counts{Dropped: 15, Waiting: 10}) {
		t.Errorf("%+v, %v", counts, err)
	}
}

// A server that never answers is left at the deadline of Close.
func TestCloseEndsInTime(t *testing.T) {
	hung := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(hung) })
	run := training.Start(t.Context(), client.New(s.URL, "x"), "asr-7", training.Options{Timeout: time.Hour})
	run.Checkpoint(1, 0)
	if counts, err := closed(t, run, 50*time.Millisecond); err == nil || counts.Waiting != 1 {
		t.Errorf("%+v, %v", counts, err)
	}
}
