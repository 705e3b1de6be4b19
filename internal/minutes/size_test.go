package minutes

import (
	"math/rand/v2"
	"testing"

	"gpuledger/internal/ledger"
)

// busyHour invents an exporter's values for a device in an hour, with realistic noise, in stored units: ratios with six
// digits, memory and rates in MiB, power in 100 mW, a counter of energy in mJ. busy is in percent.
func busyHour(r *rand.Rand, busy int64) map[string]ledger.Minutes {
	out := map[string]ledger.Minutes{}
	set := func(name ledger.Signal, f func(i int64) int64) {
		var m ledger.Minutes
		for i := range 60 {
			Set(&m, i, 31_417, f(int64(i)))
		}
		out[string(name)] = m
	}
	noise := func(sigma int64) int64 { return int64(r.NormFloat64() * float64(sigma)) }
	level := busy * 10_000
	if busy == 0 { // the device is free: only power and temperature vary
		noise = func(sigma int64) int64 { return int64(r.NormFloat64() * float64(min(sigma, 150))) }
	}
	ratio := func(part, sigma int64) func(int64) int64 {
		return func(int64) int64 {
			if busy == 0 {
				return 0
			}
			return min(max(level*part/100+noise(sigma), 0), 1_000_000)
		}
	}
	set(ledger.SignalGrEngine, ratio(96, 15_000))
	set(ledger.SignalGPUUtil, func(int64) int64 { return min(max(busy+noise(2), 0), 100) * 10_000 })
	set(ledger.SignalSM, ratio(70, 20_000))
	set(ledger.SignalTensor, ratio(35, 18_000))
	set(ledger.SignalDRAM, ratio(45, 15_000))
	used := 61_000 + r.Int64N(3000)
	var mem [60]int64
	for i := range mem {
		if r.IntN(12) == 0 {
			used += noise(40)
		}
		mem[i] = used
	}
	set(ledger.SignalMemoryUsed, func(i int64) int64 { return mem[i] << 20 })
	set(ledger.SignalMemoryFree, func(i int64) int64 { return (81_000 - mem[i]) << 20 })
	energy := int64(126_272_101_025) + r.Int64N(1<<36)
	watts := 70_000 + busy*5_500
	set(ledger.SignalPower, func(int64) int64 { return (watts + noise(watts/60)) / 100 * 100 })
	set(ledger.SignalEnergy, func(int64) int64 { energy += watts*60 + noise(watts); return energy })
	temperature := 35 + busy/4
	set(ledger.SignalTemperature, func(int64) int64 { return (temperature + noise(1)) * 1000 })
	set(ledger.SignalXID, func(int64) int64 { return 0 })
	set(ledger.SignalThrottle, func(int64) int64 {
		if busy > 50 && r.IntN(10) > 0 {
			return 4
		}
		return 0
	})
	rate := func(mean int64) func(int64) int64 {
		return func(int64) int64 { return max(mean*busy/100+noise(mean*busy/800), 0) >> 20 << 20 }
	}
	set(ledger.SignalPCIeTx, rate(300_000_000))
	set(ledger.SignalPCIeRx, rate(900_000_000))
	set(ledger.SignalNVLinkTx, rate(40_000_000_000))
	set(ledger.SignalNVLinkRx, rate(40_000_000_000))
	return out
}

// TestHourSize holds the codec to the size at which 10,000 devices × 30 days fit 15 GB
// (docs/operate/performance.md): 16 signals.
func TestHourSize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		what  string
		busy  int64
		bound int
	}{{"working", 95, 1350}, {"half", 50, 1300}, {"idle", 0, 290}} {
		var old, now int
		const hours = 200
		for range hours {
			in := busyHour(r, c.busy)
			old += len(encodeOld(in))
			now += len(mustEncode(t, in))
		}
		t.Logf("%s: %d bytes an hour, version 1 took %d", c.what, now/hours, old/hours)
		if now/hours > c.bound {
			t.Errorf("%s: %d bytes an hour, at most %d", c.what, now/hours, c.bound)
		}
	}
}

func benchSets(n int) [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([][]byte, n)
	for i := range out {
		out[i], _ = Encode(nil, busyHour(r, 95))
	}
	return out
}

func BenchmarkEncodeHour(b *testing.B) {
	in := busyHour(rand.New(rand.NewPCG(1, 3)), 95)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = Encode(dst[:0], in)
	}
}

func BenchmarkDecodeHour(b *testing.B) {
	sets := benchSets(16)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Decode[ledger.Signal](sets[i%len(sets)]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSelectActivity(b *testing.B) {
	sets := benchSets(16)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Select(sets[i%len(sets)], func(s ledger.Signal) bool { return s == ledger.SignalGrEngine }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMergeMinute merges one new minute into a stored hour, as a live
// flush does for every device.
func BenchmarkMergeMinute(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 4))
	whole := busyHour(r, 95)
	minute := map[string]ledger.Minutes{}
	for name, m := range whole {
		var one ledger.Minutes
		Set(&one, 30, int(m.At[30]), m.Value[30]+1)
		minute[name] = one
	}
	stored, _ := Encode(nil, whole)
	fresh, _ := Encode(nil, minute)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := MergeEncoded(stored, fresh); err != nil {
			b.Fatal(err)
		}
	}
}
