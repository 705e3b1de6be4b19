package figures_test

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/figures"
	"gpuledger/metrics/waste"
	"gpuledger/test/storetest"
)

// The labels by which a holder picked its machine are those of the pod with its UID: from the API, else its node
// selector; unknown if neither is stored.
func TestLabelsByWhichHoldersPickedMachines(t *testing.T) {
	for _, c := range []struct {
		name string
		said map[string]string // UID/attribute → keys
		want string
	}{
		{"nothing is told", nil, "unknown"},
		{"of another pod", map[string]string{"u2/required": "zone"}, "unknown"},
		{"the API tells all", map[string]string{"u1/required": "kubernetes_io_os zone"}, "[kubernetes_io_os zone] all true"},
		{"the API tells that it is none", map[string]string{"u1/required": ""}, "[] all true"},
		{"a node selector", map[string]string{"u1/nodeSelector": "zone"}, "[zone] all false"},
		{"none, and affinity is not told", map[string]string{"u1/nodeSelector": ""}, "[] all false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := storetest.New(t)
			w, _ := storetest.SmallWorld()
			storetest.SaveWorld(t, s, w)
			var told ledger.Telemetry
			for of, keys := range c.said {
				uid, attr, _ := strings.Cut(of, "/")
				told.Objects = append(told.Objects,
					ledger.ObjectFact{Cluster: "c", Kind: ledger.KindPodSelectors, Namespace: "ns", Name: uid,
						Attrs: map[string]string{attr: keys}, AttrsAt: 1})
			}
			storetest.PublishTelemetry(t, s, &told)
			tx, err := s.Pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback(t.Context()) }()
			d := &waste.Day{Day: storetest.At(1, 0), Holders: map[ledger.ID]*waste.Holder{}}
			node := w.Nodes[0].ID
			if err := figures.WasteHolders(t.Context(), tx, d, []ledger.ID{node},
				map[ledger.ID]*waste.NodeDay{node: {}}); err != nil {
				t.Fatal(err)
			}
			got := "unknown"
			if h := d.Holders[w.Workloads[0].ID]; h == nil {
				t.Fatalf("holders: %v", d.Holders)
			} else if h.Picks != nil {
				got = fmt.Sprintf("%v all %t", h.Picks.Keys, h.Picks.All)
			}
			if got != c.want {
				t.Errorf("picked by %s, want %s", got, c.want)
			}
		})
	}
}
