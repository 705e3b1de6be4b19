package bill

import (
	"testing"

	"gpuledger/internal/ledger"
)

func TestMetricIndexIsThatOfMetrics(t *testing.T) {
	for i, m := range ledger.Metrics {
		if metricIndex(m) != i {
			t.Errorf("%s is %d, want %d", m, metricIndex(m), i)
		}
	}
}

func TestTextSum(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{[]string{"1", "0.5", "-0.25"}, "1.25"},
		{[]string{"9999999999999999.99", "9999999999999999.99", "1e-30"}, "19999999999999999.980000000000000000000000000001"},
		{
			[]string{
				"922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580",
				"922337203685477580", "922337203685477580", "922337203685477580", "922337203685477580",
				"922337203685477580", "922337203685477580", "922337203685477580",
			}, "10145709240540253380",
		},
		{[]string{"-0.000000000000000001", "2.63E-8", "+1"}, "1.000000026299999999"},
	} {
		var s textSum
		for _, x := range c.in {
			if err := s.add(x, false); err != nil {
				t.Errorf("%s: %v", x, err)
			}
		}
		var other textSum
		other.merge(&s)
		if got, err := other.total(); err != nil || got.String() != c.want {
			t.Errorf("%v = %s, want %s (%v)", c.in, got, c.want, err)
		}
	}
	var s textSum
	for _, x := range []string{".", "-", "x", "1/3", "0x10", "1_000", "NaN", "Inf", "1e400", "--1"} {
		if err := s.add(x, false); err == nil {
			t.Errorf("%q was added", x)
		}
	}
}
