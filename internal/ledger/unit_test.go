package ledger

import (
	"fmt"
	"testing"

	"gpuledger/internal/money"
)

func TestUnits(t *testing.T) {
	for unit, want := range map[string]struct {
		of      Counted
		seconds int64
	}{
		"Hrs": {CountsMachine, 3600}, "hours": {CountsMachine, 3600}, "h": {CountsMachine, 3600},
		"1 Hour": {CountsMachine, 3600}, "100 Hours": {CountsMachine, 3600},
		"Instance-Hours": {CountsMachine, 3600}, "node hours": {CountsMachine, 3600},
		"Minutes": {CountsMachine, 60}, "seconds": {CountsMachine, 1}, "Days": {CountsMachine, 86400},
		"1/Month": {CountsMachine, 730 * 3600}, "GPU PER HOUR": {CountsGPU, 3600},
		"GPU-Hours": {CountsGPU, 3600}, "gpu-seconds": {CountsGPU, 1}, "H100 GPU hours": {CountsGPU, 3600},
		"H100 Hours": {CountsGPU, 3600}, "A10G-hour": {CountsGPU, 3600}, "L4 seconds": {CountsGPU, 1},
		"MI300X Hours": {CountsGPU, 3600}, "8xH100 Hours": {CountsMachine, 3600}, "8x H100 hours": {CountsMachine, 3600},
		"OCPU Per Hour": {CountsPart, 3600}, "vCPU-Hours": {CountsPart, 3600}, "Core Hours": {CountsPart, 3600},
		"GB-Hours": {}, "GiB Month": {}, "GB": {}, "Requests": {}, "": {}, "LCU-Hrs": {}, "IOPS-Mo": {}, "Units": {},
	} {
		if of, seconds := ReadUnit(unit); of != want.of || seconds != want.seconds {
			t.Errorf("%q: %d of %d seconds, want %v", unit, of, seconds, want)
		}
	}
}

func TestMachineSeconds(t *testing.T) {
	for _, c := range []struct {
		quantity, unit string
		gpus           int64
		want           int64 // -1: unknown; a reversal is negative
	}{
		{"1", "Hours", 0, 3600}, {"0.25", "Hrs", 8, 900}, {"8", "GPU Hours", 8, 3600},
		{"2", "GPU PER HOUR", 4, 1800}, {"8", "GPU Hours", 0, -1}, {"128", "vCPU-Hours", 8, -1},
		{"30", "Minutes", 0, 1800}, {"1", "GB", 8, -1}, {"-1", "Hours", 8, -3600},
		{"-8", "GPU Hours", 8, -3600}, {"1", "Months", 1, 730 * 3600},
	} {
		q := money.MustParse(c.quantity)
		got, ok := MachineSeconds(&q, c.unit, c.gpus)
		if !ok || (got == nil) != (c.want == -1) || got != nil && *got != c.want {
			t.Errorf("%s %s of %d GPUs: %v, %v", c.quantity, c.unit, c.gpus, got, ok)
		}
	}
	much := money.MustParse("1000000000")
	if _, ok := MachineSeconds(&much, "Months", 1); ok {
		t.Error("a thousand million months fit")
	}
	if s, ok := MachineSeconds(nil, "Hours", 1); s != nil || !ok {
		t.Errorf("%v, %v of no quantity", s, ok)
	}
}

func TestHyperPodKeys(t *testing.T) {
	const arn = "arn:aws:sagemaker:us-east-1:222222222222:cluster/tq12"
	for _, c := range [][2]string{
		{HyperPodKey(arn, HyperPodType("USE1-Cluster:ml.g5.12xlarge")), "hyperpod/tq12/ml.g5.12xlarge"},
		{
			HyperPodNodeKey("aws:///use1-az4/sagemaker/cluster/hyperpod-tq12-i-0f1", "ml.g5.12xlarge"),
			"hyperpod/tq12/ml.g5.12xlarge",
		},
		{HyperPodKey(arn, HyperPodType("USE1-ReservedCluster:ml.g5.12xlarge")), "hyperpod/tq12/ml.g5.12xlarge"},
		{HyperPodKey(arn, "ml.g5.12xlarge-Cluster"), "hyperpod/tq12/ml.g5.12xlarge"},
		{HyperPodKey("arn:aws:eks:us-east-1:2:cluster/tq12", "ml.g5.12xlarge"), ""},
		{HyperPodKey(arn, HyperPodType("USE1-Cluster:VolumeUsage.gp3")), ""},
		{HyperPodKey(arn, HyperPodType("USE1-Host:ml.g5.12xlarge")), ""},
		{HyperPodNodeKey("aws:///us-east-1a/i-0f1", "g5.12xlarge"), ""},
		{HyperPodNodeKey("aws:///use1-az4/sagemaker/cluster/hyperpod-tq12-i-0f1", ""), ""},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
	if !PoolKey("hyperpod/tq12/ml.g5.12xlarge") || PoolKey("hyperpod-tq12-i-0f1") {
		t.Error("pools are known by their prefix")
	}
}

func TestCards(t *testing.T) {
	for text, want := range map[string]string{
		"8x H100 SXM node hours": "[h100]", "gd-4xl40s-i64": "[l40]",
		"NVIDIA A10G": "[a10]", "GB200 NVL72": "[gb200]", "32 vCPU nodes": "[]", "": "[]",
	} {
		if got := fmt.Sprint(Cards(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
