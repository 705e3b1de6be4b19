package limit_test

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"gpuledger/web/limit"
)

// askAs gets an address as the client named in a header.
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

// heavyRig answers /question?heavy=NAME after a receive from the channel of that
// name, and other questions at once.
func heavyRig(t *testing.T, l limit.Limits, release map[string]chan struct{}) *rig {
	g := newRig(t, l, nil, func(w http.ResponseWriter, r *http.Request) {
		if name := r.URL.Query().Get("heavy"); name != "" {
			select {
			case <-release[name]:
			case <-r.Context().Done():
			}
		}
		fmt.Fprint(w, "ok")
	})
	g.guard.ClientsBy(func(r *http.Request) string { return r.Header.Get("X-Client") })
	return g
}

// Sixteen heavy questions of one token are answered or refused with Retry-After, and an
// admin's questions are answered as if there were no others.
func TestOneClientCannotShutOutOthers(t *testing.T) {
	release := make(chan struct{})
	g := heavyRig(t, limit.Limits{Wait: 300 * time.Millisecond}, map[string]chan struct{}{"token": release})
	var all sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for range 16 {
		all.Go(func() {
			status, after, _ := g.askAs("token", "/question?heavy=token")
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

// A free turn goes to the client that holds the fewest, even if another has waited longer.
func TestFreeTurnGoesToFewestHeld(t *testing.T) {
	release := map[string]chan struct{}{"a": make(chan struct{}), "b": make(chan struct{}), "next": make(chan struct{})}
	g := heavyRig(t, limit.Limits{Questions: 4, Wait: 5 * time.Second}, release)
	var all sync.WaitGroup
	inFlight := func(want float64) {
		t.Helper()
		for deadline := time.Now().Add(patience); g.gauge("questions_in_flight") != want; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("not %v questions are in flight", want)
			}
		}
	}
	ended := make(chan string, 2)
	for _, client := range []string{"a", "a", "b", "b"} { // each its share
		all.Go(func() { g.askAs(client, "/question?heavy="+client) })
	}
	inFlight(4)
	for _, client := range []string{"a", "late"} {
		all.Go(func() {
			g.askAs(client, "/question?heavy=next")
			ended <- client
		})
		time.Sleep(200 * time.Millisecond) // so that the first is in line before the second
	}
	release["a"] <- struct{}{}    // one turn for both
	release["next"] <- struct{}{} // only the client with the turn receives this
	if first := <-ended; first != "late" {
		t.Errorf("the turn goes to %s, which holds one already", first)
	}
	for _, c := range release {
		close(c)
	}
	all.Wait()
}

// A client with more questions than its share waits for its own turns, if the questions are not too
// many.
func TestManyTabsAtOnceAreAnswered(t *testing.T) {
	g := newRig(t, limit.Limits{Questions: 3, Wait: 400 * time.Millisecond}, nil,
		func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(250 * time.Millisecond)
			fmt.Fprint(w, "ok")
		})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if status, _, _ := g.askAs("", "/question"); status != http.StatusOK {
				t.Errorf("%d", status)
			}
		})
	}
	all.Wait()
}
