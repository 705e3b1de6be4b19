package ledger

import "testing"

func TestFoldKey(t *testing.T) {
	for key, want := range map[string]string{
		"gpuledger.io/run-id": "gpuledgeriorunid", "label_gpuledger_io_run_id": "gpuledgeriorunid", "user_team": "team",
		"user:Cost-Center": "costcenter", "cost_center": "costcenter", "user": "user", "": "",
		"eks.amazonaws.com/capacityType":        "eksamazonawscomcapacitytype",
		"label_eks_amazonaws_com_capacity_type": "eksamazonawscomcapacitytype",
	} {
		if got := FoldKey(key); got != want {
			t.Errorf("FoldKey(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestLabelPrefersKeysInOrderAndNonEmptyValues(t *testing.T) {
	labels := map[string]string{"team": " ", "owner": "b", "Owner": "a", "x": "y"}
	if got := Label(labels, "team", "owner"); got != "a" {
		t.Errorf("got %q", got)
	}
	if got := Label(labels, "queue"); got != "" {
		t.Errorf("got %q", got)
	}
}
