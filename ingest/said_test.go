package ingest

import (
	"strings"
	"testing"
	"time"
)

// An assumption about a file is noted, and no longer noted if the request sets the value. The
// summary lists the days of the facts.
func TestAssumptionsAboutFilesAreNoted(t *testing.T) {
	attempts := func(start, end, cluster string) string {
		return write(t, map[string]string{
			"runs.csv": "run_id,started_at,ended_at,nodes,gpus,cluster\nr1," + start + "," + end + ",n1,1," + cluster + "\n",
		})
	}
	const naive, zoned = "2026-11-02T22:00:00", "2026-11-02T22:00:00Z"
	berlin := time.FixedZone("", 3600)
	for what, c := range map[string]struct {
		req          Request
		utc, cluster bool
		days         string
	}{
		"neither is said": {
			Request{URIs: []string{attempts(naive, "2026-11-03T01:00:00", "")}}, true, true, "2026-11-02 to 2026-11-03",
		},
		"both by options": {
			Request{URIs: []string{attempts(naive, "2026-11-03T00:30:00", "")}, Zone: berlin, Cluster: "c"},
			false, false, "2026-11-02",
		},
		"both in the file": {
			Request{URIs: []string{attempts(zoned, "2026-11-02T23:00:00Z", "c")}}, false, false, "2026-11-02",
		},
	} {
		c.req.Source = SourceAttempts
		s := mustImport(t, newMemory(), c.req)
		var utc, cluster bool
		for note, n := range s.NotedByReason {
			if n != 1 {
				t.Errorf("%s: noted %d: %s", what, n, note)
			}
			utc = utc || strings.Contains(note, "read as UTC") && strings.Contains(note, "--time-zone")
			cluster = cluster || strings.Contains(note, "cluster default") && strings.Contains(note, "--cluster")
		}
		if utc != c.utc || cluster != c.cluster || s.Days != c.days {
			t.Errorf("%s: noted %v, days %q", what, s.NotedByReason, s.Days)
		}
	}
}
