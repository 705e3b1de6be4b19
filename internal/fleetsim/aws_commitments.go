package fleetsim

import (
	"fmt"
	"math/big"
	"time"
)

// reservedAs is one reservation: how it is paid and what an hour of it costs.
type reservedAs struct {
	payment, typ, arn string
	count             int64
	upfront, hourly   string // amortised upfront and recurring part of an hour
	bought            string // paid once, at the start of the data
}

var reservations = []reservedAs{
	{"All Upfront", "g5.xlarge", "arn:aws:ec2:us-east-1:" + payer + ":reserved-instances/3c0d6f3e-2b8a-4f0e-8f0b-5b1f6a0c9d21", 2, "0.592", "", "10371.84"},
	{"Partial Upfront", "g6.xlarge", "arn:aws:ec2:us-east-1:" + payer + ":reserved-instances/9a7be1c4-61f2-4a77-a0d3-0e3f95ab7c10", 1, "0.241", "0.253", "2111.16"},
}

// riCells are the reservation columns of a line.
type riCells struct {
	effective, upfront, recurring              *float64 // of usage
	unusedUpfront, unusedRecurring, unusedLeft *float64 // of the fee row
	payment                                    string
	value                                      *float64
}

// reservedLine bills an hour of a machine under a reservation.
func (w *World) reservedLine(n *Node, h int64, share *big.Rat, ri reservedAs) *billLine {
	l := w.instanceLine(n, h, share, "Usage", n.Type.OnDemand)
	part := func(rate string) *float64 {
		return new(asDouble(new(big.Rat).Mul(ofDouble(*l.usage), Decimal("0"+rate))))
	}
	l.kind, l.term, l.reservation, l.cost, l.rate = "DiscountedUsage", "Reserved", ri.arn, 0, "0.0"
	up, rec := part(ri.upfront), part(ri.hourly)
	l.ri = riCells{effective: new(asDouble(new(big.Rat).Add(ofDouble(*up), ofDouble(*rec)))), upfront: up, recurring: rec, payment: ri.payment}
	l.description = n.Type.Name + " reserved instance applied"
	return l
}

// reservationLines are the purchase and the monthly fee rows, with what of the
// month was not used.
func (w *World) reservationLines(add func(*billLine), used map[string]*big.Rat) {
	for _, ri := range reservations {
		zero := 0.0
		base := func(kind, usageType string, from, to int64) *billLine {
			return &billLine{period: monthOf(w.From), from: from, to: to, kind: kind, product: "AmazonEC2", usageType: usageType, operation: "RunInstances", instanceType: ri.typ,
				listCost: &zero, reservation: ri.arn, term: "Reserved", unit: "Hrs", family: "Compute Instance", attributes: map[string]string{"product_name": "Amazon Elastic Compute Cloud"}}
		}
		buy := base("Fee", "HeavyUsage:"+ri.typ, w.From+7200, w.From+7200+365*86400)
		buy.cost, buy.usage, buy.unit = asDouble(Decimal(ri.bought)), new(float64(ri.count)), "Quantity"
		buy.ri = riCells{payment: ri.payment, value: new(buy.cost)}
		buy.description = fmt.Sprintf("Sign up charge for %d x %s, %s", ri.count, ri.typ, ri.payment)
		add(buy)

		first := time.Unix(w.From, 0).UTC()
		first = time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
		from, to := first.Unix(), first.AddDate(0, 1, 0).Unix()
		hours := big.NewRat(ri.count*(to-from), 3600)
		left := new(big.Rat).Set(hours)
		if u := used[ri.arn]; u != nil {
			left.Sub(left, u)
		}
		row := base("RIFee", "HeavyUsage:"+ri.typ, from, to)
		row.usage, row.cost = new(asDouble(hours)), asDouble(new(big.Rat).Mul(hours, Decimal("0"+ri.hourly)))
		row.ri = riCells{unusedUpfront: new(asDouble(new(big.Rat).Mul(left, Decimal("0"+ri.upfront)))), unusedRecurring: new(asDouble(new(big.Rat).Mul(left, Decimal("0"+ri.hourly)))),
			unusedLeft: new(asDouble(left)), payment: ri.payment}
		row.description = "USD " + ri.hourly + " hourly fee per Linux/UNIX, " + ri.typ
		add(row)
	}
}

// The capacity block: two machines for two days from the second hour on, of
// which one joins the cluster.
const (
	blockType    = "p4de.24xlarge"
	blockCount   = 2
	blockSeconds = 48 * 3600
	blockPrice   = "1134.9504" // for the whole
	blockARN     = "arn:aws:ec2:us-east-1:" + payer + ":capacity-reservation/cr-0f2d1c0b9a8e7d6c5"
)

func (w *World) blockFrom() int64 { return w.Fine + 3600 }

// blockNode is the machine in the capacity block and what it does.
func (b *builder) blockNode() {
	r := b.r
	n := b.newNode(nodeOpts{typ: blockType, pool: "p4de-block", block: true, at: b.blockFrom() + r.between(5, 90), team: foundation.name})
	if end := b.blockFrom() + blockSeconds - 1800; end < b.To {
		defer func() { b.endNode(n, end, false) }()
	}
	for t := n.Created + r.between(200, 900); t < b.blockFrom()+blockSeconds-7200 && t < b.To; t += r.between(600, 4000) {
		t = b.single(foundation, place{n, wholeSlots(n, 0, 8)}, t, r.between(2*3600, 7*3600))
	}
}

// blockLines are the fee of the capacity block; its hours cost nothing more.
func (w *World) blockLines(add func(*billLine)) {
	add(&billLine{period: monthOf(w.Fine), from: w.blockFrom(), to: w.blockFrom() + blockSeconds, kind: "Fee", product: "AmazonEC2", usageType: "USE1-CapacityBlock:" + blockType,
		operation: "CapacityBlock", resource: blockARN, instanceType: blockType, usage: new(float64(blockCount * blockSeconds / 3600)), unit: "Hrs", block: true,
		cost: asDouble(Decimal(blockPrice)), listCost: new(asDouble(Decimal(blockPrice))), family: "Compute Instance", description: "Capacity Block for ML, 2 x " + blockType + ", 48 hours",
		tags: map[string]string{"user_team": foundation.name}, attributes: map[string]string{"product_name": "Amazon Elastic Compute Cloud"}})
}

// managedLines is a training job of the managed service on its own machines.
func (w *World) managedLines(add func(*billLine)) {
	for i := range int64(5) {
		h := w.From + (3+i)*3600
		if h+3600 > w.BillTo {
			return
		}
		l := simple(h, h+3600, "AmazonSageMaker", "USE1-Train:ml.g5.12xlarge", "RunInstance", "arn:aws:sagemaker:us-east-1:"+payer+":training-job/ocr-small-0131", "0.75", "7.0900000000", "Hrs")
		l.instanceType, l.family, l.tags = "ml.g5.12xlarge", "ML Instance", map[string]string{"user_team": vision.name}
		l.attributes["product_name"] = "Amazon SageMaker"
		add(l)
	}
}

// unusedLines are hours of a capacity reservation that nobody ran in.
func (w *World) unusedLines(add func(*billLine)) {
	for i := range int64(3) {
		h := w.From + (7+i)*3600
		if h+3600 > w.BillTo {
			return
		}
		l := simple(h, h+3600, "AmazonEC2", "USE1-UnusedBox:p4d.24xlarge", "RunInstances", "arn:aws:ec2:us-east-1:"+payer+":capacity-reservation/cr-0a1b2c3d4e5f60718", "1", "21.9576420000", "Hrs")
		l.instanceType, l.family, l.zone, l.unused = "p4d.24xlarge", "Compute Instance", "us-east-1a", true
		l.tags, l.attributes["capacitystatus"] = map[string]string{"user_team": platform.name}, "UnusedCapacityReservation"
		add(l)
	}
}

// wideLines are discounts that name no resource, narrower and wider.
func (w *World) wideLines(add func(*billLine)) {
	for _, c := range []struct {
		product, usageType, text string
		cost                     float64
		days                     int64
	}{
		{"AmazonEC2", "BoxUsage:g6.12xlarge", "Migration credit for g6", -12.3457, 1},
		{"AmazonEC2", "CreditUsage", "Volume credit on EC2", -41.0009, 2},
		{"AmazonS3", "CreditUsage", "Storage credit", -3.21, 1},
		{"AmazonQuickSight", "CreditUsage", "Credit for a service that nobody used", -7.7, 1},
	} {
		l := &billLine{period: monthOf(w.Fine), from: w.Fine, to: w.Fine + c.days*86400, kind: "Credit", product: c.product, usageType: c.usageType, operation: "Credit",
			cost: c.cost, listCost: new(0.0), description: c.text, attributes: map[string]string{"product_name": c.product}}
		if t := TypeOf("g6.12xlarge"); c.usageType == "BoxUsage:"+t.Name {
			l.instanceType = t.Name
		}
		add(l)
	}
}

// splitCells are the columns of a provider's own split of an instance line.
type splitCells struct {
	parent                   string
	usage, ratio, cost, idle float64
}

// splitLines are rows of EKS split cost allocation for the pods of the first
// hours: evidence, never money.
func (w *World) splitLines(add func(*billLine)) {
	for h := w.From + 3600; h < min(w.From+5*3600, w.BillTo); h += 3600 {
		for _, p := range w.Pods {
			if p.Node.Idx > 4 || !p.Node.Joined || p.Scheduled > h || p.End < h+3600 || len(p.Requests) == 0 {
				continue
			}
			for _, what := range []string{"vCPU", "GB", "GPU"} {
				if what == "GPU" && len(p.slots) == 0 {
					continue
				}
				l := simple(h, h+3600, "AmazonEKS", "USE1-EKS-EC2-"+what+"-Hours", "EKSPod-EC2",
					fmt.Sprintf("arn:aws:eks:us-east-1:%s:pod/%s/%s/%s/%s", payer, w.Config.Cluster, p.NS, p.Name, p.UID), "8", "0.0000000000", what+"-Hours")
				l.splitOf = &splitCells{parent: p.Node.InstanceID, usage: 8, ratio: 0.0417, cost: 0.4213, idle: 0.0071}
				l.tags = map[string]string{"aws_eks_cluster_name": w.Config.Cluster, "aws_eks_namespace": p.NS, "aws_eks_workload_name": p.RootName, "aws_eks_node": p.Node.Name}
				add(l)
			}
		}
	}
}
