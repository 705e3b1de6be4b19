package bills

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"time"

	"gpuledger/internal/fleetsim/world"
)

const (
	payerName   = "acme-research"
	planARN     = "arn:aws:savingsplans::" + world.Payer + ":savingsplan/6a1f0d3e-52c7-4b0e-9d55-0c6b8f3f7e21"
	clusterPath = "arn:aws:eks:us-east-1:" + world.Payer + ":cluster/"
)

// billLine is one row of the bill with the data that the true ledger needs. Doubles are the values in the file; the
// truth reads them back as the shortest decimal.
type billLine struct {
	file string // base name
	line int64

	period       string // "2026-11"
	from, to     int64
	kind         string // line_item_line_item_type
	product      string
	usageType    string
	operation    string
	zone         string
	resource     string
	description  string
	instanceType string
	usage        *float64
	rate, list   string // per unit
	cost         float64
	listCost     *float64
	term, unit   string
	plan         bool
	planRate     string
	effective    *float64 // savings_plan_savings_plan_effective_cost
	committed    *float64
	used         *float64
	tags         map[string]string
	attributes   map[string]string
	family       string
	taxType      string
	reservation  string // ARN
	ri           riCells
	block        bool // a capacity block's fee
	unused       bool // hours of a capacity reservation in which no machine ran
	splitOf      *splitCells

	node *world.Node // fleet node named by the resource
}

// awsLines writes AWS's charges until billTo, hour by hour.
func awsLines(w *world.World) []*billLine {
	r := world.NewRNG(w.Config.Seed, 20)
	var lines []*billLine
	add := func(l *billLine) { lines = append(lines, l) }
	reserved := map[string]*big.Rat{}
	spot := map[*world.InstanceType]int64{}
	for _, t := range world.InstanceTypes {
		spot[t] = t.SpotMilli
	}
	for h := w.From; h < w.BillTo; h += 3600 {
		var covered, plannedNodes float64
		for _, t := range world.InstanceTypes {
			if r.Chance(20) {
				spot[t] = max(t.SpotMilli*8/10, min(t.SpotMilli*13/10, spot[t]+r.Between(-t.SpotMilli/40, t.SpotMilli/40)))
			}
		}
		coveredRat, negated := new(big.Rat), new(big.Rat)
		for _, n := range w.Nodes {
			sec := billedSeconds(n, h)
			if sec == 0 {
				continue
			}
			switch {
			case n.Planned:
				plannedNodes++
				share := big.NewRat(sec, 3600)
				if n.HalfHour == h {
					share.Mul(share, big.NewRat(1, 2))
					add(instanceLine(w, n, h, share, "Usage", n.Type.OnDemand))
				}
				l := coveredLine(w, n, h, share)
				coveredRat.Add(coveredRat, world.OfDouble(*l.effective))
				negated.Add(negated, world.OfDouble(l.cost))
				add(l)
			case n.Block:
				add(instanceLine(w, n, h, big.NewRat(sec, 3600), "Usage", "0.0000000000"))
			case n.Reserved != "":
				for _, ri := range world.Reservations {
					if ri.ARN != n.Reserved {
						continue
					}
					l := reservedLine(w, n, h, big.NewRat(sec, 3600), ri)
					if reserved[ri.ARN] == nil {
						reserved[ri.ARN] = new(big.Rat)
					}
					if l.period == monthOf(w.From) { // its fee row has the unused part
						reserved[ri.ARN].Add(reserved[ri.ARN], world.OfDouble(*l.usage))
					}
					add(l)
				}
			case n.Spot:
				rate := fmt.Sprintf("%d.%03d0000000", spot[n.Type]/1000, spot[n.Type]%1000)
				add(instanceLine(w, n, h, big.NewRat(sec, 3600), "Spot", rate))
			default:
				add(instanceLine(w, n, h, big.NewRat(sec, 3600), "Usage", n.Type.OnDemand))
			}
			if n.Joined && n.Type.GPUs == 8 && r.Chance(40) {
				add(transferLine(w, n, h, r.Between(3, 900)))
			}
		}
		covered, _ = coveredRat.Float64()
		if covered > 0 {
			planLines(w, add, h, coveredRat, negated, int64(plannedNodes))
		}
		aroundLines(w, add, h, r)
	}
	creditLines(w, add)
	if w.Config.Commitments {
		reservationLines(w, add, reserved)
		blockLines(w, add)
		managedLines(w, add)
		unusedLines(w, add)
		wideLines(w, add)
		splitLines(w, add)
	}
	lines = taxLines(w, lines)
	numberLines(w, lines)
	return lines
}

// billedSeconds is how long the instance is billed in the hour.
func billedSeconds(n *world.Node, h int64) int64 {
	end := h + 3600
	if n.End != 0 {
		end = min(end, n.End)
	}
	return max(0, end-max(h, n.Launch))
}

func monthOf(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01") }

func instanceTags(w *world.World, n *world.Node) map[string]string {
	t := map[string]string{"user_env": n.Environment(), "aws_eks_cluster_name": w.Config.Cluster, "user_nodepool": n.Pool}
	if n.BillTeam != "" {
		t["user_team"] = n.BillTeam
	}
	if !n.Joined {
		delete(t, "aws_eks_cluster_name")
	}
	return t
}

// instanceLine bills share of an hour of the node at rate; kind is Usage for
// on-demand and Spot.
func instanceLine(w *world.World, n *world.Node, h int64, share *big.Rat, kind, rate string) *billLine {
	usage := world.AsDouble(share)
	cost := world.AsDouble(new(big.Rat).Mul(world.OfDouble(usage), world.Decimal(rate)))
	list := world.AsDouble(new(big.Rat).Mul(world.OfDouble(usage), world.Decimal(n.Type.OnDemand)))
	l := &billLine{
		period: monthOf(h), from: h, to: h + 3600, kind: "Usage", product: "AmazonEC2",
		usageType: "BoxUsage:" + n.Type.Name, operation: "RunInstances",
		zone: n.Zone, resource: n.InstanceID, instanceType: n.Type.Name,
		usage: &usage, rate: rate, list: n.Type.OnDemand, cost: cost, listCost: &list,
		term: "OnDemand", unit: "Hrs", family: "Compute Instance", node: n, tags: instanceTags(w, n),
		description: "$" + rate + " per On Demand Linux " + n.Type.Name + " Instance Hour",
	}
	if kind == "Spot" {
		l.usageType, l.term, l.operation = "SpotUsage:"+n.Type.Name, "Spot", "RunInstances:SV001"
		l.description = "$" + rate + " per Linux/UNIX " + n.Type.Name +
			" Spot Instance-hour in US East (N. Virginia) in VPC Zone #1"
	}
	l.attributes = map[string]string{"product_name": "Amazon Elastic Compute Cloud", "gpu": strconv.Itoa(n.Type.GPUs),
		"vcpu":                 strconv.Itoa(n.Type.VCPU),
		"memory":               strconv.Itoa(n.Type.MemGiB) + " GiB",
		"instance_type_family": n.Type.Name[:2], "physical_processor": n.Type.Physical,
		"operating_system": "Linux", "tenancy": "Shared", "region": world.Region, "capacitystatus": "Used"}
	return l
}

func coveredLine(w *world.World, n *world.Node, h int64, share *big.Rat) *billLine {
	l := instanceLine(w, n, h, share, "Usage", n.Type.OnDemand)
	l.kind, l.plan, l.planRate, l.term = "SavingsPlanCoveredUsage", true, n.Type.Plan, ""
	eff := world.AsDouble(new(big.Rat).Mul(world.OfDouble(*l.usage), world.Decimal(n.Type.Plan)))
	l.effective = &eff
	l.description = "$" + n.Type.OnDemand + " per On Demand Linux " + n.Type.Name +
		" Instance Hour covered by Compute Savings Plans"
	return l
}

// planLines are the negation and the recurring fee of the hour. The commitment
// is a little more than the nodes draw, so part of it stays unused.
func planLines(w *world.World, add func(*billLine), h int64, covered, negated *big.Rat, nodes int64) {
	typ := world.TypeOf("p5.48xlarge")
	zero := 0.0
	add(&billLine{period: monthOf(h), from: h, to: h + 3600, kind: "SavingsPlanNegation", product: "AmazonEC2",
		usageType: "BoxUsage:" + typ.Name,
		operation: "RunInstances", instanceType: typ.Name, cost: -world.AsDouble(negated),
		listCost: &zero, plan: true, planRate: typ.Plan, family: "Compute Instance",
		description: "SavingsPlanNegation used by AccountId : " + world.Payer + " and UsageSku : QW2ZXC7RTY",
		attributes:  map[string]string{"product_name": "Amazon Elastic Compute Cloud"}})
	commit := new(big.Rat).Mul(world.Decimal(typ.Plan), big.NewRat(plannedNodes(w, h)*106, 100))
	used, total := world.AsDouble(covered), world.AsDouble(commit)
	add(&billLine{period: monthOf(h), from: h, to: h + 3600, kind: "SavingsPlanRecurringFee",
		product: "ComputeSavingsPlans", usageType: "ComputeSP:1yrNoUpfront",
		usage: new(1.0), unit: "Hrs", cost: total, rate: strconv.FormatFloat(total, 'f', -1, 64),
		listCost: &zero, plan: true, committed: &total, used: &used,
		resource: planARN, description: "1 year No Upfront Compute Savings Plan",
		attributes: map[string]string{"product_name": "Savings Plans for AWS Compute usage"}})
}

// plannedNodes are the nodes that the plan was bought for by the end of an hour.
func plannedNodes(w *world.World, h int64) int64 {
	var n int64
	for _, x := range w.Nodes {
		if x.Planned && x.Launch < h+3600 {
			n++
		}
	}
	return n
}

// simple is a plain metered line of amount units at rate.
func simple(h, to int64, product, usageType, operation, resource, amount, rate, unit string) *billLine {
	usage := world.AsDouble(world.Decimal(amount))
	cost := world.AsDouble(new(big.Rat).Mul(world.OfDouble(usage), world.Decimal(rate)))
	return &billLine{period: monthOf(h), from: h, to: to, kind: "Usage", product: product, usageType: usageType,
		operation: operation, resource: resource,
		usage: &usage, rate: rate, list: rate, cost: cost, listCost: new(cost), unit: unit, term: "OnDemand",
		description: "$" + rate + " per " + unit + " " + usageType,
		attributes:  map[string]string{"product_name": product, "region": world.Region}}
}

func transferLine(w *world.World, n *world.Node, h, gb int64) *billLine {
	l := simple(h, h+3600, "AmazonEC2", "DataTransfer-Regional-Bytes", "InterZone-Out", n.InstanceID,
		fmt.Sprintf("%d.%07d", gb, gb*7919%10_000_000), "0.0100000000", "GB")
	l.node, l.tags, l.family = n, instanceTags(w, n), "Data Transfer"
	return l
}

// aroundLines is the rest of the company's bill: CPU machines, storage, the control plane.
func aroundLines(w *world.World, add func(*billLine), h int64, r *world.RNG) {
	l := simple(h, h+3600, "AmazonEKS", "USE1-AmazonEKS-Hours:perCluster", "CreateOperation", clusterPath+w.Config.Cluster,
		"1", "0.1000000000", "Hours")
	l.tags = map[string]string{"user_team": world.Platform.Name, "aws_eks_cluster_name": w.Config.Cluster}
	add(l)
	for i := range 3 {
		m := simple(h, h+3600, "AmazonEC2", "BoxUsage:m5.4xlarge", "RunInstances", fmt.Sprintf("i-0c5d%013x", 4096+i*17), "1",
			"0.7680000000", "Hrs")
		m.instanceType, m.family, m.zone = "m5.4xlarge", "Compute Instance", "us-east-1b"
		m.tags = map[string]string{"user_team": "data-platform"}
		add(m)
	}
	if (h-w.From)%86400 == 0 && h+86400 <= w.BillTo {
		s := simple(h, h+86400, "AmazonS3", "TimedStorage-ByteHrs", "StandardStorage", "acme-training-data",
			fmt.Sprintf("%d.%04d", r.Between(30_000, 90_000), r.Between(0, 9999)), "0.0007580000", "GB-Mo")
		s.tags = map[string]string{"user_team": world.Foundation.Name}
		add(s)
	}
	if (h-w.From)%(6*3600) == 0 {
		v := simple(h, h+3600, "AmazonEC2", "EBS:VolumeUsage.gp3", "CreateVolume-Gp3", "vol-0a41f3be29c7d1e05",
			fmt.Sprintf("%d.%010d", 0, r.Between(1e8, 9e9)), "0.0800000000", "GB-Mo")
		v.tags = map[string]string{"user_team": world.Platform.Name}
		add(v)
	}
}

// creditLines gives one machine a goodwill credit for a whole day: a line
// longer than an hour that follows a GPU node. With an enterprise discount,
// every on-demand line of a GPU node gets its own.
func creditLines(w *world.World, add func(*billLine)) {
	for _, n := range w.Nodes {
		if n.Type.Name == "p4d.24xlarge" && n.Joined && w.Fine+86400 <= w.BillTo {
			add(&billLine{period: monthOf(w.Fine), from: w.Fine, to: w.Fine + 86400, kind: "Credit", product: "AmazonEC2",
				usageType: "BoxUsage:" + n.Type.Name,
				operation: "RunInstances", zone: n.Zone, resource: n.InstanceID,
				instanceType: n.Type.Name, cost: -37.4129, listCost: new(0.0), node: n,
				description: "Service credit for degraded network", tags: instanceTags(w, n),
				attributes: map[string]string{"product_name": "Amazon Elastic Compute Cloud"}})
			return
		}
	}
}

// taxLines adds the discounts of the agreement and, per month and product, the tax.
func taxLines(w *world.World, lines []*billLine) []*billLine {
	if w.Config.EDPPercent > 0 {
		for _, l := range slices.Clip(lines) {
			if l.node == nil || l.kind != "Usage" || l.term != "OnDemand" || l.unit != "Hrs" || l.cost == 0 {
				continue
			}
			d := *l
			d.kind, d.usage, d.listCost, d.rate, d.list = "EdpDiscount", nil, new(0.0), "", ""
			d.cost = -world.AsDouble(new(big.Rat).Mul(world.OfDouble(l.cost), big.NewRat(int64(w.Config.EDPPercent), 100)))
			d.description = "Enterprise Discount Program"
			lines = append(lines, &d)
		}
	}
	type taxed struct{ month, product string }
	total := map[taxed]*big.Rat{}
	var order []taxed
	for _, l := range lines {
		k := taxed{l.period, l.product}
		if total[k] == nil {
			total[k] = new(big.Rat)
			order = append(order, k)
		}
		total[k].Add(total[k], world.OfDouble(l.cost))
	}
	slices.SortFunc(order, func(a, b taxed) int {
		return cmp.Or(cmp.Compare(a.month, b.month), cmp.Compare(a.product, b.product))
	})
	for _, k := range order {
		first, err := time.Parse("2006-01", k.month)
		if err != nil || total[k].Sign() <= 0 {
			continue
		}
		lines = append(lines, &billLine{period: k.month, from: first.Unix(), to: first.AddDate(0, 1, 0).Unix(), kind: "Tax",
			product: k.product, taxType: "USSalesTax",
			cost: world.AsDouble(new(big.Rat).Mul(total[k], big.NewRat(21, 1000))), listCost: nil,
			description: "Tax for product code " + k.product, attributes: map[string]string{}})
	}
	return lines
}

// numberLines gives every line its place: file by period and chunk, row from 1. In
// CSV the header is line 1.
func numberLines(w *world.World, lines []*billLine) {
	count := map[string]int64{}
	suffix, first := ".snappy.parquet", int64(1)
	if w.Config.CSV {
		suffix, first = ".csv.gz", 2
	}
	for _, l := range lines {
		i := count[l.period]
		count[l.period]++
		chunk := int64(w.Config.ChunkRows)
		l.file = fmt.Sprintf("%s-%05d%s", exportName, i/chunk+1, suffix)
		l.line = i%chunk + first
	}
}
