package costs

import (
	"net/url"
	"testing"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// A commitment names no workload or machine, so it opens the machines of its type.
func TestACommitmentLinksToItsMachines(t *testing.T) {
	row := page.Record{
		At:     map[string]int{"instrument": 0, "subject": 1},
		Values: []metrics.Value{{Valid: true, Text: "reservation"}, {Valid: true, Text: "p5.48xlarge/serving"}},
	}
	u, err := url.Parse(advised(&page.Context{}, row))
	if err != nil || u.Path != "/commitments" || u.Query().Get("filter") != "instance_type = 'p5.48xlarge'" {
		t.Errorf("%s, %v", u, err)
	}
}
