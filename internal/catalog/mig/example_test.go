package mig_test

import (
	"fmt"
	"log"

	"gpuledger/internal/catalog/mig"
)

// A card is cut into three instances. Each weighs the larger of its two shares, compute slices of 7 and memory slices
// of 8. If the weights add up to less than the card, the rest is free or stranded: here the instances are placed so that
// no profile fits the last memory slice.
func ExampleWeigh() {
	profiles := []string{"3g.20gb", "2g.10gb", "1g.5gb"}
	starts := []int{0, 4, 6} // the memory slice at which each begins
	w, err := mig.Weigh("NVIDIA A100-SXM4-40GB", profiles, starts, mig.Dominant)
	if err != nil {
		log.Fatal(err)
	}
	for i, profile := range profiles {
		fmt.Printf("%s %d/%d\n", profile, w.Slices[i], w.Denominator)
	}
	fmt.Printf("free %d/%d, stranded %d/%d\n", w.Free, w.Denominator, w.Stranded, w.Denominator)
	// Output:
	// 3g.20gb 28/56
	// 2g.10gb 16/56
	// 1g.5gb 8/56
	// free 0/56, stranded 4/56
}
