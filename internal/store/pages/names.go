package pages

import (
	"cmp"
	"context"

	allfleet "gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/fleet"
)

// fleetPage adds to a page of machines their attributes, the last hour of their devices, and the runs of their
// holders.
func (s *Pages) fleetPage(ctx context.Context, snap *fleet.Snapshot) error {
	if err := s.fleetNames(ctx, snap); err != nil {
		return err
	}
	names := make([]string, len(snap.Nodes))
	for i := range snap.Nodes {
		names[i] = snap.Nodes[i].Name
	}
	var rows []fleet.Row
	err := pg.Each(ctx, s.ReadOnly(), "fleet.samples", fleetRows(&rows, nil),
		pg.Tenant, names, (snap.AsOf - period.Hour).Floor(period.Hour), snap.AsOf)
	if err != nil {
		return err
	}
	snap.Fill(rows)
	return nil
}

// fleetNames adds to machines their attributes and the runs of their holders.
func (s *Pages) fleetNames(ctx context.Context, snap *fleet.Snapshot) error {
	var clusters, names []string
	at := map[fleet.Listed]*fleet.Node{}
	for i := range snap.Nodes {
		n := &snap.Nodes[i]
		clusters, names = append(clusters, n.Cluster), append(names, n.Name)
		at[fleet.Listed{Cluster: n.Cluster, Node: n.Name}] = n
	}
	list, err := pg.List[struct {
		fleet.Listed
		InstanceType, Region, Zone string
		PriceClass                 ledger.PriceClass
	}](ctx, s.ReadOnly(), "fleet.nodes", pg.Tenant, clusters, names)
	for _, m := range list {
		if n := at[m.Listed]; n != nil {
			n.InstanceType, n.Region, n.Zone, n.PriceClass = m.InstanceType, m.Region, m.Zone, m.PriceClass
		}
	}
	if err != nil {
		return err
	}
	if err := s.fleetLabels(ctx, at, clusters, names); err != nil {
		return err
	}
	return s.fleetRuns(ctx, snap, clusters, names)
}

// fleetLabels resolves machines that allocation has not seen yet from the facts of sources, with the rules of
// allocation.
func (s *Pages) fleetLabels(ctx context.Context, at map[fleet.Listed]*fleet.Node, clusters, names []string) error {
	list, err := pg.List[struct {
		Cluster, Name, ProviderID string
		Labels                    map[string]string
	}](ctx, s.ReadOnly(), "fleet.facts", pg.Tenant, clusters, names)
	if err != nil {
		return err
	}
	var in allfleet.Input
	for _, f := range list {
		in.Facts = append(in.Facts, ledger.NodeFact{
			Cluster: f.Cluster, Name: f.Name, ProviderID: f.ProviderID, Labels: f.Labels,
		})
	}
	for _, m := range allfleet.Resolve(in, policy.Default()) {
		if n := at[fleet.Listed{Cluster: m.Cluster, Node: m.Name}]; n != nil {
			n.InstanceType, n.PriceClass = cmp.Or(n.InstanceType, m.InstanceType), cmp.Or(n.PriceClass, m.PriceClass)
			n.Region, n.Zone = cmp.Or(n.Region, m.Region), cmp.Or(n.Zone, m.Zone)
		}
	}
	return nil
}

// fleetRuns names the runs of the holders on a page, if allocation knows them.
func (s *Pages) fleetRuns(ctx context.Context, snap *fleet.Snapshot, clusters, names []string) error {
	type key struct{ Cluster, Namespace, Name string }
	holders := map[key][]*fleet.Holder{}
	var pods []string
	collect := func(cluster string, list []fleet.Holder) {
		for i := range list {
			k := key{cluster, list[i].Namespace, list[i].Name}
			if len(holders[k]) == 0 {
				pods = append(pods, k.Name)
			}
			holders[k] = append(holders[k], &list[i])
		}
	}
	for i := range snap.Nodes {
		n := &snap.Nodes[i]
		for j := range n.Devices {
			collect(n.Cluster, n.Devices[j].Holders)
			for k := range n.Devices[j].Slices {
				collect(n.Cluster, n.Devices[j].Slices[k].Holders)
			}
		}
	}
	if len(pods) == 0 {
		return nil
	}
	type run struct {
		Cluster, Namespace, Name string
		RunID, RunName           string
	}
	return pg.Each(ctx, s.ReadOnly(), "fleet.runs", func(r run) error {
		for _, h := range holders[key{r.Cluster, r.Namespace, r.Name}] {
			h.RunID, h.RunName = r.RunID, r.RunName
		}
		return nil
	}, pg.Tenant, clusters, names, pods)
}
