package limit_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"gpuledger/web/limit"
)

// askAs gets an address as a client that a header names.
func (g *rig) askAs(client, path string) (status int, after string, took time.Duration) {
	began := time.Now()
	req, err := http.NewRequest(http.MethodGet, "http://"+g.address+path, nil)
	if err != nil {
		g.t.Error(err)
		return 0, "", 0
	}
	req.Header.Set("X-Client", client)
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		g.t.Error(err)
		return 0, "", 0
	}
	defer resp.Body.Close() //nolint:errcheck // it is read to its end
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		g.t.Error(err)
	}
	return resp.StatusCode, resp.Header.Get("Retry-After"), time.Since(began)
}

// heavyRig answers /question?heavy=1 once release is closed, and others at once.
func heavyRig(t *testing.T, l limit.Limits, release chan struct{}) *rig {
	g := newRig(t, l, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("heavy") != "" {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		fmt.Fprint(w, "ok")
	})
	g.guard.ClientsBy(func(r *http.Request) string { return r.Header.Get("X-Client") })
	return g
}

// TestOneClientCannotShutOutOthers: sixteen heavy questions of one token are answered or
// told when to come again, and an admin's are answered as if there were none.
func TestOneClientCannotShutOutOthers(t *testing.T) {
	release := make(chan struct{})
	g := heavyRig(t, limit.Limits{Wait: 300 * time.Millisecond}, release)
	var all sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for range 16 {
		all.Go(func() {
			status, after, _ := g.askAs("token", "/question?heavy=1")
			mu.Lock()
			defer mu.Unlock()
			answers[fmt.Sprint(status, " ", after)]++
		})
	}
	for deadline := time.Now().Add(patience); g.counted("/question", "too many questions of one client at once") < 12; {
		if status, _, took := g.askAs("admin", "/question"); status != http.StatusOK || took > 250*time.Millisecond {
			t.Fatalf("an admin's question: %d after %s", status, took)
		}
		if time.Now().After(deadline) {
			t.Fatal("who holds too much is not turned away")
		}
	}
	close(release)
	all.Wait()
	if answers["200 "] != 4 || answers["503 1"] != 12 || len(answers) != 2 {
		t.Errorf("of sixteen: %v", answers)
	}
	if g.counted("/question", "too many questions at once") != 0 {
		t.Error("somebody else is turned away")
	}
}

// TestAFreeTurnGoesToWhoHoldsTheFewest, even where others have waited longer and all
// turns are taken when they come.
func TestAFreeTurnGoesToWhoHoldsTheFewest(t *testing.T) {
	release := make(chan struct{})
	g := heavyRig(t, limit.Limits{Questions: 3, Wait: time.Second}, release)
	var all sync.WaitGroup
	for client := range 3 {
		for range 3 {
			all.Go(func() { g.askAs(strconv.Itoa(client), "/question?heavy=1") })
		}
	}
	for deadline := time.Now().Add(patience); g.counted("/question", "too many questions of one client at once") < 6; {
		if time.Now().After(deadline) {
			t.Fatal("six of nine are not turned away")
		}
		time.Sleep(10 * time.Millisecond)
	}
	answered := make(chan int)
	go func() {
		status, _, _ := g.askAs("late", "/question")
		answered <- status
	}()
	time.Sleep(1500 * time.Millisecond) // longer than who holds a turn waits
	close(release)
	if status := <-answered; status != http.StatusOK {
		t.Errorf("who holds none is told %d", status)
	}
	all.Wait()
}
