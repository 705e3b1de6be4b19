package fleetsim

// furtherTypes are the machines of the other clouds, of the racks, and those of
// AWS that only some bills have. The price per hour of a Google machine is the
// sum of its cores, memory and GPUs; onDemand is what the price book says.
var furtherTypes = []*InstanceType{
	awsType("p4de.24xlarge", 8, "NVIDIA A100-SXM4-80GB", 81920, 96, 1152, "27.44705", "", 12_300, 55, 398, "Intel Xeon Platinum 8275L"),
	{Name: "a3-highgpu-8g", GPUs: 8, Model: "NVIDIA H100 80GB HBM3", MemMiB: 81559, VCPU: 208, MemGiB: 1872, OnDemand: "88.49", plan: "61.9431",
		idleW: 71, maxW: 688, accelerator: "nvidia-h100-80gb", core: "0.029", ram: "0.0025", gpu: "9.72225", sku: "A3", gpuSKU: "Nvidia H100 80GB GPU"},
	{Name: "a2-highgpu-4g", GPUs: 4, Model: "NVIDIA A100-SXM4-40GB", MemMiB: 40960, VCPU: 48, MemGiB: 340, OnDemand: "14.69354", spotMilli: 7_215,
		idleW: 51, maxW: 395, accelerator: "nvidia-tesla-a100", core: "0.031611", ram: "0.004237", gpu: "2.933908",
		spotCore: "0.01", spotRAM: "0.0013", spotGPU: "1.57335", sku: "A2", gpuSKU: "Nvidia Tesla A100 GPU"},
	{Name: "g2-standard-12", GPUs: 1, Model: "NVIDIA L4", MemMiB: 23034, VCPU: 12, MemGiB: 48, OnDemand: "1.000416",
		idleW: 12, maxW: 72, accelerator: "nvidia-l4", core: "0.02498", ram: "0.002928", gpu: "0.560112", sku: "G2", gpuSKU: "Nvidia L4 GPU"},
	{Name: "g2-standard-8", GPUs: 1, Model: "NVIDIA L4", MemMiB: 23034, VCPU: 8, MemGiB: 32, OnDemand: "0.853624",
		idleW: 12, maxW: 72, accelerator: "nvidia-l4", core: "0.02498", ram: "0.002928", gpu: "0.560112", sku: "G2", gpuSKU: "Nvidia L4 GPU"},
	{Name: "Standard_ND96asr_v4", GPUs: 8, Model: "NVIDIA A100-SXM4-40GB", MemMiB: 40960, VCPU: 96, MemGiB: 900, OnDemand: "25.5654",
		idleW: 51, maxW: 396, meter: "ND96asr A100 v4", product: "Virtual Machines NDasrA100_v4 Series - ND96asr A100 v4 - EU West", reservedRate: "16.361856"},
	{Name: "Standard_NC24ads_A100_v4", GPUs: 1, Model: "NVIDIA A100 80GB PCIe", MemMiB: 81920, VCPU: 24, MemGiB: 220, OnDemand: "3.45262", spotMilli: 1_208,
		idleW: 44, maxW: 297, meter: "NC24ads A100 v4", product: "Virtual Machines NCads A100 v4 Series - NC24ads A100 v4 - EU West"},
	{Name: "dgx-h100", GPUs: 8, Model: "NVIDIA H100 80GB HBM3", MemMiB: 81559, VCPU: 224, MemGiB: 2048, idleW: 73, maxW: 695},
	{Name: "dgx-a100", GPUs: 8, Model: "NVIDIA A100-SXM4-40GB", MemMiB: 40960, VCPU: 256, MemGiB: 1024, idleW: 54, maxW: 399},
}
