package pages

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"

	allfleet "gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/fleet"
)

// fleetPage adds to a page of machines what they are, the last hour of their
// devices, and the runs of their holders.
func (s *Pages) fleetPage(ctx context.Context, snap *fleet.Snapshot) error {
	if err := s.fleetNames(ctx, snap); err != nil {
		return err
	}
	names := make([]string, len(snap.Nodes))
	for i := range snap.Nodes {
		names[i] = snap.Nodes[i].Name
	}
	var rows []fleet.Row
	err := s.QueryRead(ctx, "fleet.samples", func(r pgx.Rows) error {
		row, err := scanFleetRow(r, nil)
		rows = append(rows, row)
		return err
	}, pg.Tenant, names, (snap.AsOf - period.Hour).Floor(period.Hour), snap.AsOf)
	if err != nil {
		return err
	}
	snap.Fill(rows)
	return nil
}

// fleetNames adds to machines what they are and the runs of their holders.
func (s *Pages) fleetNames(ctx context.Context, snap *fleet.Snapshot) error {
	var clusters, names []string
	at := map[fleet.Listed]*fleet.Node{}
	for i := range snap.Nodes {
		n := &snap.Nodes[i]
		clusters, names = append(clusters, n.Cluster), append(names, n.Name)
		at[fleet.Listed{Cluster: n.Cluster, Node: n.Name}] = n
	}
	err := s.QueryRead(ctx, "fleet.nodes", func(rows pgx.Rows) error {
		var key fleet.Listed
		var kind, region, zone, class string
		err := rows.Scan(&key.Cluster, &key.Node, &kind, &region, &zone, &class)
		if n := at[key]; n != nil {
			n.InstanceType, n.Region, n.Zone, n.PriceClass = kind, region, zone, ledger.PriceClass(class)
		}
		return err
	}, pg.Tenant, clusters, names)
	if err != nil {
		return err
	}
	if err := s.fleetLabels(ctx, at, clusters, names); err != nil {
		return err
	}
	return s.fleetRuns(ctx, snap, clusters, names)
}

// fleetLabels resolves machines that allocation has not seen yet by what
// sources say of them, with the rules of allocation.
func (s *Pages) fleetLabels(ctx context.Context, at map[fleet.Listed]*fleet.Node, clusters, names []string) error {
	var in allfleet.Input
	err := s.QueryRead(ctx, "fleet.facts", func(rows pgx.Rows) error {
		var f ledger.NodeFact
		err := rows.Scan(&f.Cluster, &f.Name, &f.ProviderID, &f.Labels)
		in.Facts = append(in.Facts, f)
		return err
	}, pg.Tenant, clusters, names)
	if err != nil {
		return err
	}
	for _, m := range allfleet.Resolve(in, policy.Default()) {
		if n := at[fleet.Listed{Cluster: m.Cluster, Node: m.Name}]; n != nil {
			n.InstanceType, n.PriceClass = cmp.Or(n.InstanceType, m.InstanceType), cmp.Or(n.PriceClass, m.PriceClass)
			n.Region, n.Zone = cmp.Or(n.Region, m.Region), cmp.Or(n.Zone, m.Zone)
		}
	}
	return nil
}

// fleetRuns names the runs of the holders on a page, as far as allocation
// knows them.
func (s *Pages) fleetRuns(ctx context.Context, snap *fleet.Snapshot, clusters, names []string) error {
	type key struct{ cluster, namespace, name string }
	holders := map[key][]*fleet.Holder{}
	var pods []string
	collect := func(cluster string, list []fleet.Holder) {
		for i := range list {
			k := key{cluster, list[i].Namespace, list[i].Name}
			if len(holders[k]) == 0 {
				pods = append(pods, k.name)
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
	return s.QueryRead(ctx, "fleet.runs", func(rows pgx.Rows) error {
		var k key
		var id, name string
		err := rows.Scan(&k.cluster, &k.namespace, &k.name, &id, &name)
		for _, h := range holders[k] {
			h.RunID, h.RunName = id, name
		}
		return err
	}, pg.Tenant, clusters, names, pods)
}
