package explain

import (
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/metrics/advice"
	"gpuledger/metrics/waste"
)

func TestKindsAreDefinedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range metrics.Reference(kindChapters...) {
		if seen["#"+s.Name] {
			t.Errorf("two chapters are called %s", s.Name)
		}
		seen["#"+s.Name] = true
		for _, d := range s.Definitions {
			if seen[d.Anchor] {
				t.Errorf("%s is defined twice", d.Anchor)
			}
			seen[d.Anchor] = true
			if d.Doc == "" || d.Source == "" {
				t.Errorf("%s lacks a text: %+v", d.Anchor, d)
			}
		}
	}
	for _, d := range waste.Definitions {
		if !seen["waste."+string(d.Kind)] {
			t.Errorf("waste.%s is not explained", d.Kind)
		}
	}
	for _, k := range advice.Kinds {
		if !seen["advice."+k.Name] {
			t.Errorf("advice.%s is not explained", k.Name)
		}
	}
	found := metrics.Definitions([]string{"advice.stop_idle", "waste.hoarding", "waste.kind", "nonsense"}, kindChapters...)
	if len(found) != 3 || found[0].Name != ChapterAdvice || found[1].Name != ChapterWaste || found[2].Name != "waste" {
		t.Errorf("by anchor: %+v", found)
	}
}

func TestCriteria(t *testing.T) {
	for kind, want := range map[waste.Kind]string{
		waste.Hoarding: "held at least 4.0 h, memory used at most 1 GiB",
		waste.OverprovisionedService: "hours known at least 20 hours, fewest replicas at least 2 replicas, target " +
			"activity of 60\u202f%",
		waste.InputStarved: "at least 3 hours, activity below 50\u202f%, host CPU at least 90\u202f%",
		waste.XID:          "at least 1 hour",
		waste.CommunicationBound: "at least 3 hours, activity at least 80\u202f%, SM at most 40\u202f%, link at " +
			"least 50 GB per second",
		waste.Throttled:        "at least 3 hours, throttled at least 6 min per hour",
		waste.UntaintedGPUNode: "",
	} {
		d, _ := waste.Define(kind)
		if got := criterion(d); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
	for sentence, want := range map[string]string{
		"A pod.": "a pod.", "GPUs waited.": "GPUs waited.", "MIG slices.": "MIG slices.", "The card.": "the card.",
	} {
		if got := lowered(sentence); got != want || strings.Contains(got, "  ") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
