package ledger

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func TestInstanceKeys(t *testing.T) {
	const set = "/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachinescalesets/pool"
	for _, c := range []struct {
		provider, numeric string
		want              []string // before the key of cluster and name
	}{
		{"aws:///us-east-1a/i-1", "", []string{"i-1"}},
		{"i-1", "", []string{"i-1"}},
		{"gce://p/us-c1-a/n", "", []string{"gce/p/us-c1-a/n"}},
		{"gce://p/us-c1-a/n", "77", []string{"gce/77", "gce/p/us-c1-a/n"}},
		{"gce://p/us-c1-a/n/77", "", []string{"gce/77", "gce/p/us-c1-a/n"}},
		{"azure:///subscriptions/S/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/Pool/virtualMachines/3", "",
			[]string{set + "/virtualmachines/3", set, "azure-vm/pool_3"}},
		{"azure:///subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/VM", "",
			[]string{"/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachines/vm", "azure-vm/vm"}},
		{"k3s://box", "", []string{"box"}},
		{"ocid1.instance.oc1.iad.a", "", []string{"ocid1.instance.oc1.iad.a"}},
		{"arn:aws:ec2:us-east-1:1:instance/i-1", "", []string{"i-1"}},
		{"arn:aws:ec2:us-east-1:1:instance/I-0A", "", []string{"i-0a"}},
		{"neo://Region/NODE-11", "", []string{"node-11"}},
		{"ocid1.instance.oc1.iad.A", "", []string{"ocid1.instance.oc1.iad.a"}},
		{"/subscriptions/S/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/VM", "",
			[]string{"/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachines/vm", "azure-vm/vm"}},
		{"projects/p/zones/us-c1-a/instances/n", "", []string{"gce/p/us-c1-a/n"}},
		{"aws:///use1-az4/sagemaker/cluster/hyperpod-tq12-i-0f1", "", []string{"hyperpod-tq12-i-0f1", "i-0f1"}},
		{"", "", nil},
		{"strange/path", "", nil},
	} {
		want := append(slices.Clone(c.want), "node/c/n")
		if got := InstanceKeys("c", "n", c.provider, c.numeric); !slices.Equal(got, want) {
			t.Errorf("%s %s: %q, want %q", c.provider, c.numeric, got, want)
		}
	}
}

func TestHostOf(t *testing.T) {
	for name, want := range map[string]string{
		"gpu-1.eu.example.com": "gpu-1", "gpu-1": "", "gpu-1.": "", ".x": "",
		"10.0.1.5": "", "ocid1.instance.oc1.iad.a": "", "node/c/gpu-1.eu": "", "": "",
	} {
		if got := HostOf(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestGoogleProviderIDsAreCompletedOnce(t *testing.T) {
	for _, c := range [][3]string{
		{"gce://p/z/n", "7", "gce://p/z/n/7"},
		{"gce://p/z/n/7", "8", "gce://p/z/n/7"},
		{"gce://p/z/n", "", "gce://p/z/n"},
		{"aws:///z/i-1", "7", "aws:///z/i-1"},
		{"", "7", ""},
	} {
		if got := GoogleProviderID(c[0], c[1]); got != c[2] {
			t.Errorf("%q %q: %q", c[0], c[1], got)
		}
	}
	if p, id := GoogleNumeric("gce://p/z/n/7"); p != "gce://p/z/n" || id != "7" {
		t.Errorf("%q %q", p, id)
	}
	if p, id := GoogleNumeric("gce://p/z/n"); p != "gce://p/z/n" || id != "" {
		t.Errorf("%q %q", p, id)
	}
}

func TestInstanceSecondsAreRoundedHalfUp(t *testing.T) {
	for _, c := range []struct {
		hours string
		want  int64
		ok    bool
	}{
		{"1", 3600, true}, {"0.25", 900, true}, {"0.27361111111", 985, true}, {"0", 0, true},
		{"0.00013888888888888888", 0, true}, {"0.000138888888888888889", 1, true},
		{"-1", -3600, true}, {"-0.000138888888888888889", -1, true},
		{"305419896", 305419896 * 3600, true}, {"305419898", 0, false}, {"1e40", 0, false},
	} {
		if got, ok := InstanceSeconds(money.MustParse(c.hours)); got != c.want || ok != c.ok {
			t.Errorf("%s hours: %d %v", c.hours, got, ok)
		}
	}
}

func TestInstanceSecondsOfShortAmountsAreThoseOfTheRule(t *testing.T) {
	for _, units := range []int64{
		0, 1, 138888888, 138888889, 277777777, 277777778, 1_000_000_000_000,
		999_999_999_999_999_999, math.MaxInt64, 2_500_000_000 - 1, 416666666, 416666667,
	} {
		want := new(big.Int).Mul(big.NewInt(units), big.NewInt(2*period.Hour))
		want.Add(want, big.NewInt(money.UnitsPerOne)).Quo(want, big.NewInt(2*money.UnitsPerOne))
		if got, ok := InstanceSeconds(money.FromUnits(units)); got != want.Int64() || !ok {
			t.Errorf("%d units: %d, want %s (%v)", units, got, want, ok)
		}
	}
}
