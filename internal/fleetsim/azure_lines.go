package fleetsim

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"time"
)

const (
	azureEnrolment    = "74302915"
	azureSubscription = "7d0b7c1e-3a55-4a5f-9d0e-6f1c2b3a4d5e"
	azureNodeGroup    = "MC_acme-speech_aks-speech_westeurope"
	azureOrder        = "b2f0c1d4-5e6a-4b7c-8d9e-0f1a2b3c4d5e"
	azureReservation  = "0c9b8a7d-6e5f-4d3c-9b2a-1f0e9d8c7b6a"
	azureReserved     = 3 // machines under the reservation
)

func azureScaleSets(group string) string {
	return "/subscriptions/" + azureSubscription + "/resourceGroups/" + group + "/providers/Microsoft.Compute/virtualMachineScaleSets/"
}

const azureReservationID = "/providers/Microsoft.Capacity/reservationOrders/" + azureOrder + "/reservations/" + azureReservation

// azureLine is one row of an ActualCost or AmortizedCost export, by column
// name, with what the true ledger needs.
type azureLine struct {
	amortized bool
	file      string
	line      int64

	day   int64
	cells map[string]string

	rule    Rule
	node    *Node
	group   []*Node
	seconds int64
	team    string
}

// azureLines writes up what Azure charges per whole day until billTo.
func (w *World) azureLines() []*azureLine {
	r := newRNG(w.Config.Seed, 22)
	var lines []*azureLine
	both := func(l *azureLine) (actual, amortized *azureLine) {
		a, b := *l, *l
		a.cells, b.cells = maps.Clone(l.cells), maps.Clone(l.cells)
		b.amortized = true
		a.seconds = 0 // said once, by the export that carries the effective cost
		lines = append(lines, &a, &b)
		return &a, &b
	}
	one := func(l *azureLine) { lines = append(lines, l) }
	for day := w.From; day+86400 <= w.BillTo; day += 86400 {
		used, pooled, pool := int64(0), int64(0), []*Node{}
		for _, n := range w.Nodes {
			end := day + 86400
			if n.End != 0 {
				end = min(end, n.End)
			}
			sec := end - max(day, n.Launch)
			if sec <= 0 {
				continue
			}
			if n.pool == "serving" { // the meter of this pool is of the whole set, from when its members are up
				pooled, pool = pooled+end-max(day, n.Created), append(pool, n)
				continue
			}
			w.azureMachine(both, n, day, sec)
			if n.planned {
				used += sec
			}
		}
		if len(pool) > 0 {
			w.azureSet(both, pool, day, pooled)
		}
		if rest := azureReserved*86400 - used; rest > 0 {
			one(w.azureUnused(day, rest))
		}
		w.azureAround(both, day, r)
	}
	if len(lines) > 0 {
		one(w.azurePurchase("Purchase", w.From, "1", "35834.46"))
		one(w.azurePurchase("Refund", w.From, "-1", "-1194.48"))
	}
	return lines
}

// azureRow has the cells that all rows of a day share.
func (w *World) azureRow(day int64) *azureLine {
	first := time.Unix(day, 0).UTC()
	first = time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
	const us = "01/02/2006"
	return &azureLine{day: day, cells: map[string]string{
		"InvoiceSectionName": "Speech", "AccountName": "Acme Cloud", "AccountOwnerId": "cloud@acme.example", "SubscriptionId": azureSubscription, "SubscriptionName": "acme-speech",
		"ResourceLocation": "WestEurope", "Date": time.Unix(day, 0).UTC().Format(us), "MeterRegion": "EU West", "CostCenter": speech.costCenter, "OfferId": "MS-AZR-0017P",
		"PublisherType": "Azure", "PublisherName": "Microsoft", "ChargeType": "Usage", "Frequency": "UsageBased", "PricingModel": "OnDemand", "BillingAccountId": azureEnrolment,
		"BillingAccountName": "Acme Research BV", "BillingCurrencyCode": "EUR", "BillingPeriodStartDate": first.Format(us), "BillingPeriodEndDate": first.AddDate(0, 1, -1).Format(us),
		"BillingProfileId": azureEnrolment, "BillingProfileName": "Acme Research BV", "InvoiceSectionId": "31772", "IsAzureCreditEligible": "True", "PartNumber": "AAH-0" + fmt.Sprint(1000+day/86400%9000),
		"ServiceFamily": "Compute", "AccountId": "4417", "ResourceLocationNormalized": "westeurope",
	}}
}

// price fills quantity and prices; the cost is the product of the price that
// was paid and the quantity.
func (l *azureLine) price(quantity *big.Rat, paid, unit, list string) {
	c := l.cells
	c["Quantity"] = trimmed(quantity.FloatString(6))
	c["EffectivePrice"], c["UnitPrice"], c["PayGPrice"] = paid, unit, list
	c["CostInBillingCurrency"] = trimmed(new(big.Rat).Mul(Decimal(c["Quantity"]), Decimal(paid)).FloatString(16))
}

// trimmed drops zeros behind the point.
func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func (l *azureLine) meter(t *InstanceType, suffix string) {
	c := l.cells
	series, _, _ := strings.Cut(strings.TrimPrefix(t.product, "Virtual Machines "), " - ")
	c["ProductName"], c["MeterCategory"], c["MeterSubCategory"], c["MeterName"] = t.product+suffix, "Virtual Machines", series, t.meter+suffix
	c["MeterId"], c["ConsumedService"], c["UnitOfMeasure"] = newRNG(int64(len(t.Name+suffix)), 61, uint64(t.VCPU)).uuid(), "Microsoft.Compute", "1 Hour"
}

// azureMachine bills a day of one member of a scale set.
func (w *World) azureMachine(both func(*azureLine) (actual, amortized *azureLine), n *Node, day, sec int64) {
	l := w.azureRow(day)
	l.rule, l.node, l.seconds, l.team = OfMachine, n, sec, n.BillTeam
	suffix := ""
	if n.spot {
		suffix = " Spot"
	}
	l.meter(n.Type, suffix)
	w.azureResource(l, n.setName, day)
	l.cells["AdditionalInfo"] = additionalInfo(n.Type, fmt.Sprintf("%s_%d", n.setName, n.setIndex), n.spot)
	l.cells["Tags"] = w.azureTags(n)
	l.cells["AvailabilityZone"] = n.Zone[len(n.Zone)-1:]
	hours := big.NewRat(sec, 3600)
	switch {
	case n.planned:
		l.price(hours, n.Type.reservedRate, n.Type.OnDemand, n.Type.OnDemand)
		c := l.cells
		c["PricingModel"], c["ReservationId"], c["ReservationName"] = "Reservation", azureReservation, "nd96-train"
		c["benefitId"], c["benefitName"], c["ProductOrderId"], c["ProductOrderName"], c["Term"] = azureReservationID, "nd96-train", azureOrder, "Reserved VM Instance, "+n.Type.Name+", EU West, 1 Year", "12"
		actual, _ := both(l)
		actual.cells["EffectivePrice"], actual.cells["CostInBillingCurrency"] = "0", "0"
	case n.spot: // a meter of ten hours, whose quantity is hours all the same
		rate := fmt.Sprintf("%d.%03d", n.Type.spotMilli/1000, n.Type.spotMilli%1000)
		l.cells["UnitOfMeasure"], l.cells["PricingModel"] = "10 Hours", "Spot"
		l.price(hours, rate, rate, "1.45")
		both(l)
	default:
		l.price(hours, "3.28", "3.28", n.Type.OnDemand)
		both(l)
	}
}

// azureSet bills a day of a whole scale set on one row that names no member.
func (w *World) azureSet(both func(*azureLine) (actual, amortized *azureLine), pool []*Node, day, sec int64) {
	n := pool[0]
	l := w.azureRow(day)
	l.rule, l.group, l.seconds, l.team = OfMachine, pool, sec, n.BillTeam
	l.meter(n.Type, "")
	w.azureResource(l, n.setName, day)
	l.cells["AdditionalInfo"] = additionalInfo(n.Type, "", false)
	l.cells["Tags"] = w.azureTags(n)
	l.price(big.NewRat(sec, 3600), "3.28", "3.28", n.Type.OnDemand)
	both(l)
}

// azureResource names the scale set, never twice in the same case.
func (w *World) azureResource(l *azureLine, set string, day int64) {
	group, id := azureNodeGroup, ""
	if day/86400%2 == 0 {
		group = strings.ToUpper(group)
	}
	id = azureScaleSets(group) + set
	l.cells["ResourceId"], l.cells["ResourceGroup"], l.cells["ResourceName"] = id, group, set
}

func (w *World) azureTags(n *Node) string {
	return fmt.Sprintf(`"aks-managed-poolName": "%s","aks-managed-orchestrator": "Kubernetes:1.33.4","team": "%s"`, n.pool, n.BillTeam)
}

func additionalInfo(t *InstanceType, vm string, spot bool) string {
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

// azureUnused is what of the reservation nobody used that day.
func (w *World) azureUnused(day, sec int64) *azureLine {
	t := TypeOf(w.Site.training)
	l := w.azureRow(day)
	l.rule, l.amortized = Fee, true
	l.meter(t, "")
	l.price(big.NewRat(sec, 3600), t.reservedRate, "0", "0")
	w.azureReservationCells(l, "UnusedReservation")
	l.cells["SubscriptionId"], l.cells["SubscriptionName"] = "", ""
	return l
}

// azurePurchase is a payment for the reservation, or one of its machines given
// back.
func (w *World) azurePurchase(kind string, day int64, quantity, cost string) *azureLine {
	l := w.azureRow(day)
	l.rule = Fee
	l.meter(TypeOf(w.Site.training), "")
	w.azureReservationCells(l, kind)
	c := l.cells
	c["Quantity"], c["CostInBillingCurrency"], c["EffectivePrice"], c["UnitPrice"], c["PayGPrice"], c["Frequency"] = quantity, cost, strings.TrimPrefix(cost, "-"), strings.TrimPrefix(cost, "-"), "0", "Recurring"
	if kind == "Refund" {
		c["Frequency"] = "OneTime"
	}
	return l
}

func (w *World) azureReservationCells(l *azureLine, kind string) {
	c := l.cells
	c["ChargeType"], c["PricingModel"], c["ConsumedService"], c["ResourceId"] = kind, "Reservation", "Microsoft.Capacity", azureReservationID
	c["ReservationId"], c["ReservationName"], c["benefitId"], c["benefitName"] = azureReservation, "nd96-train", azureReservationID, "nd96-train"
	c["ProductOrderId"], c["ProductOrderName"], c["Term"] = azureOrder, "Reserved VM Instance, "+w.Site.training+", EU West, 1 Year", "12"
}

// azureAround is the rest of the subscription.
func (w *World) azureAround(both func(*azureLine) (actual, amortized *azureLine), day int64, r *rng) {
	row := func(rule Rule, category, sub, meter, service, unit, resource, team string, quantity *big.Rat, price string) *azureLine {
		l := w.azureRow(day)
		l.rule, l.team = rule, team
		c := l.cells
		c["ProductName"], c["MeterCategory"], c["MeterSubCategory"], c["MeterName"], c["ConsumedService"], c["UnitOfMeasure"] = category+" - "+meter, category, sub, meter, service, unit
		c["MeterId"] = newRNG(int64(len(meter)), 62).uuid()
		c["ResourceId"], c["ResourceGroup"] = resource, "acme-speech"
		if team != "" {
			c["Tags"] = `"team": "` + team + `"`
		}
		l.price(quantity, price, price, price)
		both(l)
		return l
	}
	scope := "/subscriptions/" + azureSubscription + "/resourceGroups/acme-speech/providers/"
	row(Attached, "Azure Kubernetes Service", "", "Standard Uptime SLA", "Microsoft.ContainerService", "1 Hour", scope+"Microsoft.ContainerService/managedClusters/"+w.Config.Cluster, platform.name, big.NewRat(24, 1), "0.0939")
	row(Elsewhere, "Storage", "Premium SSD Managed Disks", "P30 LRS Disk", "Microsoft.Compute", "1/Month", scope+"Microsoft.Compute/disks/pvc-transcripts", speech.name, big.NewRat(4, 31), "118.31")
	row(Elsewhere, "Storage", "Tiered Block Blob", "Hot LRS Write Operations", "Microsoft.Storage", "10K", scope+"Microsoft.Storage/storageAccounts/acmespeech", "", big.NewRat(r.between(1, 900), 7), "0.0499")
	idle := w.azureRow(day) // a capacity reservation that no machine was in
	idle.rule, idle.team = Fee, platform.name
	idle.meter(TypeOf("Standard_NC24ads_A100_v4"), "")
	idle.cells["ResourceId"] = scope + "Microsoft.Compute/capacityReservationGroups/held/capacityReservations/nc24"
	idle.cells["AdditionalInfo"] = `{"UsageType":"ComputeCR","ServiceType":"Standard_NC24ads_A100_v4","VCPUs":24}`
	idle.cells["Tags"] = `"team": "` + platform.name + `"`
	idle.price(big.NewRat(7, 4), "3.28", "3.28", TypeOf("Standard_NC24ads_A100_v4").OnDemand)
	both(idle)
	if day == w.From { // in both exports, as everything from the marketplace
		l := w.azureRow(day)
		c := l.cells
		l.rule = Elsewhere
		c["ChargeType"], c["Frequency"], c["PublisherType"], c["PublisherName"], c["ProductName"], c["MeterCategory"], c["UnitOfMeasure"] = "Purchase", "OneTime", "Marketplace", "Labelling Co", "Labelling plan", "SaaS", "1"
		c["ResourceId"], c["IsAzureCreditEligible"] = scope+"Microsoft.SaaS/resources/labels", "False"
		l.price(big.NewRat(1, 1), "240", "240", "0")
		both(l)
	}
}
