package kubernetes

import (
	"context"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const podOfAYear = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"ml","uid":"u","creationTimestamp":"2026-11-02T00:00:00Z"},
"spec":{"nodeName":"n","containers":[{"name":"c","resources":{"requests":{"nvidia.com/gpu":"1"}}}]},
"status":{"phase":"Succeeded","startTime":"2026-11-02T00:00:00Z","containerStatuses":[{"name":"c","state":{"terminated":{"startedAt":"2026-11-02T00:00:00Z","finishedAt":"FINISHED"}}}]}}`

// A mistyped year is refused: otherwise a pod would hold its devices until then. Year 1 is a Go
// program's unknown time.
func TestObjectsOfNoPossibleTime(t *testing.T) {
	for finished, want := range map[string]string{
		"2026-11-02T02:00:00Z": "",
		"0001-01-01T00:00:00Z": "",
		"9999-11-02T02:00:00Z": "Pod ml/p: finishedAt: 9999-11-02T02:00:00Z lies outside the years 2000 to 2099",
		"1970-01-02T00:00:00Z": "Pod ml/p: finishedAt: 1970-01-02T00:00:00Z lies outside the years 2000 to 2099",
	} {
		var held ledger.Telemetry
		read, err := Parse(context.Background(), strings.NewReader(strings.ReplaceAll(podOfAYear, "FINISHED", finished)),
			"pods.json", Options{Cluster: "a"},
			func(t *ledger.Telemetry) error { held = *t; return nil })
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			if read.Accepted != 1 || len(read.First) != 0 || len(held.Workloads) != 1 || held.Workloads[0].Completed != 0 &&
				finished < "2026" {
				t.Errorf("%s: %+v, %+v", finished, read, held.Workloads)
			}
			continue
		}
		if read.Accepted != 0 || len(held.Workloads) != 0 || len(read.First) != 1 || read.First[0].Line != 1 ||
			!strings.HasPrefix(read.First[0].Detail, want) {
			t.Errorf("%s: %+v, %+v", finished, read, held.Workloads)
		}
	}
}

// A time more than a day ahead of the clock is refused, and does not count as the time when the
// others were seen; a deletion may be ahead.
func TestObjectsOfTheFuture(t *testing.T) {
	const now = 1793584800 // 2026-11-02T02:00:00Z
	ahead := strings.ReplaceAll(podOfAYear, "FINISHED", "2026-11-03T02:00:00Z")
	for _, c := range []struct {
		objects  string
		accepted int64
		why      string
	}{
		{strings.ReplaceAll(podOfAYear, "FINISHED", "2026-11-03T01:59:59Z"), 1, ""},
		{
			ahead + "\n" + strings.ReplaceAll(podOfAYear, "FINISHED", "2026-11-02T01:00:00Z"),
			1, "Pod ml/p: finishedAt: 2026-11-03T02:00:00Z is ahead of this machine's clock",
		},
		{
			strings.Replace(strings.ReplaceAll(podOfAYear, "FINISHED", "2026-11-02T01:00:00Z"), `"uid":"u"`,
				`"uid":"u","deletionTimestamp":"2027-01-01T00:00:00Z"`, 1), 1, "",
		},
	} {
		var seen period.Second
		read, err := Parse(context.Background(), strings.NewReader(c.objects), "pods.json", Options{Cluster: "a", Now: now},
			func(t *ledger.Telemetry) error {
				for _, w := range t.Workloads {
					seen = max(seen, w.LastSeen)
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if read.Accepted != c.accepted || (c.why == "") != (len(read.First) == 0) || seen >= now+period.Day {
			t.Errorf("%+v, last seen %s", read, seen)
		}
		if c.why != "" && (read.Rejected["time in the future"] != 1 || !strings.HasPrefix(read.First[0].Detail, c.why)) {
			t.Errorf("%+v", read.First)
		}
	}
}
