package gcpbilling

import (
	"strings"
	"unicode"
)

// part is the part of a machine that a row bills.
type part byte

// Parts of a machine.
const (
	notMachine part = iota
	corePart
	memoryPart
	gpuPart
	extraPart // local SSDs, which belong to the machine, and premiums on it
	wholePart // a machine type that is billed as a whole
	slicePart // a machine billed by its GPUs: the price includes cores and memory
)

// skuKind is the meaning of a SKU's description; all other code uses this instead of the text.
type skuKind struct {
	part     part
	fee      bool // a commitment's payment
	gpu      bool // it bills GPUs, of whatever service
	spot     bool
	reserved bool // capacity reserved for a time (DWS calendar mode)
	support  bool
	control  bool // Kubernetes Engine
}

// Services by their id.
const (
	computeEngine    = "6F81-5844-456A"
	kubernetesEngine = "CCD8-9BF1-090E"
)

// readSKU classifies a row by service and SKU description.
func readSKU(serviceID, service, sku string) skuKind {
	words := strings.FieldsFunc(strings.ToLower(sku), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	text := " " + strings.Join(words, " ") + " "
	has := func(any ...string) bool {
		for _, w := range any {
			if strings.Contains(text, " "+w+" ") {
				return true
			}
		}
		return false
	}
	k := skuKind{
		spot:    has("spot", "preemptible"),
		support: supportService(service),
		control: serviceID == kubernetesEngine || service == "Kubernetes Engine",
	}
	if strings.HasPrefix(text, " commitment ") &&
		has("v1", "v2", "dollar based", "cud", "for 1 year", "for 3 year", "for 1 years", "for 3 years") {
		k.fee = true
		return k
	}
	if has("licensing", "license", "licence", "licenses") {
		return k
	}
	k.gpu = has("gpu", "gpus")
	if serviceID != computeEngine && service != "Compute Engine" {
		return k
	}
	k.reserved = has("dws calendar", "calendar mode")
	switch {
	case k.gpu && has("gpu slice", "gpu slices"):
		k.part = slicePart
	case k.gpu:
		k.part = gpuPart
	case has("local storage", "local ssd", "premium"):
		k.part = extraPart
	case has("core", "cores", "vcpu"):
		k.part = corePart
	case has("ram", "memory"):
		k.part = memoryPart
	case has("instance", "vm instance") && !has("network", "egress", "ingress", "transfer", "snapshot", "image", "ip"):
		k.part = wholePart
	}
	return k
}

func supportService(service string) bool {
	s := strings.ToLower(service)
	return s == "support" || strings.HasSuffix(s, " support") || strings.HasSuffix(s, "customer care")
}
