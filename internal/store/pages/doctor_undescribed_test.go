package pages_test

import (
	"strings"
	"testing"

	"gpuledger/test/storetest"
)

// Work on undescribed machines is listed with its machine and the data to import. Work that has a machine, did not
// begin, or requests no GPU, and a job that a bill names, are not listed.
func TestWorkOnUndescribedMachines(t *testing.T) {
	s := storetest.SmallLedger(t)
	none, err := s.Undescribed(t.Context())
	if err != nil || len(none) > 0 {
		t.Fatalf("of a ledger with all its machines: %v, %v", none, err)
	}
	add := func(system, cluster, uid, name, node string, units any, began any) {
		storetest.Run(t, s.Pool, `insert into workload_facts (tenant_id, cluster, uid, namespace, name, node, system,
			  asked_units, scheduled_at)
			values (1, $1, $2, 'ml', $3, $4, $5, $6, $7)`, cluster, uid, name, node, system, units, began)
		storetest.Run(t, s.Pool, `insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind,
			  owner_name, class, outcome)
			values (1, $1, $2, 'ml', $3, $4, 'Job', '', 'run', '')`, storetest.ID("workload", cluster, uid), cluster, name, uid)
	}
	const gpu, at = 7_000_000, "2026-10-06T00:00:00Z"
	add("", "a", "u-10", "train-0", "gpu-a-17", 4*gpu, at)
	add("", "a", "u-11", "train-1", "gpu-a-17", 2*gpu, at)
	add("", "a", "u-12", "share", "gpu-a-18", nil, at)
	add("", "a", "u-13", "web", "gpu-a-18", 0, at)
	add("", "a", "u-14", "waits", "", gpu, nil)
	add("sagemaker", "sagemaker/r", "arn:aws:sagemaker:r:1:training-job/lost#1", "lost", "", 8*gpu, at)
	add("sagemaker", "sagemaker/r", "arn:aws:sagemaker:r:1:training-job/paid#2", "paid", "", 8*gpu, at)
	storetest.Run(t, s.Pool, `insert into charge_resources (tenant_id, delivery, resource, resource_id)
		select 1, number, 9999, 'arn:aws:sagemaker:r:1:Training-Job/Paid' from deliveries
		where state = 'current' and number is not null limit 1`)
	list, err := s.Undescribed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"machine gpu-a-17 of cluster a: ml/train-0, ml/train-1 ask for 6 GPUs",
		"machine gpu-a-18 of cluster a: ml/share asks for parts of GPUs",
		"SageMaker, sagemaker/r: ml/lost asks for 8 GPUs",
	}
	if len(list) != len(want) {
		t.Fatalf("%d: %v", len(list), list)
	}
	for i, w := range want {
		if got := list[i].String(); !strings.HasPrefix(got, w) || !strings.Contains(got, "import") {
			t.Errorf("%q, want %q", got, w)
		}
	}
}
