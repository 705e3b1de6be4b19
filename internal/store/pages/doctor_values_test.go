package pages_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/allocation/owner"
	"gpuledger/test/storetest"
)

func TestValuesOfOwnersThatLookAlike(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into owners (tenant_id, owner_id, team, labels)
		values (1, $1, 'Re_Search', '{"team": "Re_Search"}')`, storetest.ID("owner", "other"))
	storetest.Run(t, s.Pool, `update owners set labels = '{"team": "research", "model": "llama"}' where team = 'research'`)
	got, err := s.LookAlikes(t.Context())
	if diff := cmp.Diff([]owner.LookAlike{{Dimension: "team", Values: []string{"research", "Re_Search"}}},
		got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
