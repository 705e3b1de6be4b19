package world

// furtherTypes are the machines of the other clouds, of the racks, and those of AWS that only some bills have. The
// price per hour of a Google machine is the sum of its cores, memory and GPUs; onDemand is the price book's.
var furtherTypes = []*InstanceType{
	awsType("p4de.24xlarge", 8, "NVIDIA A100-SXM4-80GB", 81920, 96, 1152, "27.44705", "", 12_300, 55, 398,
		"Intel Xeon Platinum 8275L"),
	{Name: "a3-highgpu-8g", GPUs: 8, Model: "NVIDIA H100 80GB HBM3", MemMiB: 81559, VCPU: 208, MemGiB: 1872,
		OnDemand: "88.49", Plan: "61.9431",
		IdleW: 71, MaxW: 688, accelerator: "nvidia-h100-80gb", Core: "0.029",
		RAM: "0.0025", GPU: "9.72225", SKU: "A3", GPUSKU: "Nvidia H100 80GB GPU"},
	{Name: "a2-highgpu-4g", GPUs: 4, Model: "NVIDIA A100-SXM4-40GB", MemMiB: 40960, VCPU: 48, MemGiB: 340,
		OnDemand: "14.69354", SpotMilli: 7_215,
		IdleW: 51, MaxW: 395, accelerator: "nvidia-tesla-a100", Core: "0.031611", RAM: "0.004237", GPU: "2.933908",
		SpotCore: "0.01", SpotRAM: "0.0013", SpotGPU: "1.57335", SKU: "A2", GPUSKU: "Nvidia Tesla A100 GPU"},
	{Name: "g2-standard-12", GPUs: 1, Model: "NVIDIA L4", MemMiB: 23034, VCPU: 12, MemGiB: 48, OnDemand: "1.000416",
		IdleW: 12, MaxW: 72, accelerator: "nvidia-l4", Core: "0.02498",
		RAM: "0.002928", GPU: "0.560112", SKU: "G2", GPUSKU: "Nvidia L4 GPU"},
	{Name: "g2-standard-8", GPUs: 1, Model: "NVIDIA L4", MemMiB: 23034, VCPU: 8, MemGiB: 32, OnDemand: "0.853624",
		IdleW: 12, MaxW: 72, accelerator: "nvidia-l4", Core: "0.02498",
		RAM: "0.002928", GPU: "0.560112", SKU: "G2", GPUSKU: "Nvidia L4 GPU"},
	{Name: "Standard_ND96asr_v4", GPUs: 8, Model: "NVIDIA A100-SXM4-40GB", MemMiB: 40960, VCPU: 96, MemGiB: 900,
		OnDemand: "25.5654",
		IdleW:    51, MaxW: 396, Meter: "ND96asr A100 v4",
		Product: "Virtual Machines NDasrA100_v4 Series - ND96asr A100 v4 - EU West", ReservedRate: "16.361856"},
	{Name: "Standard_NC24ads_A100_v4", GPUs: 1, Model: "NVIDIA A100 80GB PCIe", MemMiB: 81920, VCPU: 24, MemGiB: 220,
		OnDemand: "3.45262", SpotMilli: 1_208,
		IdleW: 44, MaxW: 297, Meter: "NC24ads A100 v4",
		Product: "Virtual Machines NCads A100 v4 Series - NC24ads A100 v4 - EU West"},
	{
		Name: "dgx-h100", GPUs: 8, Model: "NVIDIA H100 80GB HBM3",
		MemMiB: 81559, VCPU: 224, MemGiB: 2048, IdleW: 73, MaxW: 695,
	},
	{
		Name: "dgx-a100", GPUs: 8, Model: "NVIDIA A100-SXM4-40GB",
		MemMiB: 40960, VCPU: 256, MemGiB: 1024, IdleW: 54, MaxW: 399,
	},
}
