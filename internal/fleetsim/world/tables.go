package world

import (
	"math/big"
	"strconv"
	"strings"
	"time"
)

// InstanceType is the simulator's data on a machine. Prices are USD per hour in us-east-1; rates are texts so that no
// float touches money.
type InstanceType struct {
	Name             string
	GPUs             int
	Model            string
	MemMiB           int64
	VCPU, MemGiB     int
	OnDemand         string
	Plan             string // savings plan rate, empty if there is none
	SpotMilli        int64  // typical spot price in thousandths
	IdleW, MaxW      int64
	Family, Physical string

	// Google: price of a core-hour, of a GiB-hour and of a GPU-hour.
	accelerator                  string
	Core, RAM, GPU               string
	SpotCore, SpotRAM, SpotGPU   string
	SKU                          string // the name of the family and the GPU in SKU texts
	GPUSKU                       string
	Meter, Product, ReservedRate string // Azure: meter, product, price under the reservation
}

// InstanceTypes are the types on AWS.
var InstanceTypes = []*InstanceType{
	awsType("p5.48xlarge", 8, "NVIDIA H100 80GB HBM3", 81559, 192, 2048, "55.04", "31.4640", 24_513, 72, 690,
		"AMD EPYC 7R13"),
	awsType("p4d.24xlarge", 8, "NVIDIA A100-SXM4-40GB", 40960, 96, 1152, "21.957642", "", 9_871, 52, 396,
		"Intel Xeon Platinum 8275L"),
	awsType("g5.12xlarge", 4, "NVIDIA A10G", 23028, 48, 192, "5.672", "", 2_271, 16, 292, "AMD EPYC 7R32"),
	awsType("g5.xlarge", 1, "NVIDIA A10G", 23028, 4, 16, "1.006", "", 412, 16, 292, "AMD EPYC 7R32"),
	awsType("g6.12xlarge", 4, "NVIDIA L4", 23034, 48, 192, "4.6016", "", 1_873, 13, 72, "AMD EPYC 7R13"),
	awsType("g6.xlarge", 1, "NVIDIA L4", 23034, 4, 16, "0.8048", "", 331, 13, 72, "AMD EPYC 7R13"),
}

// awsType is one row of the AWS table.
func awsType(
	name string, gpus int, model string, memMiB int64, vcpu, memGiB int,
	onDemand, plan string, spotMilli, idleW, maxW int64, physical string,
) *InstanceType {
	return &InstanceType{Name: name, GPUs: gpus, Model: model, MemMiB: memMiB, VCPU: vcpu, MemGiB: memGiB,
		OnDemand: onDemand, Plan: plan,
		SpotMilli: spotMilli, IdleW: idleW, MaxW: maxW, Family: "GPU instance", Physical: physical}
}

// TypeOf finds an instance type by its name.
func TypeOf(name string) *InstanceType {
	for _, list := range [][]*InstanceType{InstanceTypes, furtherTypes} {
		for _, t := range list {
			if t.Name == name {
				return t
			}
		}
	}
	return nil
}

// MIGProfile is one MIG profile of the A100 40 GB: slices of compute (of 7)
// and memory (of 8), allowed first memory slices.
type MIGProfile struct {
	Name            string
	Compute, Memory int64
	Starts          []int
	most            int
	MemMiB          int64
}

// A100Profiles are the MIG profiles of the A100 cards, in order of size.
var A100Profiles = []MIGProfile{
	{"1g.5gb", 1, 1, []int{0, 1, 2, 3, 4, 5, 6}, 7, 4864},
	{"1g.10gb", 1, 2, []int{0, 2, 4, 6}, 4, 9856},
	{"2g.10gb", 2, 2, []int{0, 2, 4}, 3, 9856},
	{"3g.20gb", 3, 4, []int{0, 4}, 2, 19968},
	{"4g.20gb", 4, 4, []int{0}, 1, 19968},
	{"7g.40gb", 7, 8, []int{0}, 1, 40192},
}

// ProfileOf finds a MIG profile by its name.
func ProfileOf(name string) *MIGProfile {
	for i := range A100Profiles {
		if A100Profiles[i].Name == name {
			return &A100Profiles[i]
		}
	}
	return nil
}

// RawWeight is rule 3.4: the dominant share, or the given measure.
func (p *MIGProfile) RawWeight(measure string) *big.Rat {
	c, m := big.NewRat(p.Compute, 7), big.NewRat(p.Memory, 8)
	switch {
	case measure == "blended":
		return c.Quo(c.Add(c, m), big.NewRat(2, 1))
	case measure == "compute", measure == "" && c.Cmp(m) >= 0:
		return c
	}
	return m
}

// Resource is the profile as kube-state-metrics spells it.
func (p *MIGProfile) Resource() string {
	return "nvidia_com_mig_" + strings.ReplaceAll(p.Name, ".", "_")
}

// StartsOf is the first memory slices of a layout's instances; nil if one is not told.
func StartsOf(layout []Slice) []int {
	var starts []int
	for _, s := range layout {
		if !s.Lies.Told {
			return nil
		}
		starts = append(starts, s.Lies.Start)
	}
	return starts
}

// StartsFor are the first memory slices that the i-th instance may have: those of its profile, or the known one.
func StartsFor(p *MIGProfile, told []int, i int) []int {
	if told != nil {
		return told[i : i+1]
	}
	return p.Starts
}

// PlaceableWeight is rule 3.6: the largest total raw weight of further profiles over all placements of the existing
// ones, or over the known placement.
func PlaceableWeight(have []string, told []int, measure string) *big.Rat {
	best := new(big.Rat)
	var place func(i int, used uint8, compute int64)
	var grow func(from int, used uint8, compute int64, count [6]int, sum *big.Rat)
	var base [6]int
	for _, h := range have {
		for j := range A100Profiles {
			if A100Profiles[j].Name == h {
				base[j]++
			}
		}
	}
	grow = func(from int, used uint8, compute int64, count [6]int, sum *big.Rat) {
		if sum.Cmp(best) > 0 {
			best.Set(sum)
		}
		for j := from; j < len(A100Profiles); j++ {
			p := &A100Profiles[j]
			if compute+p.Compute > 7 || count[j] >= p.most {
				continue
			}
			for _, s := range p.Starts {
				m := Window(s, p.Memory)
				if used&m == 0 {
					next := count
					next[j]++
					grow(j, used|m, compute+p.Compute, next, new(big.Rat).Add(sum, p.RawWeight(measure)))
				}
			}
		}
	}
	place = func(i int, used uint8, compute int64) {
		if i == len(have) {
			grow(0, used, compute, base, new(big.Rat))
			return
		}
		p := ProfileOf(have[i])
		for _, s := range StartsFor(p, told, i) {
			if m := Window(s, p.Memory); used&m == 0 {
				place(i+1, used|m, compute+p.Compute)
			}
		}
	}
	place(0, 0, 0)
	return best
}

// Window is the memory slices that an instance of a size covers from its first one on.
func Window(start int, size int64) uint8 { return uint8((1<<size - 1) << start) }

// Decimal turns a decimal text into a rational; the texts are constants and
// what strconv writes, so a failure is a fault of this package.
func Decimal(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// AsDouble rounds r to 10 decimals, as AWS prints, and returns the double that
// a Parquet column of type DOUBLE holds.
func AsDouble(r *big.Rat) float64 {
	v, err := strconv.ParseFloat(r.FloatString(10), 64)
	if err != nil {
		return 0
	}
	return v
}

// OfDouble is the rational of the shortest decimal that denotes v.
func OfDouble(v float64) *big.Rat { return Decimal(strconv.FormatFloat(v, 'f', -1, 64)) }

// Round12 rounds to 1e-12, half away from zero.
func Round12(r *big.Rat) *big.Rat { return Decimal(r.FloatString(12)) }

// RoundHalfUp rounds a value that is not negative.
func RoundHalfUp(r *big.Rat) int64 {
	x := new(big.Rat).Add(r, big.NewRat(1, 2))
	return new(big.Int).Quo(x.Num(), x.Denom()).Int64()
}

// IsoSecond writes an instant as bills and books do.
func IsoSecond(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02T15:04:05Z") }
