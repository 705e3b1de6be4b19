package figures_test

import (
	"fmt"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/metrics/advice"
	"gpuledger/metrics/waste"
	"gpuledger/test/storetest"
)

// Checkpoints of runs, from the pods of each attempt or posted for the run: inside the attempt, each instant once,
// even if the place lacks fields.
func TestRunsWithTheirCheckpoints(t *testing.T) {
	s := storetest.New(t)
	w, _ := storetest.SmallWorld() // pod p1 from 1d 3h to 2d 5h, pod p2 from 2d 6h to 3d 12h
	w.Attempts[0].LastCheckpoint = storetest.At(2, 4)
	storetest.SaveWorld(t, s, w)
	var told ledger.Telemetry
	save := func(cluster, namespace, pod, run string, when period.Second) {
		told.Checkpoints = append(told.Checkpoints, ledger.Checkpoint{
			Cluster: cluster, Namespace: namespace, Pod: pod, Run: run, At: when, Step: -1,
		})
	}
	save("c", "ns", "p1", "", storetest.At(1, 9))
	save("c", "ns", "u1", "", storetest.At(1, 9)) // the same, by its uid
	save("", "ns", "p1", "", storetest.At(1, 12))
	save("", "", "u1", "", storetest.At(2, 4))
	save("c", "ns", "p1", "", storetest.At(2, 5.5)) // after its end
	save("c", "ns", "p2", "", storetest.At(1, 10))  // of another attempt
	save("else", "ns", "p1", "", storetest.At(1, 11))
	save("", "", "", "run-1", storetest.At(3, 1))
	save("", "", "", "run-2", storetest.At(3, 2))
	storetest.PublishTelemetry(t, s, &told)
	read := func(from, to period.Second) string {
		of, runs, err := s.LosableRuns(t.Context(), period.Interval{From: from, To: to})
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("of %d:", len(of))
		for i := range runs {
			r := &runs[i]
			text += fmt.Sprintf(" %s open %t posted %t", r.Where.RunID, r.Open, r.Posted)
			for _, a := range r.Attempts {
				text += fmt.Sprintf(" [%d-%d last %d:", (a.From-storetest.At(0, 0))/period.Hour,
					(a.To-storetest.At(0, 0))/period.Hour, max(0, a.Last-storetest.At(0, 0))/period.Hour)
				for _, v := range a.Saved {
					text += fmt.Sprintf(" %d", (v-storetest.At(0, 0))/period.Hour)
				}
				text += "]"
			}
		}
		return text
	}
	const whole = "of 1: run-1 open true posted true [27-53 last 52: 33 36 52] [54-84 last 0: 73]"
	for _, c := range []struct {
		from, to period.Second
		want     string
	}{
		{storetest.At(1, 0), storetest.At(2, 0), whole}, // the whole run, for any day
		{storetest.At(3, 0), storetest.At(4, 0), whole},
		{storetest.At(0, 0), storetest.At(1, 0), "of 0:"},
	} {
		if got := read(c.from, c.to); got != c.want {
			t.Errorf("%s to %s: %s\nwant %s", c.from, c.to, got, c.want)
		}
	}
	w.Runs[0].Kind = "evaluation"
	storetest.SaveWorld(t, s, w)
	if got := read(storetest.At(1, 0), storetest.At(2, 0)); got != "of 1:" {
		t.Errorf("no training: %s", got)
	}
}

// Retries of a Job are those of the run's object; a bare pod has none; for others, or without evidence, retries are
// unknown.
func TestRetriesOfRuns(t *testing.T) {
	s := storetest.New(t)
	job := func(name string, created period.Second, attrs map[string]string) ledger.ObjectFact {
		return ledger.ObjectFact{
			Cluster: "c", Namespace: "ns", Kind: "Job", Name: name, Created: created, Attrs: attrs, AttrsAt: 1,
		}
	}
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{Objects: []ledger.ObjectFact{
		job("train", storetest.At(0, 2), map[string]string{"backoffLimit": "6"}),
		job("train", storetest.At(1, 2), map[string]string{"backoffLimit": "0"}), // started at 1d 3h
		job("train", storetest.At(2, 2), map[string]string{"backoffLimit": "3"}),
		job("lenient", storetest.At(1, 2), map[string]string{"backoffLimit": "0", "ignoresFailures": "true"}),
		job("quiet", storetest.At(1, 2), map[string]string{"completions": "1"}),
	}})
	w, _ := storetest.SmallWorld()
	for _, c := range []struct {
		rootKind, name, kind string
		pricing              ledger.PriceClass
		want                 string
	}{
		{"Job", "train", "training", ledger.OnDemand, "0 on spot false"},
		{"Job", "train", "batch", ledger.Spot, "0 on spot true"},
		{"Job", "train", "batch", ledger.OnDemand, "none"},
		{"Job", "train", "inference", ledger.Spot, "none"},
		{"Job", "quiet", "evaluation", ledger.Spot, "unknown on spot true"},
		{"Job", "lenient", "batch", ledger.Spot, "unknown on spot true"},
		{"Job", "nobody", "batch", ledger.Spot, "unknown on spot true"},
		{"Pod", "alone", "batch", ledger.Spot, "0 on spot true"},
		{"PyTorchJob", "train", "fine_tuning", ledger.Spot, "unknown on spot true"},
	} {
		r := &w.Runs[0]
		r.RootKind, r.Name, r.Kind = c.rootKind, c.name, c.kind
		w.Attempts[1].Pricing = c.pricing
		storetest.SaveWorld(t, s, w)
		_, runs, err := s.LosableRuns(t.Context(), period.Interval{From: storetest.At(1, 0), To: storetest.At(4, 0)})
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if len(runs) == 1 {
			got = "unknown"
			if runs[0].Retries != nil {
				got = fmt.Sprint(*runs[0].Retries)
			}
			got += fmt.Sprint(" on spot ", runs[0].Attempts[1].Spot)
			if n := runs[0].Attempts[1].Number; n != 2 || runs[0].Kind != c.kind {
				t.Errorf("%+v: attempt %d, kind %s", c, n, runs[0].Kind)
			}
		}
		if got != c.want {
			t.Errorf("%s/%s, %s: retries %s, want %s", c.rootKind, c.name, c.kind, got, c.want)
		}
	}
}

// Runs that a move to spot concerns: of the team, of class run, on on-demand machines of the type in the cluster,
// inside the window. Other runs' findings about that move are replaced too.
func TestRunsThatShouldMoveToSpot(t *testing.T) {
	s := storetest.New(t)
	w, _ := storetest.SmallWorld() // run-1 of team ml: on a from 1d 3h, on b from 2d 6h, both g5.2xlarge on demand
	old := waste.Finding{
		Kind: waste.NotRestartable, Subject: "gone", Key: waste.Key{Scope: waste.OfSpotAdvice, Subject: "gone"},
		From: storetest.At(1, 0), To: storetest.At(1, 2),
	}
	storetest.SaveWorld(t, s, w)
	if err := s.SaveFindings(t.Context(), nil, []waste.Finding{old}, storetest.At(5, 0)); err != nil {
		t.Fatal(err)
	}
	move := func(cluster, instanceType, team string) advice.Recommendation {
		return advice.Recommendation{
			Kind: advice.MoveToSpot, Subject: advice.Subject{Cluster: cluster, Kind: instanceType, Name: team},
		}
	}
	all := period.Interval{From: storetest.At(0, 0), To: storetest.At(5, 0)}
	other := move("c", "p5.48xlarge", "ml")
	for _, c := range []struct {
		name   string
		moves  []advice.Recommendation
		within period.Interval
		change func(*posting.Derived)
		want   int
	}{
		{"nobody is advised", nil, all, nil, 0},
		{"the team is", []advice.Recommendation{other, move("c", "g5.2xlarge", "ml")}, all, nil, 1},
		{"another type", []advice.Recommendation{other}, all, nil, 0},
		{"another team", []advice.Recommendation{move("c", "g5.2xlarge", "speech")}, all, nil, 0},
		{"another cluster", []advice.Recommendation{move("d", "g5.2xlarge", "ml")}, all, nil, 0},
		{
			"before the window", []advice.Recommendation{move("c", "g5.2xlarge", "ml")},
			period.Interval{From: storetest.At(4, 0), To: storetest.At(5, 0)}, nil, 0,
		},
		{"its machines are spot", []advice.Recommendation{move("c", "g5.2xlarge", "ml")}, all, func(w *posting.Derived) {
			w.Nodes[0].PriceClass, w.Nodes[1].PriceClass = ledger.Spot, ledger.Spot
		}, 0},
		{
			"of a kind that nothing is said of", []advice.Recommendation{move("c", "g5.2xlarge", "ml")},
			all, func(w *posting.Derived) { w.Runs[0].Kind = "inference" }, 0,
		},
		{
			"no training, and never on spot", []advice.Recommendation{move("c", "g5.2xlarge", "ml")},
			all, func(w *posting.Derived) { w.Runs[0].Kind = "batch" }, 1,
		},
		{"its pods are of another class", []advice.Recommendation{move("c", "g5.2xlarge", "ml")}, all,
			func(w *posting.Derived) {
				w.Workloads[0].Class, w.Workloads[1].Class = ledger.ClassService, ledger.ClassService
			}, 0},
	} {
		w, _ := storetest.SmallWorld()
		if c.change != nil {
			c.change(w)
		}
		storetest.SaveWorld(t, s, w)
		of, runs, err := s.AdvisedRuns(t.Context(), c.within, c.moves)
		if err != nil {
			t.Fatal(err)
		}
		if len(runs) != c.want || len(of) != c.want+1 {
			t.Errorf("%s: %d runs, %d subjects; want %d runs", c.name, len(runs), len(of), c.want)
		}
		for i := range runs {
			if r := &runs[i]; r.Where.RunID != "run-1" || !r.Advised || len(r.Attempts) != 2 {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
	}
}
