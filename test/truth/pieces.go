package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// piece is a share of a charge that belongs to one node and hour.
type piece struct {
	nodeHour
	share   *big.Rat
	seconds int64
	pooled  bool
}

const longestSpread = 32 * 86400

// pieces is the cut of a machine's line (8.5): over the up-seconds of its
// machines per hour, else evenly.
func (t *truth) pieces(c *bills.Charge) []piece {
	nodes := c.Group
	if nodes == nil {
		nodes = []*world.Node{c.Node}
	}
	if c.Group == nil && (c.To-c.From <= 3600 || c.To-c.From > longestSpread) {
		return []piece{{nodeHour{c.Node, c.From / 3600 * 3600}, big.NewRat(1, 1), c.Seconds, false}}
	}
	var out []piece
	var weights []int64
	for h := c.From / 3600 * 3600; h < c.To; h += 3600 {
		for _, n := range nodes {
			nt := t.nodes[n]
			if up := min(h+3600, c.To, nt.gone) - max(h, c.From, nt.appeared); up > 0 {
				out = append(out, piece{nodeHour{n, h}, nil, 0, c.Group != nil})
				weights = append(weights, up)
			}
		}
	}
	if out == nil && c.Node != nil {
		for _, h := range bills.HoursOf(c.From, c.To) {
			out = append(out, piece{nodeHour: nodeHour{c.Node, h.At}})
			weights = append(weights, h.Seconds)
		}
	}
	var total int64
	for _, w := range weights {
		total += w
	}
	seconds := largestRemainder(c.Seconds, weights)
	for i := range out {
		out[i].share, out[i].seconds = big.NewRat(weights[i], total), seconds[i]
	}
	return out
}

// largestRemainder cuts total into whole seconds by weight; on equal remainders the first gets the unit.
func largestRemainder(total int64, weights []int64) []int64 {
	out, rest := make([]int64, len(weights)), make([]int64, len(weights))
	var sum, left int64
	for _, w := range weights {
		sum += w
	}
	left = total
	for i, w := range weights {
		out[i], rest[i] = total*w/sum, total*w%sum
		left -= out[i]
	}
	for ; left > 0; left-- {
		best := 0
		for i := range rest {
			if rest[i] > rest[best] {
				best = i
			}
		}
		out[best]++
		rest[best] = -1
	}
	return out
}
