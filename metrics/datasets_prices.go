package metrics

// What prices hours that no bill has (docs/rules.md 8.12 to 8.14).
const (
	PriceOfBook     = "price_book"
	PriceOfBill     = "bill_rate"
	PricePublic     = "public_price"
	PriceTypical    = "typical_price"
	PricePrepaid    = "prepaid"
	PriceUncharged  = "uncharged"
	PriceMayBe      = "may_be_billed"
	PriceUnknown    = "unknown"
	priceSourceNote = "price_book: the price book; bill_rate: the bill's latest rate of that type, region and price " +
		"class; public_price: the public list price, assumed; typical_price: the lowest of all public prices of that " +
		"GPU model, assumed; prepaid: capacity that was paid at once; uncharged: the bill covers the hour and has no " +
		"line of it; may_be_billed: nobody knows whose account the machine is of, and a bill of the book may hold the " +
		"hour under another name; unknown: nothing prices it."
)

var provisionalPrices = Dataset{
	Name: "provisional_prices",
	Doc: "At which prices hours stand that no bill has: one row per cluster, machine type, price class and price. A " +
		"bill or a price book replaces them.",
	Columns: sourced("parts, nodes, posted_rates", []Column{
		attr("cluster", Text, "Cluster; NULL for machines outside one."),
		attr("instance_type", Text, "Instance type; NULL where nothing names it."),
		attr("region", Text, "Region; NULL where nothing names it."),
		attr("price_class", Text, "How the machine is bought; NULL where nothing says it."),
		attr("price_source", Text, priceSourceNote).values(PriceOfBook, PriceOfBill, PricePublic, PriceTypical, PricePrepaid,
			PriceUncharged, PriceMayBe, PriceUnknown),
		attr("price", Text, "Which price, and of which day; NULL where nothing prices them."),
		gpuHours("capacity_gpu_hours", "GPU-hours of the machines in these hours.", Field("capacity_gpu_hours")),
		moneyColumn("effective_cost", "What they cost at that price; NULL where nothing prices them.",
			Field("effective_cost")),
		moneyColumn("would_cost", "What hours that may be billed would cost at that price: no total has it. NULL of others.",
			Field("would_cost")),
		{
			Name: "cost_per_gpu_hour", Kind: Ratio, Unit: "currency per GPU-hour", Doc: "Cost ÷ GPU-hours.",
			Formula: RatioOf(Field("effective_cost"), Field("capacity_gpu_hours")),
		},
		currency(),
		attr("state", Text, docState).values(stateNames...),
		attr("first_hour", Time, "The first such hour."),
		attr("last_hour", Time, "The last one."),
	}...),
	Windowed: true,
	RowKey:   []string{"cluster", "instance_type", "region", "price_class", "price_source", "price", "currency"},
	Order:    []Order{{Column: "capacity_gpu_hours", Desc: true}, {Column: "cluster"}, {Column: "instance_type"}},
}
