package metrics

import "gpuledger/internal/ledger"

// Definitions that several datasets share.

const (
	docEffective  = "Amortised cost (FOCUS EffectiveCost)."
	docBilled     = "Invoiced cost (FOCUS BilledCost)."
	docList       = "Public on-demand price (FOCUS ListCost)."
	docContracted = "Negotiated price before commitments (FOCUS ContractedCost)."
	docCurrency   = "ISO 4217 code; amounts of two currencies are never added. NULL if no cost is known."
	docState      = "How settled the money is: the least settled of the rows with a cost or still awaiting a bill."
	docQuality    = "How sure the figure is; mixed rows show the worst that makes at least 1 % of the effective cost."
)

var (
	causeNames   = names(ledger.Causes, func(c ledger.CauseInfo) string { return string(c.Cause) })
	stateNames   = []string{string(ledger.Provisional), string(ledger.Open), string(ledger.Final)}
	qualityNames = []string{string(ledger.Measured), string(ledger.Estimated), string(ledger.Assumed)}
	activities   = []string{string(ledger.Active), string(ledger.Idle), string(ledger.ActivityUnknown)}
	roleNames    = []string{string(ledger.Book), string(ledger.Evidence)}
	outcomeNames = []string{string(ledger.Succeeded), string(ledger.Failed), string(ledger.OOM), string(ledger.Timeout),
		string(ledger.Preempted), string(ledger.Evicted), string(ledger.NodeFailure), string(ledger.Suspended),
		string(ledger.Cancelled), string(ledger.Running), string(ledger.OutcomeUnknown)}
	priceClasses = []string{
		string(ledger.OnDemand), string(ledger.Spot), string(ledger.SavingsPlan),
		string(ledger.Reserved), string(ledger.Owned),
	}
)

func names[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = name(list[i])
	}
	return out
}

// exchangeRates comes with the option currency.
var exchangeRates = Column{Name: "exchange_rates", Kind: Text, Source: "exchange_rates",
	Doc: "Only with the option currency: ids of the rates that amounts of the row were multiplied by, as " +
		"version/from-to/day, separated by blanks; NULL if nothing was converted.",
	Formula: Formula{Op: OpDistinct, Field: "exchange_rate"}}

func currency() Column { return attr("currency", Text, docCurrency) }

// fourCosts are the cost columns of a ledger row, in the contract's order.
func fourCosts() []Column {
	return []Column{
		moneyColumn("effective_cost", docEffective, Field("effective_cost")),
		moneyColumn("billed_cost", docBilled, Field("billed_cost")),
		moneyColumn("list_cost", docList,
			Field("list_cost")).caveat("NULL if the bill has none; never taken from a price book for billed hours."),
		moneyColumn("contracted_cost", docContracted, Field("contracted_cost")),
	}
}

// summedCosts are fourCosts added over the rows of a group.
func summedCosts() []Column {
	cols := fourCosts()
	for i := range cols {
		cols[i].Formula = Sum(cols[i].Name)
	}
	return cols
}

func summedQuantities() []Column {
	return []Column{
		gpuHours("gpu_hours", "Physical-GPU equivalents held: a 1/7 slice held for one hour is 1/7.", Sum("gpu_hours")).
			caveat("Only compute lines carry quantities; a selection of other lines alone shows NULL."),
		gpuHours("used_gpu_hours", "GPU-hours with cause `used`.", SumAmongKnown("gpu_hours", Causes(ledger.Used))).
			caveat("NULL where gpu_hours is NULL."),
		gpuHours("active_gpu_hours", "∫ activity ratio × slice weight × hold share. A useful GPU-hour is an active one.",
			Sum("active_gpu_hours")).
			caveat("Minutes without a sample add nothing."),
	}
}

func energy() Column {
	return Column{Name: "energy_kwh", Kind: Quantity, Unit: "kWh", Doc: "Measured board energy.",
		Formula: Sum("energy_kwh"),
		Caveats: []string{"GPU boards only, without host, cooling or supply losses; NULL if not measured."}}
}

// ofMoney is the cost by which OpLeastSettled knows rows that hold no money.
var ofMoney = Sum("effective_cost")

// leastSettled leaves out open rows without cost, unless there are no others (ledger.State.Awaits).
func leastSettled() Column {
	return Column{
		Name: "state", Kind: Text, Doc: docState, Values: stateNames,
		Formula: Formula{Op: OpLeastSettled, Field: "state", Num: &ofMoney},
	}
}

func worstQuality() Column {
	return Column{
		Name: "quality", Kind: Text, Doc: docQuality, Values: qualityNames,
		Formula: Formula{Op: OpWorstQuality, Field: "quality"},
	}
}

// ownerColumns are the owner dimensions as attributes.
func ownerColumns() []Column {
	var cols []Column
	for _, name := range OwnerKeys {
		k, _ := LookupKey(name)
		cols = append(cols, attr(name, Text, k.Doc))
	}
	return cols
}
