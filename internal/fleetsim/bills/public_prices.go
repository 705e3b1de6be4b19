package bills

import (
	"math/big"

	"gpuledger/internal/fleetsim/world"
)

// PublicPrices are the public hourly on-demand prices of the machines that some cluster may have without a bill, in
// USD, each in the region whose price is published. A machine in another region gets the nearest price that there is.
var PublicPrices = map[string]string{
	// us-east-1
	"p5.48xlarge": "55.04", "p4d.24xlarge": "21.957642", "g5.12xlarge": "5.672", "g5.xlarge": "1.006",
	"g6.12xlarge": "4.6016", "g6.xlarge": "0.8048", "p4de.24xlarge": "27.44705",
	// us-central1
	"a3-highgpu-8g": "88.49", "a2-highgpu-4g": "14.69354", "g2-standard-12": "1.000416", "g2-standard-8": "0.853624",
	"Standard_ND96asr_v4": "35.357", "Standard_NC24ads_A100_v4": "4.775", // westeurope
}

// publicSpotPrices are the same for spot machines, where published.
var publicSpotPrices = map[string]string{"a2-highgpu-4g": "7.2154", "a3-highgpu-8g": "37.91912"}

// typicalPrices are the cost of a GPU-hour of a model in the cheapest machine type that has it: machines without a
// public price cost that per GPU.
var typicalPrices = map[string]string{"NVIDIA H100 80GB HBM3": "6.88", "NVIDIA A100-SXM4-40GB": "2.74470525"}

// PublicPrice is the assumed cost of a machine-hour without a price in a bill or the price book (rule 8.12); nil if
// there is no public price.
func PublicPrice(t *world.InstanceType, class string) *big.Rat {
	if spot, ok := publicSpotPrices[t.Name]; ok && class == "spot" {
		return world.Decimal(spot)
	}
	if hourly, ok := PublicPrices[t.Name]; ok {
		return world.Decimal(hourly)
	}
	if perGPU, ok := typicalPrices[t.Model]; ok {
		return world.Round12(new(big.Rat).Mul(world.Decimal(perGPU), big.NewRat(int64(t.GPUs), 1)))
	}
	return nil
}
