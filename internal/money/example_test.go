package money_test

import (
	"fmt"
	"log"

	"gpuledger/internal/money"
)

// A bill line of $10 is shared by three pods that held the card for the same time. The shares add up to the line
// exactly: the digit that does not divide goes to one of them.
func ExampleSplitUint() {
	shares, err := money.SplitUint(money.MustParse("10"), []uint64{1, 1, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shares[0], shares[1], shares[2])
	fmt.Println(money.Sum(shares...))
	// Output:
	// 3.333333333334 3.333333333333 3.333333333333
	// 10
}

// A statement shows whole cents, and each level still adds up to the one above it.
func ExampleRoundTree() {
	third := money.Tree{Amount: money.MustParse("3.333333333333")}
	rest := money.Tree{Amount: money.MustParse("3.333333333334")}
	team := money.Tree{Amount: money.MustParse("10"), Children: []money.Tree{rest, third, third}}
	rounded, err := money.RoundTree(team, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rounded.Amount)
	for _, project := range rounded.Children {
		fmt.Println(project.Amount)
	}
	// Output:
	// 10
	// 3.34
	// 3.33
	// 3.33
}
