package fleet

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
)

func slotsOf(devices []ledger.Device) string {
	var out []string
	for _, d := range devices {
		mode := ""
		if d.InMIG {
			mode = " mig"
		}
		out = append(out, fmt.Sprintf("%d %s%s", d.Index, d.UUID, mode))
	}
	return strings.Join(out, ", ")
}

func TestJoinedDevices(t *testing.T) {
	seen := func(uuid string, index int32) ledger.Device {
		return ledger.Device{UUID: uuid, Index: index, First: t0, Last: t0}
	}
	card := func(uuid string, index int32) ledger.Device {
		d := seen(uuid, index)
		d.Registered = true
		return d
	}
	mode := seen("a", -1)
	mode.InMIG = true
	later := seen("z", 1)
	later.First, later.Last = t0+86400, t0+90000
	for name, c := range map[string]struct {
		seen, said []ledger.Device
		want       string
	}{
		"never shown": {nil, []ledger.Device{card("b", 1), card("a", 0)}, "0 a, 1 b"},
		"the exporter knows its index": {
			[]ledger.Device{seen("a", 3)}, []ledger.Device{card("a", 0), card("b", 1)}, "3 a, 1 b",
		},
		"another card is there": {
			[]ledger.Device{seen("x", 0)}, []ledger.Device{card("a", 0), card("b", 1)}, "0 x, 1 a, 2 b",
		},
		"another card is there later":       {[]ledger.Device{later}, []ledger.Device{card("b", 1)}, "1 z, 1 b"},
		"MIG mode of a card that was shown": {[]ledger.Device{seen("a", 0)}, []ledger.Device{mode}, "0 a mig"},
		"MIG mode alone makes no card":      {nil, []ledger.Device{mode}, ""},
		"an index that no slot can have":    {nil, []ledger.Device{card("a", -1), card("b", 0)}, "0 a, 1 b"},
	} {
		if got := slotsOf(Join(c.seen, c.said)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Every registered card has a separate slot, whatever was seen and however the facts are ordered.
func TestEveryRegisteredCardHasASlot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var seen, said []ledger.Device
		for i := range rapid.IntRange(0, 4).Draw(t, "seen") {
			seen = append(seen, ledger.Device{UUID: fmt.Sprint("s", i), Index: int32(i), First: t0, Last: t0})
		}
		for i := range rapid.IntRange(1, 6).Draw(t, "said") {
			uuid := fmt.Sprint(rapid.SampledFrom([]string{"s", "r"}).Draw(t, "kind"), i)
			said = append(said, ledger.Device{
				UUID: uuid, Index: rapid.Int32Range(-1, 3).Draw(t, "index"), First: t0, Last: t0, Registered: true,
			})
		}
		got := Join(seen, said)
		taken := map[int32]bool{}
		for _, d := range got {
			if d.Index < 0 || taken[d.Index] {
				t.Fatalf("%s", slotsOf(got))
			}
			taken[d.Index] = true
		}
		r := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		r.Shuffle(len(said), func(i, j int) { said[i], said[j] = said[j], said[i] })
		if again := slotsOf(Join(seen, said)); again != slotsOf(got) {
			t.Fatalf("%s, then %s", slotsOf(got), again)
		}
	})
}
