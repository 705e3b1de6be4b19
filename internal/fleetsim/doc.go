// Package fleetsim invents a GPU fleet from a seed and writes it out in the
// formats that real systems deliver: CUR 2.0 partitions, Google's detailed
// export as NDJSON per export day, Azure's ActualCost and AmortizedCost with
// their manifests, OpenMetrics of dcgm-exporter, kube-state-metrics, hosts,
// containers and inference servers,
// EventBridge spot events, a price book with rates and owned machines. What the
// right figures about it are says the package truth, which reads the event log;
// this one never asks it.
//
// A fleet is one cluster per site (site.go): EKS always, GKE, AKS and bare metal
// by configuration. Each has a world (what happens), telemetry and a bill; bills
// become charges (charge.go), which no longer tell the provider.
//
// It owns its own tables of instance types, MIG profiles and prices and shares
// nothing with ingest, the catalogue or allocation, because it is the oracle
// they are tested against. What it wastes on purpose is in scene_waste.go.
//
// It guarantees: the same configuration gives the same bytes; telemetry is
// written day by day, so that only the bill and the events take memory by the
// number of days. It refuses clocks and global random numbers.
package fleetsim
