package fleet

import (
	"strconv"
	"strings"

	"gpuledger/internal/catalog"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
)

// counted is how many GPUs a machine has, and how many clients share each.
type counted struct{ gpus, replicas int }

// count decides how many GPUs a machine has (rule 2.4) from the catalogue; else from the sources that count cards, the
// scheduler's register and the label, but never fewer than were seen; else from the node's capacity: whole cards and,
// by their resources, cards cut into MIG instances, and again never fewer than were seen. Impossible counts are
// ignored: one odd label must not stop the allocation of a whole fleet.
func count(it catalog.InstanceType, known bool, f ledger.NodeFact, devices []ledger.Device) counted {
	o := offered{labels: f.Labels, capacity: f.Capacity}
	seen, registered := highestSlots(devices)
	told := max(registered, o.cardLabel())
	if known && it.Slots() > 0 {
		told = it.Slots()
	} else if told > 0 {
		told = max(told, seen)
	}
	c := counted{told, o.replicas()}
	if c.replicas == 0 {
		c.replicas = 1
		if registered == 0 { // its register has how its scheduler shares cards
			c.replicas = o.clients(told, devices)
		}
	}
	if told == 0 {
		if c.gpus = max(o.cards(c.replicas), seen); c.replicas == 1 && c.gpus > 0 {
			c.replicas = o.partsOfOthers(c.gpus)
		}
	}
	return c
}

// highestSlots are the numbers of slots that seen and registered devices need; without indices, the number of devices.
func highestSlots(devices []ledger.Device) (seen, registered int) {
	for _, d := range devices {
		slots := int(d.Index) + 1
		if d.Index < 0 || d.Index >= ledger.MaxGPUs {
			continue
		}
		if d.Registered {
			registered = max(registered, slots)
		}
		seen = max(seen, slots)
	}
	if seen == 0 {
		seen = min(len(devices), ledger.MaxGPUs)
	}
	return seen, registered
}

// offered is the labels and capacity of a node.
type offered struct {
	labels   map[string]string
	capacity map[string]int64
}

// product is the card, and the profile that all its GPUs are cut into if the device plugin offers instances as GPUs
// (strategy single).
func (o offered) product() (model, single string) {
	name := ledger.Label(o.labels, "nvidiacomgpuproduct")
	at := strings.Index(strings.ToUpper(name), "-MIG-")
	if at < 0 {
		return catalog.Model(name), ""
	}
	return catalog.Model(name), strings.TrimSuffix(name[at+len("-MIG-"):], "-SHARED")
}

// SingleProfile is the profile of the instances that a node with these labels offers as GPUs, empty if its GPUs are
// whole cards.
func SingleProfile(labels map[string]string) string {
	_, profile := offered{labels: labels}.product()
	return profile
}

// cardLabel is how many cards a label counts, 0 if there is no such label. Under strategy single nvidia.com/gpu.count
// counts instances.
func (o offered) cardLabel() int {
	keys := []string{"nvidiacomgpucount", "karpenterk8sawsinstancegpucount"}
	if _, single := o.product(); single != "" ||
		strings.EqualFold(ledger.Label(o.labels, "nvidiacommigstrategy"), "single") {
		keys = keys[1:]
	}
	for _, key := range keys {
		if n := number(ledger.Label(o.labels, key), ledger.MaxGPUs); n > 0 {
			return n
		}
	}
	return believed(o.capacity["aliyun_com_gpu_count"])
}

// replicas is how many clients share a GPU by the node's labels, 0 if no label has it.
func (o offered) replicas() int {
	if text := ledger.Label(o.labels, "nvidiacomgpureplicas"); text != "" {
		return max(number(text, ledger.MaxReplicas), 1) // "0" on nodes with MIG
	}
	return number(ledger.Label(o.labels, "cloudgooglecomgkemaxsharedclientspergpu"), ledger.MaxReplicas)
}

// clients is how many clients share each card by the node's capacity: if it exceeds the number of cards and is the same
// for each. Instances that are offered as GPUs are not clients.
func (o offered) clients(cards int, devices []ledger.Device) int {
	if cards == 0 {
		return 1
	}
	_, single := o.product()
	for _, d := range devices {
		if d.InMIG {
			single = "seen"
		}
	}
	for _, resource := range []string{ledger.ResourceGPUShared, ledger.ResourceGPU} {
		n := o.capacity[resource]
		if each := n / int64(cards); each > 1 && n%int64(cards) == 0 && each <= ledger.MaxReplicas &&
			(resource == ledger.ResourceGPUShared || single == "") {
			return int(each)
		}
	}
	return o.partsOfOthers(cards)
}

// cards are the whole and the cut cards in the capacity.
func (o offered) cards(replicas int) int {
	model, single := o.product()
	whole := believed(o.capacity[ledger.ResourceGPU] / int64(replicas))
	if whole == 0 {
		whole = believed(o.capacity[ledger.ResourceGPUShared] / int64(replicas))
	}
	var cut []string
	if single != "" {
		cut = repeat(cut, single, int64(whole))
		whole = 0
	}
	for name, n := range o.capacity {
		profile, ok := strings.CutPrefix(name, ledger.ResourceMIGPrefix)
		if !ok {
			continue
		}
		profile = strings.ReplaceAll(strings.TrimSuffix(profile, "_shared"), "_", ".")
		if each := number(ledger.Label(o.labels, "nvidiacommig"+strings.ReplaceAll(profile, ".", "")+"replicas"),
			ledger.MaxReplicas); each > 1 {
			n /= int64(each)
		}
		cut = repeat(cut, profile, instances(profile, n))
	}
	return min(whole+mig.CardsFor(model, cut)+o.cardsOfOthers(), ledger.MaxGPUs)
}

// partsOfOthers is how many parts each card of other makers is offered in: the cores of Neuron devices, AMD's
// partitions, cards that a plugin offers several times.
func (o offered) partsOfOthers(cards int) int {
	most := int64(1)
	for name, n := range o.capacity {
		a, ok := ledger.AcceleratorOf(name)
		switch {
		case !ok || n <= 0 || a.Name == nvidia:
		case a.Of > 0:
			most = max(most, a.Of)
		case n%int64(cards) == 0:
			most = max(most, n/int64(cards))
		}
	}
	if most > ledger.MaxReplicas {
		return 1
	}
	return int(most)
}

// nvidia is the maker of the cards whose parts have separate resource names.
const nvidia = "nvidia"

// cardsOfOthers are the cards of other makers in the capacity: resources of one maker are views of the same cards,
// except AMD's partitions.
func (o offered) cardsOfOthers() int {
	views, parts := map[string]int{}, map[int64]int64{}
	for name, n := range o.capacity {
		a, ok := ledger.AcceleratorOf(name)
		switch {
		case !ok || n <= 0 || a.Name == nvidia:
		case a.Of > 1:
			parts[a.Of] += n
		case a.Name == "neuron" && a.Of == 0 &&
			o.capacity["aws_amazon_com_neuron"]+o.capacity["aws_amazon_com_neurondevice"] > 0:
		case a.Of == 1 && a.Name == "amd": // SPX: one of them is a card
			parts[1] += n
		default:
			views[a.Name] = max(views[a.Name], believed(n))
		}
	}
	cards := 0
	for of, n := range parts {
		cards += believed((n + of - 1) / of)
	}
	for _, n := range views {
		cards += n
	}
	return cards
}

// instances is how many GPU instances n of a resource are: compute instances (1c.3g.20gb) share one.
func instances(profile string, n int64) int64 {
	head, rest, _ := strings.Cut(profile, ".")
	part, isPart := strings.CutSuffix(head, "c")
	of, _, _ := strings.Cut(rest, "g.")
	c, g := number(part, mig.MaxSlices), number(of, mig.MaxSlices)
	if !isPart || c == 0 || g == 0 {
		return n
	}
	return (n*int64(c) + int64(g) - 1) / int64(g)
}

// repeat adds a profile n times, up to a plausible number per machine.
func repeat(list []string, profile string, n int64) []string {
	if n > ledger.MaxGPUs*mig.MaxSlices {
		return list
	}
	for ; n > 0; n-- {
		list = append(list, profile)
	}
	return list
}

// believed is a count of cards that a machine can have, else 0.
func believed(n int64) int {
	if n < 0 || n > ledger.MaxGPUs {
		return 0
	}
	return int(n)
}

// number reads a label's count, 0 if it is not a number or beyond most.
func number(text string, most int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0
	}
	return n
}
