package fleet

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const t0 = period.Second(1793577600) // 2026-11-02 00:00 UTC

type labels = map[string]string

func resolve(in Input) []Machine { return Resolve(in, policy.Default()) }

func only(t *testing.T, in Input) Machine {
	t.Helper()
	got := resolve(in)
	if len(got) != 1 {
		t.Fatalf("%d machines: %+v", len(got), got)
	}
	return got[0]
}

func fact(edit ...func(*ledger.NodeFact)) ledger.NodeFact {
	f := ledger.NodeFact{
		Cluster: "c", Name: "n", ProviderID: "aws:///us-east-1b/i-1",
		FirstSeen: t0 + 60, LastSeen: t0 + 3600, AttrsAt: int64(t0+3600) * 1000,
		Labels: labels{"node_kubernetes_io_instance_type": "p5.48xlarge"},
	}
	for _, e := range edit {
		e(&f)
	}
	return f
}

func TestLife(t *testing.T) {
	name := Name{"c", "n"}
	state := func(detail string, at period.Second) ledger.InstanceEvent {
		return ledger.InstanceEvent{InstanceID: "i-1", Kind: ledger.EventState, Detail: detail, At: at}
	}
	created := func(f *ledger.NodeFact) { f.Created = t0 + 30 }
	for _, c := range []struct {
		name     string
		in       Input
		from, to period.Second
		gone     bool
	}{
		{"first and last own sample", Input{Facts: []ledger.NodeFact{fact()}}, t0 + 60, t0 + 3660, false},
		{"creation", Input{Facts: []ledger.NodeFact{fact(created)}}, t0 + 30, t0 + 3660, false},
		{
			"exporter samples before and after",
			Input{Facts: []ledger.NodeFact{fact()}, Samples: map[Name]period.Interval{name: {From: t0 + 10, To: t0 + 5001}}},
			t0 + 10, t0 + 5060, false,
		},
		{
			"creation wins over exporter samples",
			Input{
				Facts: []ledger.NodeFact{fact(created)}, Samples: map[Name]period.Interval{name: {From: t0 + 10, To: t0 + 20}},
			}, t0 + 30, t0 + 3660, false,
		},
		{
			"terminated", Input{
				Facts:  []ledger.NodeFact{fact()},
				Events: []ledger.InstanceEvent{state("terminated", t0+900), state("shutting-down", t0+800)},
			}, t0 + 60, t0 + 800, true,
		},
		{
			"running and pending say nothing",
			Input{Facts: []ledger.NodeFact{fact()}, Events: []ledger.InstanceEvent{state("running", t0+900)}},
			t0 + 60, t0 + 3660, false,
		},
		{
			"an earlier stop is of an earlier life",
			Input{Facts: []ledger.NodeFact{fact()}, Events: []ledger.InstanceEvent{state("stopped", t0)}},
			t0 + 60, t0 + 3660, false,
		},
		{
			"observed without it", Input{
				Facts:   []ledger.NodeFact{fact()},
				Sources: []ledger.SourceHour{{Cluster: "c", Source: ledger.SourceKubernetes, Hour: t0 + 3600, Minutes: 1 << 2}},
			}, t0 + 60, t0 + 3660, true,
		},
		{
			"observed one step later",
			Input{
				Facts:   []ledger.NodeFact{fact()},
				Sources: []ledger.SourceHour{{Cluster: "c", Source: ledger.SourceKubernetes, Hour: t0 + 3600, Minutes: 1 << 1}},
			}, t0 + 60, t0 + 3660, false,
		},
		{
			"another cluster observed",
			Input{
				Facts:   []ledger.NodeFact{fact()},
				Sources: []ledger.SourceHour{{Cluster: "d", Source: ledger.SourceKubernetes, Hour: t0 + 7200, Minutes: 1}},
			}, t0 + 60, t0 + 3660, false,
		},
	} {
		m := only(t, c.in)
		if m.Life.From != c.from || m.Life.To != c.to || m.Gone != c.gone {
			t.Errorf("%s: [t0%+d, t0%+d) gone %v", c.name, m.Life.From-t0, m.Life.To-t0, m.Gone)
		}
	}
}

func TestNumberOfGPUs(t *testing.T) {
	typ := func(name string) func(*ledger.NodeFact) {
		return func(f *ledger.NodeFact) { f.Labels = labels{"node_kubernetes_io_instance_type": name} }
	}
	capacity := func(resource string, n int64) func(*ledger.NodeFact) {
		return func(f *ledger.NodeFact) { f.Capacity = map[string]int64{resource: n} }
	}
	label := func(key, value string) func(*ledger.NodeFact) {
		return func(f *ledger.NodeFact) { f.Labels[key] = value }
	}
	product := func(name string) func(*ledger.NodeFact) { return label("nvidia_com_gpu_product", name) }
	offers := func(list ...any) func(*ledger.NodeFact) {
		return func(f *ledger.NodeFact) {
			f.Capacity = map[string]int64{}
			for i := 0; i < len(list); i += 2 {
				f.Capacity[list[i].(string)] = int64(list[i+1].(int))
			}
		}
	}
	registered := func(n int) map[Name][]ledger.Device {
		var said []ledger.Device
		for i := range n {
			said = append(said, ledger.Device{
				UUID: fmt.Sprint("GPU-", i), Index: int32(i), Model: "NVIDIA A100-SXM4-40GB", First: t0, Last: t0, Registered: true,
			})
		}
		return map[Name][]ledger.Device{{"c", "n"}: Join(nil, said)}
	}
	shared := func(f *ledger.NodeFact) { f.Labels["nvidia_com_gpu_replicas"] = "4" }
	mps := func(f *ledger.NodeFact) { f.Labels["nvidia_com_gpu_sharing_strategy"] = "mps" }
	absurd := func(f *ledger.NodeFact) { f.Labels["nvidia_com_gpu_replicas"] = "5000" }
	nobodys := func(f *ledger.NodeFact) { f.ProviderID = "" }
	zero := func(f *ledger.NodeFact) { f.Labels["nvidia_com_gpu_replicas"] = "0" }
	devices := map[Name][]ledger.Device{{"c", "n"}: {
		{UUID: "a", Index: 0, Model: "NVIDIA L4", First: t0, Last: t0},
		{UUID: "b", Index: 1, Model: "NVIDIA L4", First: t0, Last: t0},
		{UUID: "c", Index: 1, Model: "NVIDIA L4", First: t0, Last: t0 + 3600},
	}}
	for _, c := range []struct {
		name     string
		in       Input
		gpus     int
		replicas int
		model    string
	}{
		{"catalogue", Input{Facts: []ledger.NodeFact{fact(capacity("nvidia_com_gpu", 3))}}, 8, 1, "H100"},
		{"catalogue by another case", Input{Facts: []ledger.NodeFact{fact(typ("G5.XLARGE"))}}, 1, 1, "A10G"},
		{"capacity", Input{Facts: []ledger.NodeFact{fact(typ("dgx"), capacity("nvidia_com_gpu", 4))}}, 4, 1, ""},
		{
			"shared capacity", Input{Facts: []ledger.NodeFact{fact(typ("dgx"), shared, capacity("nvidia_com_gpu", 8))}},
			2, 4, "",
		},
		{"MPS", Input{Facts: []ledger.NodeFact{fact(typ("dgx"), shared, mps, capacity("nvidia_com_gpu", 8))}}, 2, 4, ""},
		{"an eighth of a GPU is a slot", Input{Facts: []ledger.NodeFact{fact(typ("g6f.large"))}}, 1, 1, "L4"},
		{
			"renamed shared capacity",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), shared, capacity("nvidia_com_gpu_shared", 8))}}, 2, 4, "",
		},
		{
			"0 replicas on MIG nodes",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), zero, capacity("nvidia_com_gpu", 8))}}, 8, 1, "",
		},
		{
			"a capacity that no machine has",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), capacity("nvidia_com_gpu", 1<<40))}, Devices: devices}, 2, 1, "L4",
		},
		{"devices seen, one replaced", Input{Facts: []ledger.NodeFact{fact(typ("dgx"))}, Devices: devices}, 2, 1, "L4"},
		{"an index that no slot has",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"))}, Devices: map[Name][]ledger.Device{{"c", "n"}: {
				{UUID: "a", Index: 1<<31 - 1, Model: "NVIDIA L4", First: t0, Last: t0},
				{UUID: "b", Index: 0, Model: "NVIDIA L4", First: t0, Last: t0},
			}}}, 1, 1, "L4"},
		{
			"more replicas than any scheme knows",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), absurd, capacity("nvidia_com_gpu", 8))}}, 8, 1, "",
		},
		{
			"the label, and capacity multiplied for splitting",
			Input{
				Facts: []ledger.NodeFact{fact(typ("dgx"), capacity("nvidia_com_gpu", 80), label("nvidia_com_gpu_count", "8"))},
			}, 8, 10, "",
		},
		{
			"fewer in capacity than the label counts: one is broken",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), capacity("nvidia_com_gpu", 7), label("nvidia_com_gpu_count", "8"))}},
			8, 1, "",
		},
		{
			"a label below what was seen",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), label("nvidia_com_gpu_count", "1"))}, Devices: devices}, 2, 1, "L4",
		},
		{
			"more seen than offered",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), capacity("nvidia_com_gpu", 1))}, Devices: devices}, 2, 1, "L4",
		},
		{
			"renamed shares of a known type",
			Input{Facts: []ledger.NodeFact{fact(typ("g5.12xlarge"), capacity("nvidia_com_gpu_shared", 16))}}, 4, 4, "A10G",
		},
		{
			"shares that GKE's label tells",
			Input{
				Facts: []ledger.NodeFact{
					fact(typ("dgx"), capacity("nvidia_com_gpu", 6), label("cloud_google_com_gke_max_shared_clients_per_gpu", "3")),
				},
			}, 2, 3, "",
		},
		{
			"registered for splitting",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), capacity("nvidia_com_gpu", 40))}, Devices: registered(4)},
			4, 1, "A100 40GB",
		},
		{
			"cards that Aliyun counts",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), offers("aliyun_com_gpu_count", 4, "aliyun_com_gpu_mem", 60))}},
			4, 1, "",
		},
		{
			"MIG resources only", Input{
				Facts: []ledger.NodeFact{
					fact(typ("dgx"), product("NVIDIA-A100-SXM4-40GB"), offers("nvidia_com_gpu", 0, "nvidia_com_mig_1g_5gb", 14)),
				},
			}, 2, 1, "A100 40GB",
		},
		{
			"two instances to a card",
			Input{
				Facts: []ledger.NodeFact{fact(typ("dgx"), product("NVIDIA-H100-80GB-HBM3"), offers("nvidia_com_mig_3g_40gb", 3))},
			}, 2, 1, "H100",
		},
		{
			"whole and cut cards", Input{
				Facts: []ledger.NodeFact{
					fact(typ("dgx"), product("NVIDIA-A100-SXM4-40GB"),
						offers("nvidia_com_gpu", 6, "nvidia_com_mig_3g_20gb", 2, "nvidia_com_mig_1g_5gb", 7)),
				},
			}, 8, 1, "A100 40GB",
		},
		{
			"compute instances share their instance",
			Input{
				Facts: []ledger.NodeFact{
					fact(typ("dgx"), product("NVIDIA-A100-SXM4-40GB"), offers("nvidia_com_mig_1c_3g_20gb", 6)),
				},
			}, 1, 1, "A100 40GB",
		},
		{
			"instances that are shared",
			Input{
				Facts: []ledger.NodeFact{
					fact(typ("dgx"), product("NVIDIA-A100-SXM4-40GB"), label("nvidia_com_mig_1g_5gb_replicas", "2"),
						offers("nvidia_com_mig_1g_5gb", 14)),
				},
			}, 1, 1, "A100 40GB",
		},
		{
			"strategy single", Input{
				Facts: []ledger.NodeFact{
					fact(typ("dgx"), product("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"), label("nvidia_com_gpu_count", "14"),
						offers("nvidia_com_gpu", 14)),
				},
			}, 2, 1, "A100 40GB",
		},
		{
			"instances of a known type are no clients",
			Input{
				Facts: []ledger.NodeFact{
					fact(typ("p4d.24xlarge"), product("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"), offers("nvidia_com_gpu", 56)),
				},
			}, 8, 1, "A100 40GB",
		},
		{
			"more instances than any machine has",
			Input{Facts: []ledger.NodeFact{fact(typ("dgx"), offers("nvidia_com_mig_1g_5gb", 1<<40))}}, 0, 1, "",
		},
		{"no GPU", Input{Facts: []ledger.NodeFact{fact(typ("m5.large"))}}, 0, 1, ""},
		{"Neuron devices by type", Input{Facts: []ledger.NodeFact{fact(typ("trn1.32xlarge"))}}, 16, 1, "Trainium"},
		{
			"and their cores by what the node offers",
			Input{
				Facts: []ledger.NodeFact{
					fact(typ("trn2.48xlarge"),
						offers("aws_amazon_com_neuron", 16, "aws_amazon_com_neurondevice", 16, "aws_amazon_com_neuroncore", 64)),
				},
			}, 16, 4, "Trainium2",
		},
		{
			"Neuron devices of a type that nobody knows",
			Input{
				Facts: []ledger.NodeFact{
					fact(typ("trn9.large"), offers("aws_amazon_com_neuron", 4, "aws_amazon_com_neuroncore", 8)),
				},
			}, 4, 2, "",
		},
		{
			"AMD by type", Input{Facts: []ledger.NodeFact{fact(typ("g4ad.8xlarge"), offers("amd_com_gpu", 2))}},
			2, 1, "Radeon Pro V520",
		},
		{
			"AMD by capacity", Input{
				Facts: []ledger.NodeFact{
					fact(typ("box"), label("amd_com_gpu_product_name", "AMD_Instinct_MI300X_OAM"), offers("amd_com_gpu", 8)),
				},
			}, 8, 1, "MI300X",
		},
		{
			"AMD's partitions of one name",
			Input{Facts: []ledger.NodeFact{fact(nobodys, typ("Standard_ND96isr_MI300X_v5"), offers("amd_com_gpu", 64))}},
			8, 8, "MI300X",
		},
		{
			"AMD's partitions by mode",
			Input{Facts: []ledger.NodeFact{fact(typ("box"), offers("amd_com_spx_nps1", 4, "amd_com_cpx_nps4", 32))}}, 8, 8, "",
		},
		{
			"Intel, not its monitoring",
			Input{
				Facts: []ledger.NodeFact{fact(typ("box"), offers("gpu_intel_com_i915", 2, "gpu_intel_com_i915_monitoring", 1))},
			}, 2, 1, "",
		},
		{"Gaudi", Input{Facts: []ledger.NodeFact{fact(typ("box"), offers("habana_ai_gaudi", 8))}}, 8, 1, ""},
		{
			"TPU", Input{Facts: []ledger.NodeFact{fact(nobodys, typ("ct5lp-hightpu-4t"), offers("google_com_tpu", 4))}},
			4, 1, "TPU v5e",
		},
		{
			"type from the bill", Input{
				Facts: []ledger.NodeFact{fact(typ(""))}, Billed: []Billed{{InstanceID: "i-1", InstanceType: "p4d.24xlarge"}},
			}, 8, 1, "A100 40GB",
		},
	} {
		if m := only(t, c.in); m.GPUs != c.gpus || m.Replicas != c.replicas || m.GPUModel != c.model {
			t.Errorf("%s: %d GPUs, %d replicas, model %q", c.name, m.GPUs, m.Replicas, m.GPUModel)
		}
	}
}

// A label gives the account of a machine, and of the others of its cluster, if neither a bill nor its provider id does.
func TestAccountByLabel(t *testing.T) {
	node := func(cluster, name, provider string, of labels) ledger.NodeFact {
		return ledger.NodeFact{
			Cluster: cluster, Name: name, ProviderID: provider, FirstSeen: t0, LastSeen: t0 + 60, Labels: of,
		}
	}
	said := labels{"label_gpuledger_io_account": "lab"}
	got := resolve(Input{Facts: []ledger.NodeFact{
		node("a", "n1", "k3s://n1", said), node("a", "n2", "k3s://n2", nil), node("b", "n3", "k3s://n3", nil),
		node("c", "n4", "gce://proj/us-central1-a/n4", said),
	}})
	want := map[string]string{"n1": "lab", "n2": "lab", "n3": "", "n4": "proj"}
	if len(got) != len(want) {
		t.Fatalf("%d machines", len(got))
	}
	for _, m := range got {
		if m.Account != want[m.Name] {
			t.Errorf("%s is of account %q, want %q", m.Name, m.Account, want[m.Name])
		}
	}
}

func TestPlacePriceClassAndAccount(t *testing.T) {
	billed := []Billed{
		{
			InstanceID: "i-1", Region: "eu-west-1", Zone: "eu-west-1a",
			PriceClass: ledger.SavingsPlan, Account: "111", Tags: labels{"team": "x"},
		},
	}
	plain := only(t, Input{Facts: []ledger.NodeFact{fact()}})
	if plain.Zone != "us-east-1b" || plain.Region != "us-east-1" || plain.PriceClass != "" || plain.Account != "" ||
		!plain.InSource || plain.InstanceID != "i-1" {
		t.Errorf("%+v", plain)
	}
	known := only(t, Input{Facts: []ledger.NodeFact{fact()}, Billed: billed})
	if known.Zone != "eu-west-1a" || known.PriceClass != ledger.SavingsPlan || known.Account != "111" ||
		known.Tags["team"] != "x" {
		t.Errorf("%+v", known)
	}
	for _, c := range []struct {
		label        string
		billed, want ledger.PriceClass
	}{
		{"SPOT", ledger.OnDemand, ledger.Spot}, {"CAPACITY_BLOCK", "", ledger.Reserved},
		{"", ledger.Spot, ledger.Spot}, {"", "", ""},
		{"ON_DEMAND", "", ledger.OnDemand}, {"on-demand", ledger.SavingsPlan, ledger.SavingsPlan},
	} {
		f := fact(func(f *ledger.NodeFact) { f.Labels["eks_amazonaws_com_capacityType"] = c.label })
		if m := only(t, Input{
			Facts: []ledger.NodeFact{f}, Billed: []Billed{{InstanceID: "i-1", PriceClass: c.billed}},
		}); m.PriceClass != c.want {
			t.Errorf("%+v: %s", c, m.PriceClass)
		}
	}
}

func TestInstancesThatAreOnlyBilledBecomeNodesWhenTheyHaveGPUs(t *testing.T) {
	m := only(t, Input{
		Billed: []Billed{
			{InstanceID: "i-9", InstanceType: "g5.12xlarge", Region: "us-east-1"}, {InstanceID: "i-8", InstanceType: "m5.large"},
		},
	})
	if m.ID != ledger.NodeID("", "", "i-9") || m.GPUs != 4 || !m.Life.Empty() || m.InSource || m.Name != "i-9" {
		t.Errorf("%+v", m)
	}
}

func TestExporterAloneMakesANodeOutsideEverySource(t *testing.T) {
	name := Name{"c", "box"}
	m := only(t, Input{
		Samples: map[Name]period.Interval{name: {From: t0, To: t0 + 601}},
		Devices: map[Name][]ledger.Device{name: {{UUID: "a", Index: 0, Model: "NVIDIA H100 80GB HBM3", First: t0, Last: t0}}},
	})
	if m.InSource || m.GPUs != 1 || m.GPUModel != "H100" || m.Life != (period.Interval{From: t0, To: t0 + 660}) ||
		m.ID != ledger.NodeID("c", "box", "") {
		t.Errorf("%+v", m)
	}
}

func TestANameThatSeveralInstancesBore(t *testing.T) {
	first, second := fact(), fact(func(f *ledger.NodeFact) {
		f.ProviderID, f.FirstSeen, f.LastSeen = "aws:///us-east-1b/i-2", t0+7200, t0+9000
	})
	nameless := fact(func(f *ledger.NodeFact) {
		f.ProviderID, f.FirstSeen, f.LastSeen, f.Created, f.AttrsAt = "", 0, 0, t0+7190, int64(t0+8000)*1000
	})
	machines := resolve(Input{
		Facts:   []ledger.NodeFact{nameless, second, first},
		Samples: map[Name]period.Interval{{"c", "n"}: {From: t0, To: t0 + 9901}},
	})
	if len(machines) != 2 {
		t.Fatalf("%+v", machines)
	}
	index := NewIndex(machines)
	a, b := index.Find("c", "n", t0-5), index.Find("c", "n", t0+7300)
	if a.InstanceID != "i-1" || a.Life != (period.Interval{From: t0, To: t0 + 3660}) {
		t.Errorf("%+v", a)
	}
	if b.InstanceID != "i-2" || b.Life != (period.Interval{From: t0 + 7190, To: t0 + 9960}) {
		t.Errorf("%+v", b)
	}
	if index.Find("c", "other", t0) != nil {
		t.Error("a name that nobody bore")
	}
}

func TestOrderOfFactsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in Input
		at := rapid.Custom(func(t *rapid.T) period.Second {
			return t0 + period.Second(rapid.IntRange(0, 9).Draw(t, "at")*600)
		})
		for range rapid.IntRange(1, 8).Draw(t, "facts") {
			in.Facts = append(in.Facts, ledger.NodeFact{
				Cluster: "c", Name: rapid.SampledFrom([]string{"n", "m"}).Draw(t, "name"),
				ProviderID: rapid.SampledFrom([]string{
					"", "aws:///us-east-1a/i-1", "aws:///us-east-1a/i-2", "aws:///us-east-1a/i-3",
				}).Draw(t, "id"),
				FirstSeen: at.Draw(t, "first"), LastSeen: at.Draw(t, "last"), AttrsAt: int64(at.Draw(t, "attrs")) * 1000,
				Labels: labels{
					"node_kubernetes_io_instance_type": rapid.SampledFrom([]string{"p5.48xlarge", "g5.xlarge"}).Draw(t, "type"),
				},
			})
		}
		in.Events = []ledger.InstanceEvent{
			{InstanceID: "i-1", Kind: ledger.EventState, Detail: "terminated", At: at.Draw(t, "stop")},
		}
		in.Billed = []Billed{{InstanceID: "i-2", InstanceType: "g5.xlarge"}, {InstanceID: "i-7", InstanceType: "g5.xlarge"}}
		want := resolve(in)
		r := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		r.Shuffle(len(in.Facts), func(i, j int) { in.Facts[i], in.Facts[j] = in.Facts[j], in.Facts[i] })
		r.Shuffle(len(in.Billed), func(i, j int) { in.Billed[i], in.Billed[j] = in.Billed[j], in.Billed[i] })
		if diff := cmp.Diff(want, resolve(in)); diff != "" {
			t.Fatal(diff)
		}
		seen := map[ledger.ID]bool{}
		for _, m := range want {
			if seen[m.ID] {
				t.Fatalf("two machines with one id: %+v", want)
			}
			seen[m.ID] = true
		}
	})
}

func TestGoogleMachines(t *testing.T) {
	gce := func(name, number string, from, to period.Second) ledger.NodeFact {
		return ledger.NodeFact{
			Cluster: "g", Name: name, ProviderID: ledger.GoogleProviderID("gce://proj/us-central1-a/"+name, number),
			FirstSeen: from, LastSeen: to, AttrsAt: int64(to) * 1000,
			Labels: labels{"node_kubernetes_io_instance_type": "a2-highgpu-1g"},
		}
	}
	keys := func(m Machine) string { return fmt.Sprintf("%s %v %v", m.InstanceID, m.Keys, m.Candidates) }
	billed := func(key string, from, to period.Second) Billed {
		return Billed{
			InstanceID: key, InstanceType: "a2-highgpu-1g", Zone: "us-central1-a",
			Account: "proj", Period: period.Interval{From: from, To: to},
		}
	}
	t.Run("a name used again", func(t *testing.T) {
		got := resolve(Input{
			Facts: []ledger.NodeFact{gce("n", "", t0, t0+9000), gce("n", "8", t0+7200, t0+9000), gce("n", "7", t0, t0+3600)},
		})
		slices.SortFunc(got, func(a, b Machine) int { return int(a.Life.From - b.Life.From) })
		const first = "gce/7 [gce/7 gce/proj/us-central1-a/n node/g/n gce-region/proj/us-central1/n] []"
		if len(got) != 2 || keys(got[0]) != first || got[0].ProviderID != "gce://proj/us-central1-a/n" ||
			got[1].InstanceID != "gce/8" || got[1].Zone != "us-central1-a" || got[1].Region != "us-central1" ||
			got[1].Account != "proj" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("number as a label", func(t *testing.T) {
		f := gce("n", "", t0, t0+60)
		f.Labels["container_googleapis_com_instance_id"] = "7"
		if m := only(t, Input{Facts: []ledger.NodeFact{f}}); m.InstanceID != "gce/7" {
			t.Error(keys(m))
		}
	})
	t.Run("numbers that nobody answers to", func(t *testing.T) {
		got := resolve(Input{
			Facts: []ledger.NodeFact{gce("a", "", t0, t0+3600), gce("b", "", t0, t0+3600), gce("c", "3", t0, t0+3600)},
			Billed: []Billed{billed("gce/1", t0, t0+7200), billed("gce/2", t0+1800, t0+7200), billed("gce/3", t0, t0+7200),
				billed("gce/4", t0+86400, t0+90000),
				{
					InstanceID: "gce/5", InstanceType: "a2-highgpu-8g", Zone: "us-central1-a",
					Account: "proj", Period: period.Interval{From: t0, To: t0 + 60},
				},
				{InstanceID: "gce/6", InstanceType: "e2-small", Account: "proj", Period: period.Interval{From: t0, To: t0 + 60}}},
		})
		var all []string
		for _, m := range got {
			all = append(all, m.Name+" "+fmt.Sprint(m.Candidates))
		}
		slices.Sort(all)
		want := []string{"a [gce/1 gce/2]", "b [gce/1 gce/2]", "c []", "gce/4 []", "gce/5 []"}
		if diff := cmp.Diff(want, all); diff != "" {
			t.Error(diff)
		}
	})
}

func TestScaleSetsAndOwnedMachines(t *testing.T) {
	member := func(n string) ledger.NodeFact {
		return ledger.NodeFact{Cluster: "z", Name: "vm" + n, FirstSeen: t0, LastSeen: t0 + 60,
			Labels:     labels{"node_kubernetes_io_instance_type": "Standard_NC24ads_A100_v4"},
			ProviderID: "azure:///subscriptions/ABC/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/gpu/virtualMachines/" + n}
	}
	set := "/subscriptions/abc/resourcegroups/rg/providers/microsoft.compute/virtualmachinescalesets/gpu"
	got := resolve(Input{
		Facts: []ledger.NodeFact{member("0"), member("1")},
		Billed: []Billed{
			{InstanceID: set, InstanceType: "Standard_NC24ads_A100_v4", Account: "abc", PriceClass: ledger.Spot},
		},
	})
	if len(got) != 2 || got[0].ID == got[1].ID || got[0].Keys[1] != set || got[0].Account != "abc" ||
		got[0].PriceClass != ledger.Spot || got[0].GPUs != 1 {
		t.Errorf("%+v", got)
	}
	bare := ledger.NodeFact{
		Cluster: "dc", Name: "box", FirstSeen: t0, LastSeen: t0 + 60, Capacity: map[string]int64{"nvidia_com_gpu": 8},
	}
	m := only(t, Input{
		Facts: []ledger.NodeFact{bare}, Billed: []Billed{{InstanceID: "node/dc/box", PriceClass: ledger.Owned}},
	})
	if m.InstanceID != "" || m.ID != ledger.NodeID("dc", "box", "") || m.Keys[0] != "node/dc/box" ||
		m.PriceClass != ledger.Owned {
		t.Errorf("%+v", m)
	}
	unseen := only(t, Input{Billed: []Billed{{InstanceID: "node/dc/box", InstanceType: "p5.48xlarge"}}})
	if unseen.ID != m.ID || unseen.GPUs != 8 || unseen.Cluster != "dc" {
		t.Errorf("an owned machine keeps its identity before it is observed: %+v", unseen)
	}
}

func TestMachinesWithTwoNamesOnTheBill(t *testing.T) {
	node := ledger.NodeFact{
		Cluster: "neo", Name: "node-1", ProviderID: "neo://node-1", FirstSeen: t0,
		LastSeen: t0 + 60, Capacity: map[string]int64{"nvidia_com_gpu": 8},
	}
	line := ledger.NewID("line", "1")
	both := []Billed{
		{InstanceID: "0b1c", Line: line, InstanceType: "p5.48xlarge", Account: "a"},
		{InstanceID: "node-1", Line: line, InstanceType: "p5.48xlarge", Account: "a"},
	}
	if m := only(t, Input{Facts: []ledger.NodeFact{node}, Billed: both}); m.Name != "node-1" || m.Account != "a" {
		t.Errorf("%+v", m)
	}
	if m := only(t, Input{Billed: both}); m.GPUs != 8 {
		t.Errorf("%+v", m)
	}
	pod := ledger.NodeFact{
		Cluster: "hp", Name: "hyperpod-i-1", ProviderID: "aws:///z/sagemaker/cluster/hyperpod-tq-i-1",
		FirstSeen: t0, LastSeen: t0 + 60, Labels: labels{"node_kubernetes_io_instance_type": "ml.g5.12xlarge"},
	}
	m := only(t, Input{
		Facts:  []ledger.NodeFact{pod},
		Billed: []Billed{{InstanceID: "hyperpod/tq/ml.g5.12xlarge", InstanceType: "ml.g5.12xlarge", Account: "222"}},
	})
	if m.Account != "222" || m.GPUs != 4 {
		t.Errorf("%+v", m)
	}
}

func TestAccountsOfClusters(t *testing.T) {
	node := func(cluster, name, provider string) ledger.NodeFact {
		return ledger.NodeFact{
			Cluster: cluster, Name: name, ProviderID: provider, FirstSeen: t0,
			LastSeen: t0 + 60, Capacity: map[string]int64{"nvidia_com_gpu": 1},
		}
	}
	got := resolve(Input{
		Facts: []ledger.NodeFact{node("a", "a1", "aws:///z/i-1"), node("a", "a2", "aws:///z/i-2"),
			node("a", "g", "gce://p/z/n"), node("a", "k", "k3s://k"),
			node("b", "b1", "aws:///z/i-3"), node("b", "b2", "aws:///z/i-4"),
			node("b", "b3", "aws:///z/i-5"), node("c", "c1", "aws:///z/i-6")},
		Billed: []Billed{
			{InstanceID: "i-1", Account: "111"}, {InstanceID: "i-3", Account: "111"}, {InstanceID: "i-4", Account: "222"},
		},
	})
	accounts := map[string]string{}
	for _, m := range got {
		accounts[m.Name] = m.Account
	}
	if diff := cmp.Diff(map[string]string{"a1": "111", "a2": "111", "g": "p", "k": "", "b1": "111", "b2": "222", "b3": "",
		"c1": ""}, accounts); diff != "" {
		t.Error(diff)
	}
}

func TestWhichBillsMayContainAMachine(t *testing.T) {
	for _, c := range []struct {
		biller, provider, kind string
		want                   bool
	}{
		{"aws", "aws:///z/i-1", "", true}, {"gcp", "aws:///z/i-1", "", false},
		{"exampleneo", "aws:///z/i-1", "", false}, {"unknown", "aws:///z/i-1", "", true},
		{"oracle", "ocid1.instance.a", "", true}, {"aws", "neo://n", "", false}, {"exampleneo", "neo://n", "", true},
		{"aws", "", "p5.48xlarge", true}, {"gcp", "", "p5.48xlarge", false},
		{"aws", "", "box", true}, {"aws", "k3s://n", "", true}, {"owned", "", "", false},
	} {
		if got := MayBill(c.biller, c.provider, c.kind); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
