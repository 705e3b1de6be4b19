package bills

import (
	"fmt"
	"math/big"
	"time"

	"gpuledger/internal/fleetsim/world"
)

const (
	gcpBillingAccount  = "01A4C7-5E92D0-B83F16"
	gcpProjectNumber   = "417205913378"
	gcpCommitment      = "5523140098817264431"
	gcpCPUCommitment   = "8810042251776390127"
	gcpSpendCommitment = "2291907355140018843"
	gcpOtherRegion     = "us-east4"
)

// gcpCredit is one element of the repeated field credits.
type gcpCredit struct {
	name, kind, id, amount string
}

// gcpLine is one row of the detailed export with the data that the true ledger needs.
type gcpLine struct {
	file     string
	line     int64
	exported int64

	month                    string // invoice month "2026-11"
	from, to                 int64
	service, serviceID       string
	sku                      string
	costType                 string
	noProject                bool
	region, zone             string
	resource, global         string
	labels, systemLabels     []world.Label
	amount, unit             string // usage
	pricingAmount, perUnit   string
	price                    string
	cost, listCost, contract string
	credits                  []gcpCredit
	adjustment               string // mode; empty: none
	subscription             string

	rule    Rule
	node    *world.Node
	group   []*world.Node
	seconds int64
	team    string
}

// gcpMonth is the invoice month of usage: months end with the day in Pacific time (fixed at UTC−8 here).
func gcpMonth(t int64) string { return time.Unix(t-8*3600, 0).UTC().Format("2006-01") }

// micros rounds money to the six decimals that the export mostly has.
func micros(r *big.Rat) string { return r.FloatString(6) }

// gcpLines writes Google's charges until billTo, hour by hour.
func gcpLines(w *world.World) []*gcpLine {
	r := world.NewRNG(w.Config.Seed, 21)
	var lines []*gcpLine
	add := func(l *gcpLine) *gcpLine {
		l.exported = l.to + r.Between(2*3600, 9*3600)
		lines = append(lines, l)
		return l
	}
	for h := w.From; h < w.BillTo; h += 3600 {
		for _, n := range w.Nodes {
			if sec := billedSeconds(n, h); sec > 0 {
				gcpMachine(w, add, n, h, sec)
				if n.Planned && r.Chance(30) {
					gcpEgress(w, add, n, h, r.Between(3, 900))
				}
			}
		}
		gcpFees(w, add, h)
		gcpAround(w, add, h, r)
	}
	gcpLate(w, add)
	return gcpTax(w, lines)
}

// gcpMachine bills cores, memory and GPUs of one machine on separate rows; cost allocation splits those of the serving
// pool by namespace.
func gcpMachine(w *world.World, add func(*gcpLine) *gcpLine, n *world.Node, h, sec int64) {
	core, ram, gpu, spot := n.Type.Core, n.Type.RAM, n.Type.GPU, ""
	if n.Spot {
		core, ram, gpu, spot = n.Type.SpotCore, n.Type.SpotRAM, n.Type.SpotGPU, "Spot Preemptible "
	}
	shares := []struct {
		namespace string
		seconds   int64
	}{{"", sec}}
	if n.Pool == "serving" && sec > 600 {
		shares[0].namespace, shares[0].seconds = "search", sec-600
		shares = append(shares, shares[0])
		shares[1].namespace, shares[1].seconds = "kube:unallocated", 600
	}
	for _, s := range shares {
		row := func(sku, rate string, units int64, amount, unit, per, credit string) *gcpLine {
			l := newGCPRow(w, h, spot+sku, n.Zone)
			l.resource, l.global = n.Name,
				"//compute.googleapis.com/projects/"+gcpProjectNumber+"/zones/"+n.Zone+"/instances/"+n.NumericID
			l.amount, l.unit, l.perUnit, l.price = amount, unit, per, rate
			quantity := big.NewRat(units*s.seconds, 3600)
			l.pricingAmount = quantity.FloatString(6)
			l.cost = micros(new(big.Rat).Mul(quantity, world.Decimal(rate)))
			l.listCost, l.contract = l.cost, l.cost
			l.node, l.team = n, n.BillTeam
			l.labels = []world.Label{
				{Key: "goog-k8s-cluster-name", Value: w.Config.Cluster},
				{Key: "goog-k8s-cluster-location", Value: w.Site.Region}, {Key: "goog-k8s-node-pool-name", Value: n.Pool},
			}
			if s.namespace != "" {
				l.labels = append(l.labels, world.Label{Key: "k8s-namespace", Value: s.namespace})
			}
			if n.BillTeam != "" {
				l.labels = append(l.labels, world.Label{Key: "team", Value: n.BillTeam})
			}
			l.systemLabels = []world.Label{{Key: "compute.googleapis.com/cores", Value: fmt.Sprint(n.Type.VCPU)},
				{Key: "compute.googleapis.com/machine_spec", Value: n.Type.Name},
				{Key: "compute.googleapis.com/memory", Value: fmt.Sprint(n.Type.MemGiB * 1024)}}
			if n.NameOnly {
				l.node, l.group = nil, []*world.Node{n}
			}
			gcpCredits(w, l, n, h, credit)
			return add(l)
		}
		l := row(n.Type.SKU+" Instance Core running in Americas", core, int64(n.Type.VCPU),
			fmt.Sprint(int64(n.Type.VCPU)*s.seconds), "seconds", "hour", "CPU")
		l.seconds = s.seconds
		row(n.Type.SKU+" Instance Ram running in Americas", ram, int64(n.Type.MemGiB),
			bigFloat(int64(n.Type.MemGiB)*s.seconds<<30), "byte-seconds", "gibibyte hour", "RAM")
		row(n.Type.GPUSKU+" running in Americas", gpu, int64(n.Type.GPUs), fmt.Sprint(int64(n.Type.GPUs)*s.seconds),
			"seconds", "hour", "GPU")
	}
}

// bigFloat writes a whole number as BigQuery writes a large FLOAT64.
func bigFloat(v int64) string {
	if v < 1e15 {
		return fmt.Sprintf("%d.0", v)
	}
	s := fmt.Sprint(v)
	mantissa := s[:1] + "." + s[1:]
	for mantissa[len(mantissa)-1] == '0' && mantissa[len(mantissa)-2] != '.' {
		mantissa = mantissa[:len(mantissa)-1]
	}
	return fmt.Sprintf("%se+%02d", mantissa, len(s)-1)
}

// gcpCredits puts commitments and discounts on a row.
func gcpCredits(w *world.World, l *gcpLine, n *world.Node, h int64, what string) {
	of := func(percent int64) string {
		return micros(new(big.Rat).Mul(world.Decimal(l.cost), big.NewRat(-percent, 100)))
	}
	switch {
	case n.Planned:
		l.credits = append(l.credits, gcpCredit{
			"Committed Usage Discount: " + what, "COMMITTED_USAGE_DISCOUNT", gcpCommitment, of(100),
		})
	case n.Spot:
		l.credits = append(l.credits, gcpCredit{
			"Negotiated discount for spot capacity", "DISCOUNT", "negotiated-2026-a2", of(5),
		})
	case n.Pool == "bench" && h < w.From+86400:
		l.credits = append(l.credits, gcpCredit{"Sustained Usage Discount", "SUSTAINED_USAGE_DISCOUNT", "", of(20)},
			gcpCredit{"Research grant", "PROMOTION", "promo-7741", of(10)})
	}
}

// newGCPRow is an hour of the project's use of Compute Engine.
func newGCPRow(w *world.World, h int64, sku, zone string) *gcpLine {
	return &gcpLine{
		month: gcpMonth(h), from: h, to: h + 3600, service: "Compute Engine",
		serviceID: "6F81-5844-456A", sku: sku, costType: "regular", region: w.Site.Region, zone: zone,
	}
}

func (l *gcpLine) metered(amount, unit, price string) *gcpLine {
	l.amount, l.pricingAmount, l.unit, l.perUnit, l.price = amount, amount, unit, unit, price
	l.cost = micros(new(big.Rat).Mul(world.Decimal(amount), world.Decimal(price)))
	l.listCost, l.contract = l.cost, l.cost
	return l
}

func gcpEgress(w *world.World, add func(*gcpLine) *gcpLine, n *world.Node, h, gib int64) {
	l := newGCPRow(w, h, "Network Inter Zone Data Transfer Out", "").metered(fmt.Sprintf("%d.%06d", gib,
		gib*7919%1_000_000), "gibibyte", "0.01")
	l.resource, l.global = n.Name,
		"//compute.googleapis.com/projects/"+gcpProjectNumber+"/zones/"+n.Zone+"/instances/"+n.NumericID
	l.rule, l.node = Attached, n
	add(l)
}

// gcpFees are the hour's fees of the commitments. The one for the A3 machines is a little larger than their usage; it
// lists cores, memory and GPUs separately.
func gcpFees(w *world.World, add func(*gcpLine) *gcpLine, h int64) {
	t := world.TypeOf(w.Site.Training)
	units := func(n int, rate string) *big.Rat {
		perHour := new(big.Rat).Mul(big.NewRat(plannedNodes(w, h)*int64(n), 1), world.Decimal(rate))
		return perHour.Mul(perHour, big.NewRat(7*106, 1000))
	}
	row := func(sku, commitment, region string, cost *big.Rat) {
		l := newGCPRow(w, h, "Commitment v1: "+sku+" in Americas for 1 Year", "")
		l.rule, l.subscription, l.region, l.amount, l.unit, l.pricingAmount, l.perUnit = Prepaid, commitment, region, "3600",
			"seconds", "1", "hour"
		l.price, l.cost = micros(cost), micros(cost)
		l.listCost, l.contract = l.cost, l.cost
		add(l)
	}
	if plannedNodes(w, h) > 0 {
		row("A3 Cpu", gcpCommitment, w.Site.Region, units(t.VCPU, t.Core))
		row("A3 Ram", gcpCommitment, w.Site.Region, units(t.MemGiB, t.RAM))
		row("Nvidia H100 80GB GPU", gcpCommitment, w.Site.Region, units(t.GPUs, t.GPU))
	}
	row("N2 Cpu", gcpCPUCommitment, gcpOtherRegion, world.Decimal("0.4132"))

	// A commitment on spend: the fee comes with the used part taken off.
	flexible := newGCPRow(w, h, "Commitment - dollar based v1: Compute Flexible CUD for 1 Year",
		"").metered("1", "hour", "3.15")
	flexible.rule, flexible.subscription = Fee, gcpSpendCommitment
	flexible.credits = []gcpCredit{{"Fee utilization offset", "FEE_UTILIZATION_OFFSET", gcpSpendCommitment, "-2.86125"}}
	add(flexible)
	if (h-w.From)%(8*3600) == 0 { // a reservation without a machine
		empty := newGCPRow(w, h, "A2 Instance Core running in Americas", w.Site.Region+"-a").metered("48", "hour", "0.031611")
		empty.amount, empty.unit, empty.rule = "172800", "seconds", Fee
		empty.systemLabels = []world.Label{
			{Key: "compute.googleapis.com/cores", Value: "48"},
			{Key: "compute.googleapis.com/is_unused_reservation", Value: "true"},
			{Key: "compute.googleapis.com/machine_spec", Value: "a2-highgpu-4g"},
		}
		empty.resource, empty.global = "a2-held",
			"//compute.googleapis.com/projects/"+gcpProjectNumber+"/zones/"+w.Site.Region+"-a/reservations/88123"
		add(empty)
	}
}

// gcpAround is the rest: machines without GPUs under a commitment that their credits do not name, storage, the control
// plane.
func gcpAround(w *world.World, add func(*gcpLine) *gcpLine, h int64, r *world.RNG) {
	for i := range 2 {
		l := newGCPRow(w, h, "N2 Instance Core running in Virginia", gcpOtherRegion+"-a").metered("8", "hour", "0.031611")
		l.amount, l.unit, l.region = "28800", "seconds", gcpOtherRegion
		l.resource = fmt.Sprintf("etl-%d", i)
		l.global = fmt.Sprintf("//compute.googleapis.com/projects/%s/zones/%s-a/instances/31415926535897%05d",
			gcpProjectNumber, gcpOtherRegion, 100+i)
		l.systemLabels = []world.Label{
			{Key: "compute.googleapis.com/cores", Value: "8"},
			{Key: "compute.googleapis.com/machine_spec", Value: "n2-standard-8"},
			{Key: "compute.googleapis.com/memory", Value: "32768"},
		}
		l.labels, l.team, l.rule = []world.Label{{Key: "team", Value: "data-platform"}}, "data-platform", Elsewhere
		if i == 0 {
			l.credits = []gcpCredit{{"Committed Usage Discount: CPU", "COMMITTED_USAGE_DISCOUNT", "", "-" + l.cost}}
		}
		add(l)
	}
	plane := newGCPRow(w, h, "Regional Kubernetes Clusters", "").metered("1", "hour", "0.1")
	plane.service, plane.serviceID, plane.rule = "Kubernetes Engine", "CCD8-9BF1-090E", Attached
	plane.resource, plane.global = w.Config.Cluster,
		"//container.googleapis.com/projects/"+world.GCPProject+"/locations/"+w.Site.Region+"/clusters/"+w.Config.Cluster
	plane.labels, plane.team = []world.Label{
		{Key: "goog-k8s-cluster-name", Value: w.Config.Cluster}, {Key: "team", Value: world.Platform.Name},
	}, world.Platform.Name
	add(plane)
	if (h-w.From)%(6*3600) == 0 {
		s := newGCPRow(w, h, "Standard Storage US Multi-region", "").metered(fmt.Sprintf("%d.%06d", r.Between(10, 900),
			r.Between(0, 999_999)), "gibibyte month", "0.026")
		s.service, s.serviceID, s.rule, s.to = "Cloud Storage", "95FF-2EF5-5EA1", Elsewhere, h+6*3600
		s.resource, s.labels, s.team = "acme-shelf-images", []world.Label{{Key: "team", Value: world.Vision.Name}},
			world.Vision.Name
		add(s)
		tiny := newGCPRow(w, h, "Class B Request", "").metered("0.0017", "count", "0.0004")
		tiny.service, tiny.serviceID, tiny.rule, tiny.cost = "Cloud Storage", "95FF-2EF5-5EA1", Elsewhere, "6.8e-07"
		tiny.listCost, tiny.contract = tiny.cost, tiny.cost
		add(tiny)
	}
}

// gcpLate appends rows that come days later: a forgotten hour of a disk, and a correction of an hour that was charged
// too much.
func gcpLate(w *world.World, add func(*gcpLine) *gcpLine) {
	for _, n := range w.Nodes {
		h := w.From + 5*3600
		if n.NameOnly || n.Spot || !n.Joined || billedSeconds(n, h) < 3600 {
			continue
		}
		l := newGCPRow(w, h, n.Type.SKU+" Instance Core running in Americas", n.Zone)
		l.resource, l.global = n.Name,
			"//compute.googleapis.com/projects/"+gcpProjectNumber+"/zones/"+n.Zone+"/instances/"+n.NumericID
		l.amount, l.unit, l.pricingAmount, l.perUnit, l.price = "0", "seconds", "0", "hour", n.Type.Core
		l.cost, l.listCost, l.contract, l.adjustment, l.node = "-1.204417", "-1.204417", "-1.204417", "PARTIAL_CORRECTION", n
		l.systemLabels = []world.Label{
			{Key: "compute.googleapis.com/cores", Value: fmt.Sprint(n.Type.VCPU)},
			{Key: "compute.googleapis.com/machine_spec", Value: n.Type.Name},
		}
		l.month = gcpMonth(w.BillTo - 3600) // in the open month, whichever month it was used in
		add(l).exported = w.BillTo + 3600
		break
	}
	disk := newGCPRow(w, w.From+2*3600, "SSD backed PD Capacity",
		w.Site.Region+"-a").metered("4.266667", "gibibyte month", "0.17")
	disk.resource, disk.global = "pvc-0b1e",
		"//compute.googleapis.com/projects/"+gcpProjectNumber+"/zones/"+w.Site.Region+"-a/disk/6600417335"
	disk.rule = Elsewhere
	add(disk).exported = w.BillTo + 3600
}

// gcpTax adds the tax of each invoice month.
func gcpTax(w *world.World, lines []*gcpLine) []*gcpLine {
	total := map[string]*big.Rat{}
	var months []string
	for _, l := range lines {
		if total[l.month] == nil {
			total[l.month] = new(big.Rat)
			months = append(months, l.month)
		}
		total[l.month].Add(total[l.month], l.billed())
	}
	for _, m := range months {
		first, err := time.Parse("2006-01", m)
		if err != nil {
			continue
		}
		lines = append(lines, &gcpLine{month: m, from: first.Unix(), to: first.AddDate(0, 1, 0).Unix(), exported: w.BillTo +
			2*3600, service: "Invoice", serviceID: "A1E1-9D8E-5F0C", sku: "Tax - United States",
			costType: "tax", noProject: true, cost: micros(new(big.Rat).Mul(total[m], big.NewRat(8, 100))), rule: Invoice})
	}
	return lines
}

// billed is cost and credits.
func (l *gcpLine) billed() *big.Rat {
	sum := world.Decimal(l.cost)
	for _, c := range l.credits {
		sum.Add(sum, world.Decimal(c.amount))
	}
	return sum
}
