package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim/world"
)

// OwnerCoverage is rule 23.1 for one owner key and currency.
type OwnerCoverage struct {
	Effective, Owned *big.Rat
	Quality          map[string]*big.Rat
	Steps            int64
}

// ownerKeys are the keys that something in the fleet names, by the labels of a pod.
var ownerKeys = map[string]string{
	"team": "", "project": "label_project", "model": "label_model",
	"stage": "label_stage", "experiment": "label_experiment",
	"environment": "label_environment", "cost_center": "label_cost_center", "queue": "label_kueue_x_k8s_io_queue_name",
	"business_unit": "label_business_unit", "model_version": "label_model_version",
	"dataset": "label_dataset", "user": "label_user", "priority": "label_priority",
}

func (l *livesTruth) coverage() {
	nodes, centers := map[string]*world.Node{}, map[string]string{}
	for _, n := range l.World.Nodes {
		nodes[n.InstanceID] = n
	}
	for _, o := range l.Objects {
		if o.Kind == "Namespace" {
			centers[o.Name] = world.FirstLabel(o.Labels, "label_cost_center")
		}
	}
	for i := range l.out.Postings {
		p := &l.out.Postings[i]
		if p.Effective == nil {
			continue
		}
		for key, name := range ownerKeys {
			k := [2]string{key, l.currencyOf(p)}
			c := l.all.Coverage[k]
			if c == nil {
				c = &OwnerCoverage{
					Effective: new(big.Rat), Owned: new(big.Rat),
					Quality: map[string]*big.Rat{"measured": new(big.Rat), "estimated": new(big.Rat), "assumed": new(big.Rat)},
				}
				l.all.Coverage[k] = c
			}
			c.Steps++
			c.Effective.Add(c.Effective, p.Effective)
			c.Quality[p.Quality].Add(c.Quality[p.Quality], p.Effective)
			h := l.byUID[p.PodUID]
			var has bool
			switch {
			case key == "team":
				has = p.Team != "unowned"
			case h != nil && world.FirstLabel(h.p.Labels, name) != "":
				has = true
			case key == "cost_center": // a label of the namespace
				has = h != nil && centers[h.p.NS] != ""
			case key == "environment": // a tag of billed machines
				n := nodes[p.Instance]
				has = n != nil && l.Billed(n)
			}
			if has {
				c.Owned.Add(c.Owned, p.Effective)
			}
		}
	}
}
