package metrics

// Sources of prices for hours without a bill (docs/rules.md 8.12 to 8.14).
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
		"class; public_price: the public list price, assumed; typical_price: the lowest of all public prices of that GPU " +
		"model, assumed; prepaid: capacity that was paid upfront; uncharged: the bill covers the hour but has no line for " +
		"it; may_be_billed: the machine's account is unknown, and a bill of the book may have the hour under another name; " +
		"unknown: no price."
)

var provisionalPrices = Dataset{
	Name: "provisional_prices",
	Lead: []string{"cluster", "instance_type", "price_class", "price", "currency", "effective_cost",
		"capacity_gpu_hours", "price_source", "region"},
	Doc: "Prices of hours without a bill: one row per cluster, machine type, price class and price. A bill or a price " +
		"book replaces them.",
	Columns: sourced("parts, nodes, posted_rates", []Column{
		attr("cluster", Text, "Cluster; NULL for machines outside one."),
		attr("instance_type", Text, "Instance type; NULL if unknown."),
		attr("region", Text, "Region; NULL if unknown."),
		attr("price_class", Text, "How the machine is bought; NULL if unknown."),
		attr("price_source", Text, priceSourceNote).values(PriceOfBook, PriceOfBill, PricePublic, PriceTypical, PricePrepaid,
			PriceUncharged, PriceMayBe, PriceUnknown),
		attr("price", Text, "The price and its day; NULL without a price."),
		gpuHours("capacity_gpu_hours", "GPU-hours of the machines in these hours.", Field("capacity_gpu_hours")),
		moneyColumn("effective_cost", "Cost of these hours at that price; NULL without a price.",
			Field("effective_cost")),
		moneyColumn("would_cost", "Cost at that price of hours that may be billed; it is in no total. NULL for other hours.",
			Field("would_cost")),
		{
			Name: "cost_per_gpu_hour", Kind: Ratio, Unit: "currency per GPU-hour", Doc: "Cost ÷ GPU-hours.",
			Formula: RatioOf(Field("effective_cost"), Field("capacity_gpu_hours")),
		},
		currency(),
		attr("state", Text, docState).values(stateNames...),
		attr("first_hour", Time, "The first such hour."),
		attr("last_hour", Time, "The last such hour."),
	}...),
	Windowed: true,
	RowKey:   []string{"cluster", "instance_type", "region", "price_class", "price_source", "price", "currency"},
	Order:    []Order{{Column: "capacity_gpu_hours", Desc: true}, {Column: "cluster"}, {Column: "instance_type"}},
}
