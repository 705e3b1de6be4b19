package world

// ReservedAs is one reservation: its payment and its hourly cost.
type ReservedAs struct {
	Payment, Type, ARN string
	Count              int64
	Upfront, Hourly    string // amortised upfront and recurring part of an hour
	Bought             string // paid once, at the start of the data
}

// Reservations are the reservations of the AWS account.
var Reservations = []ReservedAs{
	{
		"All Upfront", "g5.xlarge",
		"arn:aws:ec2:us-east-1:" + Payer + ":reserved-instances/3c0d6f3e-2b8a-4f0e-8f0b-5b1f6a0c9d21",
		2, "0.592", "", "10371.84",
	},
	{
		"Partial Upfront", "g6.xlarge",
		"arn:aws:ec2:us-east-1:" + Payer + ":reserved-instances/9a7be1c4-61f2-4a77-a0d3-0e3f95ab7c10",
		1, "0.241", "0.253", "2111.16",
	},
}

// The capacity block: two machines for two days from the second hour on, one of which joins the cluster.
const (
	BlockType    = "p4de.24xlarge"
	BlockCount   = 2
	BlockSeconds = 48 * 3600
	BlockPrice   = "1134.9504" // for the whole
	BlockARN     = "arn:aws:ec2:us-east-1:" + Payer + ":capacity-reservation/cr-0f2d1c0b9a8e7d6c5"
)

// BlockFrom is when the capacity block begins.
func (w *World) BlockFrom() int64 { return w.Fine + 3600 }

// blockNode is the machine in the capacity block and its jobs.
func (b *builder) blockNode() {
	r := b.r
	n := b.newNode(nodeOpts{
		typ: BlockType, pool: "p4de-block", block: true, at: b.BlockFrom() + r.Between(5, 90), team: Foundation.Name,
	})
	if end := b.BlockFrom() + BlockSeconds - 1800; end < b.To {
		defer func() { b.endNode(n, end, false) }()
	}
	for t := n.Created + r.Between(200, 900); t < b.BlockFrom()+BlockSeconds-7200 && t < b.To; t += r.Between(600, 4000) {
		t = b.single(Foundation, place{n, wholeSlots(n, 0, 8)}, t, r.Between(2*3600, 7*3600))
	}
}
