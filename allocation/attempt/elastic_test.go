package attempt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

// lostMembers shows the losses of members that were lost alone.
func lostMembers(r Result) []string {
	names := map[ledger.ID]string{}
	for i := range r.Workloads {
		names[r.Workloads[i].ID] = r.Workloads[i].UID
	}
	var out []string
	for i := range r.Attempts {
		for _, g := range r.Attempts[i].Segments {
			if g.LossFrom != 0 {
				out = append(out, fmt.Sprintf("%s %d–%d %s", names[g.Workload], (g.LossFrom-t0)/60, (g.To-t0)/60, g.LossBasis))
			}
		}
	}
	return out
}

func TestAMemberLostWhileOthersGoOnLosesItsOwn(t *testing.T) {
	three := func(rest ...func(*ledger.WorkloadFact)) *story {
		return gang().node("n3").warning("n2", 38).observedUntil(300).
			pod("b", job, 0, 40, worker(1), on("n2")).
			pod("a", job, 0, 200, append(rest, worker(0))...).
			pod("c", job, 0, 201, append(rest, worker(2), on("n3"))...)
	}
	for name, c := range map[string]struct {
		s    *story
		want string
		lost []string
	}{
		"the rest succeeds": {
			three(succeeded).saved("a", 30),
			"#1 0–201 succeeded(spot_interruption) lost checkpoint from - complete 0: a 0–200 b 0–40 c 0–201",
			[]string{"b 30–40 checkpoint"},
		},
		"a later checkpoint saves nothing of it": {three(succeeded).saved("a", 50),
			"#1 0–201 succeeded(spot_interruption) lost none from - complete 0: a 0–200 b 0–40 c 0–201",
			[]string{"b 0–40 none"}},
		"in the end all fail": {three(failed("Error")).saved("a", 30).saved("c", 190),
			"#1 0–201 failed(Error) lost checkpoint from 190 complete 0: a 0–200 b 0–40 c 0–201",
			[]string{"b 30–40 checkpoint"}},
		"its place is taken again while they hold": {three(succeeded).pod("d", job, 60, 201, worker(1), on("n2"), succeeded),
			"#1 0–40 preempted(spot_interruption) lost none from 0 complete 0: a 0–40 b 0–40 c 0–40", nil},
		"its place is taken again after all have failed": {three(failed("Error")).pod("d", job, 230, 240, worker(1), on("n2"),
			succeeded),
			"#1 0–40 preempted(spot_interruption) lost none from 0 complete 0: a 0–40 b 0–40 c 0–40", nil},
		"another joins later": {three(succeeded).pod("d", job, 60, 201, worker(3), on("n2"), succeeded),
			"#1 0–201 succeeded(spot_interruption) lost none from - complete -: a 0–200 b 0–40 c 0–201 d 60–201",
			[]string{"b 0–40 none"}},
	} {
		r := c.s.build()
		if got := lostMembers(r); !slices.Equal(got, c.lost) {
			t.Errorf("%s: members lose %q, want %q", name, got, c.lost)
		}
		if got, _, _ := strings.Cut(attempts(r), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// Members with one attempt number are one attempt: it ends with the last of them.
func TestANumberedAttemptRunsWhileAMemberDoes(t *testing.T) {
	try := label("gpuledger.io/attempt", "1")
	s := gang().node("n3").
		pod("a", job, 0, 40, worker(0), failed("Error"), try).
		pod("b", job, 0, 90, worker(1), on("n2"), try).
		pod("c", job, 45, 90, worker(0), on("n3"), try)
	r := s.build()
	if a := r.Attempts; len(a) != 1 || a[0].Outcome != ledger.Running || a[0].LossFrom != 0 ||
		r.Runs[0].Status != "running" {
		t.Errorf("%+v", a)
	}
	if got := lostMembers(r); !slices.Equal(got, []string{"a 0–40 none"}) {
		t.Errorf("%q", got)
	}
}
