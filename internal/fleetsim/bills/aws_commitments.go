package bills

import (
	"fmt"
	"math/big"
	"time"

	"gpuledger/internal/fleetsim/world"
)

// riCells are the reservation columns of a line.
type riCells struct {
	effective, upfront, recurring              *float64 // of usage
	unusedUpfront, unusedRecurring, unusedLeft *float64 // of the fee row
	payment                                    string
	value                                      *float64
}

// reservedLine bills an hour of a machine under a reservation.
func reservedLine(w *world.World, n *world.Node, h int64, share *big.Rat, ri world.ReservedAs) *billLine {
	l := instanceLine(w, n, h, share, "Usage", n.Type.OnDemand)
	part := func(rate string) *float64 {
		return new(world.AsDouble(new(big.Rat).Mul(world.OfDouble(*l.usage), world.Decimal("0"+rate))))
	}
	l.kind, l.term, l.reservation, l.cost, l.rate = "DiscountedUsage", "Reserved", ri.ARN, 0, "0.0"
	up, rec := part(ri.Upfront), part(ri.Hourly)
	l.ri = riCells{
		effective: new(world.AsDouble(new(big.Rat).Add(world.OfDouble(*up), world.OfDouble(*rec)))),
		upfront:   up, recurring: rec, payment: ri.Payment,
	}
	l.description = n.Type.Name + " reserved instance applied"
	return l
}

// reservationLines are the purchase and the monthly fee rows, with the unused part of the month.
func reservationLines(w *world.World, add func(*billLine), used map[string]*big.Rat) {
	for _, ri := range world.Reservations {
		zero := 0.0
		base := func(kind, usageType string, from, to int64) *billLine {
			return &billLine{period: monthOf(w.From), from: from, to: to, kind: kind, product: "AmazonEC2", usageType: usageType,
				operation: "RunInstances", instanceType: ri.Type,
				listCost: &zero, reservation: ri.ARN, term: "Reserved", unit: "Hrs", family: "Compute Instance",
				attributes: map[string]string{"product_name": "Amazon Elastic Compute Cloud"}}
		}
		buy := base("Fee", "HeavyUsage:"+ri.Type, w.From+7200, w.From+7200+365*86400)
		buy.cost, buy.usage, buy.unit = world.AsDouble(world.Decimal(ri.Bought)), new(float64(ri.Count)), "Quantity"
		buy.ri = riCells{payment: ri.Payment, value: new(buy.cost)}
		buy.description = fmt.Sprintf("Sign up charge for %d x %s, %s", ri.Count, ri.Type, ri.Payment)
		add(buy)

		first := time.Unix(w.From, 0).UTC()
		first = time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
		from, to := first.Unix(), first.AddDate(0, 1, 0).Unix()
		hours := big.NewRat(ri.Count*(to-from), 3600)
		left := new(big.Rat).Set(hours)
		if u := used[ri.ARN]; u != nil {
			left.Sub(left, u)
		}
		row := base("RIFee", "HeavyUsage:"+ri.Type, from, to)
		row.usage, row.cost = new(world.AsDouble(hours)),
			world.AsDouble(new(big.Rat).Mul(hours, world.Decimal("0"+ri.Hourly)))
		row.ri = riCells{unusedUpfront: new(world.AsDouble(new(big.Rat).Mul(left, world.Decimal("0"+ri.Upfront)))),
			unusedRecurring: new(world.AsDouble(new(big.Rat).Mul(left, world.Decimal("0"+ri.Hourly)))),
			unusedLeft:      new(world.AsDouble(left)), payment: ri.Payment}
		row.description = "USD " + ri.Hourly + " hourly fee per Linux/UNIX, " + ri.Type
		add(row)
	}
}

// blockLines are the fee of the capacity block; its hours cost nothing more.
func blockLines(w *world.World, add func(*billLine)) {
	add(&billLine{period: monthOf(w.Fine), from: w.BlockFrom(), to: w.BlockFrom() + world.BlockSeconds, kind: "Fee",
		product: "AmazonEC2", usageType: "USE1-CapacityBlock:" + world.BlockType,
		operation: "CapacityBlock", resource: world.BlockARN, instanceType: world.BlockType,
		usage: new(float64(world.BlockCount * world.BlockSeconds / 3600)), unit: "Hrs", block: true,
		cost: world.AsDouble(world.Decimal(world.BlockPrice)), listCost: new(world.AsDouble(world.Decimal(world.BlockPrice))),
		family: "Compute Instance", description: "Capacity Block for ML, 2 x " + world.BlockType + ", 48 hours",
		tags:       map[string]string{"user_team": world.Foundation.Name},
		attributes: map[string]string{"product_name": "Amazon Elastic Compute Cloud"}})
}

// managedLines is a training job of the managed service on its own machines.
func managedLines(w *world.World, add func(*billLine)) {
	for i := range int64(5) {
		h := w.From + (3+i)*3600
		if h+3600 > w.BillTo {
			return
		}
		l := simple(h, h+3600, "AmazonSageMaker", "USE1-Train:ml.g5.12xlarge", "RunInstance",
			"arn:aws:sagemaker:us-east-1:"+world.Payer+":training-job/ocr-small-0131", "0.75", "7.0900000000", "Hrs")
		l.instanceType, l.family, l.tags = "ml.g5.12xlarge", "ML Instance", map[string]string{"user_team": world.Vision.Name}
		l.attributes["product_name"] = "Amazon SageMaker"
		add(l)
	}
}

// unusedLines are hours of a capacity reservation in which no machine ran.
func unusedLines(w *world.World, add func(*billLine)) {
	for i := range int64(3) {
		h := w.From + (7+i)*3600
		if h+3600 > w.BillTo {
			return
		}
		l := simple(h, h+3600, "AmazonEC2", "USE1-UnusedBox:p4d.24xlarge", "RunInstances",
			"arn:aws:ec2:us-east-1:"+world.Payer+":capacity-reservation/cr-0a1b2c3d4e5f60718", "1", "21.9576420000", "Hrs")
		l.instanceType, l.family, l.zone, l.unused = "p4d.24xlarge", "Compute Instance", "us-east-1a", true
		l.tags, l.attributes["capacitystatus"] = map[string]string{"user_team": world.Platform.Name},
			"UnusedCapacityReservation"
		add(l)
	}
}

// wideLines are discounts without a resource, narrower and wider.
func wideLines(w *world.World, add func(*billLine)) {
	for _, c := range []struct {
		product, usageType, text string
		cost                     float64
		days                     int64
	}{
		{"AmazonEC2", "BoxUsage:g6.12xlarge", "Migration credit for g6", -12.3457, 1},
		{"AmazonEC2", "CreditUsage", "Volume credit on EC2", -41.0009, 2},
		{"AmazonS3", "CreditUsage", "Storage credit", -3.21, 1},
		{"AmazonQuickSight", "CreditUsage", "Credit for an unused service", -7.7, 1},
	} {
		l := &billLine{period: monthOf(w.Fine), from: w.Fine, to: w.Fine + c.days*86400, kind: "Credit", product: c.product,
			usageType: c.usageType, operation: "Credit",
			cost: c.cost, listCost: new(0.0), description: c.text, attributes: map[string]string{"product_name": c.product}}
		if t := world.TypeOf("g6.12xlarge"); c.usageType == "BoxUsage:"+t.Name {
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
func splitLines(w *world.World, add func(*billLine)) {
	for h := w.From + 3600; h < min(w.From+5*3600, w.BillTo); h += 3600 {
		for _, p := range w.Pods {
			if p.Node.Idx > 4 || !p.Node.Joined || p.Scheduled > h || p.End < h+3600 || len(p.Requests) == 0 {
				continue
			}
			for _, what := range []string{"vCPU", "GB", "GPU"} {
				if what == "GPU" && len(p.Slots) == 0 {
					continue
				}
				l := simple(h, h+3600, "AmazonEKS", "USE1-EKS-EC2-"+what+"-Hours", "EKSPod-EC2",
					fmt.Sprintf("arn:aws:eks:us-east-1:%s:pod/%s/%s/%s/%s", world.Payer, w.Config.Cluster, p.NS, p.Name, p.UID),
					"8", "0.0000000000", what+"-Hours")
				l.splitOf = &splitCells{parent: p.Node.InstanceID, usage: 8, ratio: 0.0417, cost: 0.4213, idle: 0.0071}
				l.tags = map[string]string{
					"aws_eks_cluster_name": w.Config.Cluster, "aws_eks_namespace": p.NS,
					"aws_eks_workload_name": p.RootName, "aws_eks_node": p.Node.Name,
				}
				add(l)
			}
		}
	}
}
