package fleetsim

import "math/big"

// amounts are the four measures of a line or part; nil is not carried.
type amounts struct{ effective, billed, list, contracted *big.Rat }

func (a amounts) times(f *big.Rat) amounts {
	m := func(x *big.Rat) *big.Rat {
		if x == nil {
			return nil
		}
		return new(big.Rat).Mul(x, f)
	}
	return amounts{m(a.effective), m(a.billed), m(a.list), m(a.contracted)}
}

// zeros has 0 where a carries something.
func (a amounts) zeros() amounts { return a.times(new(big.Rat)) }

// rule is what section 8 does with a charge.
type rule int

const (
	ofMachine rule = iota // 8.5: instance time, and what follows it
	attached              // 8.9
	elsewhere             // 8.10
	negation              // 8.6
	fee                   // 8.7
	invoice               // 8.8
	prepaid               // 8.15
	wide                  // 8.16: a discount without a resource
	splitRow              // 8.17
	metered               // 8.21
)

// charge is a billed line of any provider, as far as the true ledger needs it.
type charge struct {
	amounts

	rule                       rule
	billing, account           string // payer; sub-account, empty: none is named
	period, currency           string // billing month "2026-11"
	file                       string // as TruthPosting.File
	line                       int64
	id, interval               string
	from, to                   int64
	node                       *node
	group                      []*node // pooled over these instead
	seconds                    int64   // instance seconds (8.1)
	team                       string  // by billing tag
	service, usageType, region string
	covered                    bool     // 8.6: a negation takes it back
	commitment                 string   // 8.15
	plan                       string   // savings plan or reservation that the line names
	bought                     string   // on_demand, spot or covered by a commitment; empty: the line does not say
	credit                     *big.Rat // 8.15: what commitments took off, positive
	block                      *instanceType
	zone                       string
}

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
func (t *truth) pieces(c *charge) []piece {
	nodes := c.group
	if nodes == nil {
		nodes = []*node{c.node}
	}
	if c.group == nil && (c.to-c.from <= 3600 || c.to-c.from > longestSpread) {
		return []piece{{nodeHour{c.node, c.from / 3600 * 3600}, big.NewRat(1, 1), c.seconds, false}}
	}
	var out []piece
	var weights []int64
	for h := c.from / 3600 * 3600; h < c.to; h += 3600 {
		for _, n := range nodes {
			nt := t.nodes[n]
			if up := min(h+3600, c.to, nt.gone) - max(h, c.from, nt.appeared); up > 0 {
				out = append(out, piece{nodeHour{n, h}, nil, 0, c.group != nil})
				weights = append(weights, up)
			}
		}
	}
	if out == nil && c.node != nil {
		for _, h := range hoursOf(c.from, c.to) {
			out = append(out, piece{nodeHour: nodeHour{c.node, h.at}})
			weights = append(weights, h.seconds)
		}
	}
	var total int64
	for _, w := range weights {
		total += w
	}
	seconds := largestRemainder(c.seconds, weights)
	for i := range out {
		out[i].share, out[i].seconds = big.NewRat(weights[i], total), seconds[i]
	}
	return out
}

// hourPart is an hour and how many seconds of it belong.
type hourPart struct{ at, seconds int64 }

func hoursOf(from, to int64) []hourPart {
	var out []hourPart
	for h := from / 3600 * 3600; h < to; h += 3600 {
		out = append(out, hourPart{h, min(h+3600, to) - max(h, from)})
	}
	return out
}

// largestRemainder cuts total into whole seconds by weight; of equal
// remainders the first has the unit.
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
