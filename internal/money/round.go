package money

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
)

// Tree is an amount and its parts, level by level: a total, its teams, their jobs, their pods. An amount without
// children is a leaf.
type Tree struct {
	Amount   Amount
	Children []Tree
}

// RoundTree rounds a tree for presentation so that every level adds up to the one above it (M09). The total is rounded
// half away from zero to places decimals, 0 to 12; then, from the top down, the children of an amount get the units of
// its rounded value by largest remainder, equal remainders in the order of the children, which must be that of a stable
// key. Every rounded amount is less than one unit from the exact one, keeps its sign or becomes 0, and amounts that
// need no rounding stay unchanged.
//
// It returns an error for places out of range and if children do not add up to their amount.
func RoundTree(t Tree, places int) (Tree, error) {
	if places < 0 || places > Digits {
		return Tree{}, fmt.Errorf("%d decimal places: 0 to %d are possible", places, Digits)
	}
	unit := bigPow10(places)
	total := new(big.Rat).Mul(t.Amount.Rat(), new(big.Rat).SetInt(unit))
	whole := new(big.Int).Lsh(new(big.Int).Abs(total.Num()), 1) // half away from zero: ⌊|x| + 1/2⌋
	whole.Add(whole, total.Denom()).Quo(whole, new(big.Int).Lsh(total.Denom(), 1))
	if total.Sign() < 0 {
		whole.Neg(whole)
	}
	return roundNode(&t, whole, places)
}

// roundNode gives a node its rounded value in units, and its children theirs.
func roundNode(t *Tree, units *big.Int, places int) (Tree, error) {
	out := Tree{Amount: normal(new(big.Int).Mul(units, bigPow10(Digits-places)), Digits)}
	if len(t.Children) == 0 {
		return out, nil
	}
	type part struct {
		floor *big.Int
		rest  *big.Rat
		index int
	}
	scale := new(big.Rat).SetInt(bigPow10(places))
	parts := make([]part, len(t.Children))
	sum, left := Amount{}, new(big.Int).Set(units)
	for i := range t.Children {
		sum = sum.Add(t.Children[i].Amount)
		exact := new(big.Rat).Mul(t.Children[i].Amount.Rat(), scale)
		floor, mod := new(big.Int).DivMod(exact.Num(), exact.Denom(), new(big.Int))
		parts[i] = part{floor, new(big.Rat).SetFrac(mod, exact.Denom()), i}
		left.Sub(left, floor)
	}
	if sum.Cmp(t.Amount) != 0 {
		return Tree{}, fmt.Errorf("children add up to %s, not to %s", sum, t.Amount)
	}
	byRest := slices.Clone(parts)
	slices.SortFunc(byRest, func(a, b part) int { return cmp.Or(b.rest.Cmp(a.rest), cmp.Compare(a.index, b.index)) })
	for k := range left.Int64() { // at most as many as have a remainder
		byRest[k].floor.Add(byRest[k].floor, big.NewInt(1))
	}
	for i := range parts {
		child, err := roundNode(&t.Children[i], parts[i].floor, places)
		if err != nil {
			return Tree{}, err
		}
		out.Children = append(out.Children, child)
	}
	return out, nil
}
