package main

import (
	"strings"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/folder"
	"gpuledger/internal/money"
	"gpuledger/metrics"
)

// The preview says why money of a mapped value stays with the old name, and says nothing if all of it moves.
func TestThePreviewSaysWhatAMappingLeaves(t *testing.T) {
	m, err := policy.ParseMapping([]byte("name: m\nvalues:\n- {key: team, from: [asr, nlp], to: audio}\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan := &folder.Plan{Mappings: []folder.StoredMapping{{Mapping: m}}}
	move := func(key, value, after string) metrics.Move {
		a, err := money.Parse(after)
		if err != nil {
			t.Fatal(err)
		}
		return metrics.Move{Key: key, Value: value, Currency: "USD", After: a}
	}
	text := func(rows ...metrics.Move) string {
		var b strings.Builder
		(&applied{Money: rows, Looked: &looked{Days: 1}}).keptText(&b, plan)
		return b.String()
	}
	for _, c := range []struct {
		rows []metrics.Move
		want string
	}{
		{[]metrics.Move{move("team", "asr", "0"), move("team", "nlp", "12.5"), move("team", "audio", "7"),
			move("project", "nlp", "3")}, "team=nlp keeps "},
		{[]metrics.Move{move("team", "asr", "0")}, ""},
		{nil, "what began before the day of the new rules keeps its owner"},
	} {
		got := text(c.rows...)
		if !strings.HasPrefix(got, c.want) || strings.Count(got, "\n") != min(len(c.want), 1) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
