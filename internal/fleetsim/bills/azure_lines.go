package bills

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"time"

	"gpuledger/internal/fleetsim/world"
)

const (
	azureEnrolment   = "74302915"
	azureOrder       = "b2f0c1d4-5e6a-4b7c-8d9e-0f1a2b3c4d5e"
	azureReservation = "0c9b8a7d-6e5f-4d3c-9b2a-1f0e9d8c7b6a"
	azureReserved    = 3 // machines under the reservation
)

const azureReservationID = "/providers/Microsoft.Capacity/reservationOrders/" + azureOrder + "/reservations/" +
	azureReservation

// azureLine is one row of an ActualCost or AmortizedCost export, by column name, with the data that the true ledger
// needs.
type azureLine struct {
	amortized bool
	file      string
	line      int64

	day   int64
	cells map[string]string

	rule    Rule
	node    *world.Node
	group   []*world.Node
	seconds int64
	team    string
}

// azureLines writes Azure's charges per whole day until billTo.
func azureLines(w *world.World) []*azureLine {
	r := world.NewRNG(w.Config.Seed, 22)
	var lines []*azureLine
	both := func(l *azureLine) (actual, amortized *azureLine) {
		a, b := *l, *l
		a.cells, b.cells = maps.Clone(l.cells), maps.Clone(l.cells)
		b.amortized = true
		a.seconds = 0 // counted once, in the export that has the effective cost
		lines = append(lines, &a, &b)
		return &a, &b
	}
	one := func(l *azureLine) { lines = append(lines, l) }
	for day := w.From; day+86400 <= w.BillTo; day += 86400 {
		used, pooled, pool := int64(0), int64(0), []*world.Node{}
		for _, n := range w.Nodes {
			end := day + 86400
			if n.End != 0 {
				end = min(end, n.End)
			}
			sec := end - max(day, n.Launch)
			if sec <= 0 {
				continue
			}
			if n.Pool == "serving" { // the meter of this pool is for the whole set, from when its members are up
				pooled, pool = pooled+end-max(day, n.Created), append(pool, n)
				continue
			}
			azureMachine(w, both, n, day, sec)
			if n.Planned {
				used += sec
			}
		}
		if len(pool) > 0 {
			azureSet(w, both, pool, day, pooled)
		}
		if rest := azureReserved*86400 - used; rest > 0 {
			one(azureUnused(w, day, rest))
		}
		azureAround(w, both, day, r)
	}
	if len(lines) > 0 {
		one(azurePurchase(w, "Purchase", w.From, "1", "35834.46"))
		one(azurePurchase(w, "Refund", w.From, "-1", "-1194.48"))
	}
	return lines
}

// azureRow has the cells that all rows of a day share.
func azureRow(w *world.World, day int64) *azureLine {
	first := time.Unix(day, 0).UTC()
	first = time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
	const us = "01/02/2006"
	return &azureLine{day: day, cells: map[string]string{
		"InvoiceSectionName": "Speech", "AccountName": "Acme Cloud", "AccountOwnerId": "cloud@acme.example",
		"SubscriptionId": world.AzureSubscription, "SubscriptionName": "acme-speech",
		"ResourceLocation": "WestEurope", "Date": time.Unix(day, 0).UTC().Format(us),
		"MeterRegion": "EU West", "CostCenter": world.Speech.CostCenter, "OfferId": "MS-AZR-0017P",
		"PublisherType": "Azure", "PublisherName": "Microsoft", "ChargeType": "Usage",
		"Frequency": "UsageBased", "PricingModel": "OnDemand", "BillingAccountId": azureEnrolment,
		"BillingAccountName": "Acme Research BV", "BillingCurrencyCode": "EUR",
		"BillingPeriodStartDate": first.Format(us), "BillingPeriodEndDate": first.AddDate(0, 1, -1).Format(us),
		"BillingProfileId": azureEnrolment, "BillingProfileName": "Acme Research BV", "InvoiceSectionId": "31772",
		"IsAzureCreditEligible": "True", "PartNumber": "AAH-0" + fmt.Sprint(1000+day/86400%9000),
		"ServiceFamily": "Compute", "AccountId": "4417", "ResourceLocationNormalized": "westeurope",
	}}
}

// price fills quantity and prices; the cost is the product of the paid price and the quantity.
func (l *azureLine) price(quantity *big.Rat, paid, unit, list string) {
	c := l.cells
	c["Quantity"] = trimmed(quantity.FloatString(6))
	c["EffectivePrice"], c["UnitPrice"], c["PayGPrice"] = paid, unit, list
	c["CostInBillingCurrency"] = trimmed(new(big.Rat).Mul(world.Decimal(c["Quantity"]),
		world.Decimal(paid)).FloatString(16))
}

// trimmed drops zeros behind the point.
func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func (l *azureLine) meter(t *world.InstanceType, suffix string) {
	c := l.cells
	series, _, _ := strings.Cut(strings.TrimPrefix(t.Product, "Virtual Machines "), " - ")
	c["ProductName"], c["MeterCategory"], c["MeterSubCategory"],
		c["MeterName"] = t.Product+suffix, "Virtual Machines", series, t.Meter+suffix
	c["MeterId"], c["ConsumedService"],
		c["UnitOfMeasure"] = world.NewRNG(int64(len(t.Name+suffix)), 61, uint64(t.VCPU)).UUID(), "Microsoft.Compute", "1 Hour"
}

// azureMachine bills a day of one member of a scale set.
func azureMachine(w *world.World, both func(*azureLine) (actual, amortized *azureLine), n *world.Node, day, sec int64) {
	l := azureRow(w, day)
	l.rule, l.node, l.seconds, l.team = OfMachine, n, sec, n.BillTeam
	suffix := ""
	if n.Spot {
		suffix = " Spot"
	}
	l.meter(n.Type, suffix)
	azureResource(w, l, n.SetName, day)
	l.cells["AdditionalInfo"] = additionalInfo(n.Type, fmt.Sprintf("%s_%d", n.SetName, n.SetIndex), n.Spot)
	l.cells["Tags"] = azureTags(w, n)
	l.cells["AvailabilityZone"] = n.Zone[len(n.Zone)-1:]
	hours := big.NewRat(sec, 3600)
	switch {
	case n.Planned:
		l.price(hours, n.Type.ReservedRate, n.Type.OnDemand, n.Type.OnDemand)
		c := l.cells
		c["PricingModel"], c["ReservationId"], c["ReservationName"] = "Reservation", azureReservation, "nd96-train"
		c["benefitId"], c["benefitName"], c["ProductOrderId"], c["ProductOrderName"], c["Term"] = azureReservationID,
			"nd96-train", azureOrder, "Reserved VM Instance, "+n.Type.Name+", EU West, 1 Year", "12"
		actual, _ := both(l)
		actual.cells["EffectivePrice"], actual.cells["CostInBillingCurrency"] = "0", "0"
	case n.Spot: // a meter of ten hours; its quantity is still in hours
		rate := fmt.Sprintf("%d.%03d", n.Type.SpotMilli/1000, n.Type.SpotMilli%1000)
		l.cells["UnitOfMeasure"], l.cells["PricingModel"] = "10 Hours", "Spot"
		l.price(hours, rate, rate, "1.45")
		both(l)
	default:
		l.price(hours, "3.28", "3.28", n.Type.OnDemand)
		both(l)
	}
}

// azureSet bills a day of a whole scale set on one row that names no member.
func azureSet(
	w *world.World, both func(*azureLine) (actual, amortized *azureLine), pool []*world.Node, day, sec int64,
) {
	n := pool[0]
	l := azureRow(w, day)
	l.rule, l.group, l.seconds, l.team = OfMachine, pool, sec, n.BillTeam
	l.meter(n.Type, "")
	azureResource(w, l, n.SetName, day)
	l.cells["AdditionalInfo"] = additionalInfo(n.Type, "", false)
	l.cells["Tags"] = azureTags(w, n)
	l.price(big.NewRat(sec, 3600), "3.28", "3.28", n.Type.OnDemand)
	both(l)
}

// azureResource names the scale set, never twice in the same case.
func azureResource(w *world.World, l *azureLine, set string, day int64) {
	group, id := world.AzureNodeGroup, ""
	if day/86400%2 == 0 {
		group = strings.ToUpper(group)
	}
	id = world.AzureScaleSets(group) + set
	l.cells["ResourceId"], l.cells["ResourceGroup"], l.cells["ResourceName"] = id, group, set
}

func azureTags(w *world.World, n *world.Node) string {
	return fmt.Sprintf(`"aks-managed-poolName": "%s","aks-managed-orchestrator": "Kubernetes:1.33.4","team": "%s"`, n.Pool,
		n.BillTeam)
}

func additionalInfo(t *world.InstanceType, vm string, spot bool) string {
	info := struct {
		UsageType, ImageType, ServiceType string
		VMName                            string `json:",omitempty"`
		VMProperties                      string
		VCPUs                             int
	}{"ComputeHR", "Canonical", t.Name, vm, "Microsoft.AKS.Compute.AKS.Linux.Billing", t.VCPU}
	if spot {
		info.UsageType = "ComputeHR_SPOT"
	}
	b, err := json.Marshal(info)
	if err != nil {
		return ""
	}
	return string(b)
}

// azureUnused is the unused part of the reservation on that day.
func azureUnused(w *world.World, day, sec int64) *azureLine {
	t := world.TypeOf(w.Site.Training)
	l := azureRow(w, day)
	l.rule, l.amortized = Fee, true
	l.meter(t, "")
	l.price(big.NewRat(sec, 3600), t.ReservedRate, "0", "0")
	azureReservationCells(w, l, "UnusedReservation")
	l.cells["SubscriptionId"], l.cells["SubscriptionName"] = "", ""
	return l
}

// azurePurchase is a payment for the reservation, or the return of one of its machines.
func azurePurchase(w *world.World, kind string, day int64, quantity, cost string) *azureLine {
	l := azureRow(w, day)
	l.rule = Fee
	l.meter(world.TypeOf(w.Site.Training), "")
	azureReservationCells(w, l, kind)
	c := l.cells
	c["Quantity"], c["CostInBillingCurrency"], c["EffectivePrice"], c["UnitPrice"], c["PayGPrice"],
		c["Frequency"] = quantity, cost, strings.TrimPrefix(cost, "-"), strings.TrimPrefix(cost, "-"), "0", "Recurring"
	if kind == "Refund" {
		c["Frequency"] = "OneTime"
	}
	return l
}

func azureReservationCells(w *world.World, l *azureLine, kind string) {
	c := l.cells
	c["ChargeType"], c["PricingModel"], c["ConsumedService"],
		c["ResourceId"] = kind, "Reservation", "Microsoft.Capacity", azureReservationID
	c["ReservationId"], c["ReservationName"], c["benefitId"],
		c["benefitName"] = azureReservation, "nd96-train", azureReservationID, "nd96-train"
	c["ProductOrderId"], c["ProductOrderName"], c["Term"] = azureOrder,
		"Reserved VM Instance, "+w.Site.Training+", EU West, 1 Year", "12"
}

// azureAround is the rest of the subscription.
func azureAround(w *world.World, both func(*azureLine) (actual, amortized *azureLine), day int64, r *world.RNG) {
	row := func(rule Rule, category, sub, meter, service, unit, resource, team string, quantity *big.Rat,
		price string) *azureLine {
		l := azureRow(w, day)
		l.rule, l.team = rule, team
		c := l.cells
		c["ProductName"], c["MeterCategory"], c["MeterSubCategory"], c["MeterName"], c["ConsumedService"],
			c["UnitOfMeasure"] = category+" - "+meter, category, sub, meter, service, unit
		c["MeterId"] = world.NewRNG(int64(len(meter)), 62).UUID()
		c["ResourceId"], c["ResourceGroup"] = resource, "acme-speech"
		if team != "" {
			c["Tags"] = `"team": "` + team + `"`
		}
		l.price(quantity, price, price, price)
		both(l)
		return l
	}
	scope := "/subscriptions/" + world.AzureSubscription + "/resourceGroups/acme-speech/providers/"
	row(Attached, "Azure Kubernetes Service", "", "Standard Uptime SLA", "Microsoft.ContainerService", "1 Hour",
		scope+"Microsoft.ContainerService/managedClusters/"+w.Config.Cluster,
		world.Platform.Name, big.NewRat(24, 1), "0.0939")
	row(Elsewhere, "Storage", "Premium SSD Managed Disks", "P30 LRS Disk", "Microsoft.Compute", "1/Month",
		scope+"Microsoft.Compute/disks/pvc-transcripts", world.Speech.Name, big.NewRat(4, 31), "118.31")
	row(Elsewhere, "Storage", "Tiered Block Blob", "Hot LRS Write Operations", "Microsoft.Storage", "10K",
		scope+"Microsoft.Storage/storageAccounts/acmespeech", "", big.NewRat(r.Between(1, 900), 7), "0.0499")
	idle := azureRow(w, day) // a capacity reservation without a machine
	idle.rule, idle.team = Fee, world.Platform.Name
	idle.meter(world.TypeOf("Standard_NC24ads_A100_v4"), "")
	idle.cells["ResourceId"] = scope + "Microsoft.Compute/capacityReservationGroups/held/capacityReservations/nc24"
	idle.cells["AdditionalInfo"] = `{"UsageType":"ComputeCR","ServiceType":"Standard_NC24ads_A100_v4","VCPUs":24}`
	idle.cells["Tags"] = `"team": "` + world.Platform.Name + `"`
	idle.price(big.NewRat(7, 4), "3.28", "3.28", world.TypeOf("Standard_NC24ads_A100_v4").OnDemand)
	both(idle)
	if day == w.From { // in both exports, like everything from the marketplace
		l := azureRow(w, day)
		c := l.cells
		l.rule = Elsewhere
		c["ChargeType"], c["Frequency"], c["PublisherType"], c["PublisherName"], c["ProductName"], c["MeterCategory"],
			c["UnitOfMeasure"] = "Purchase", "OneTime", "Marketplace", "Labelling Co", "Labelling plan", "SaaS", "1"
		c["ResourceId"], c["IsAzureCreditEligible"] = scope+"Microsoft.SaaS/resources/labels", "False"
		l.price(big.NewRat(1, 1), "240", "240", "0")
		both(l)
	}
}
