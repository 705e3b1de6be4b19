// Package fleetsim invents a GPU fleet from a seed and writes it out in the
// formats that real systems deliver: CUR 2.0 partitions, Google's detailed
// export as NDJSON per export day, Azure's ActualCost and AmortizedCost with
// their manifests, OpenMetrics of dcgm-exporter, kube-state-metrics, hosts,
// containers and inference servers,
// EventBridge spot events, a price book with rates and owned machines. Beside
// them it states the true ledger: for every billed line, which slot-seconds it
// paid for and why, as exact rationals.
//
// A fleet is one cluster per site (site.go): EKS always, GKE, AKS and bare metal
// by configuration. Each has a world (what happens), telemetry and a bill; bills
// become charges (charge.go), on which section 8 of the rules works without
// knowing the provider.
//
// It owns its own tables of instance types, MIG profiles and prices and shares
// nothing with ingest, the catalogue or allocation, because it is the oracle
// they are tested against. It reads docs/rules.md a second time, and
// docs/figures.md, from its own event log. What it wastes on purpose is in
// scene_waste.go, all that is wasted by the rules in truth_waste.go.
//
// It guarantees: the same configuration gives the same bytes; the truth of a
// charge adds up to the charge exactly; telemetry is written day by day, so
// that only the bill and the events take memory by the number of days (the
// truth takes all of it and is for tests). It refuses clocks and global random
// numbers.
package fleetsim
