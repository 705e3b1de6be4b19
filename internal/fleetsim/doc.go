// Package fleetsim writes an invented GPU fleet in the formats of real systems: in addition to the bills (package
// bills) OpenMetrics of dcgm-exporter, kube-state-metrics, hosts, containers and inference servers, EventBridge and
// other spot events, sacct of Slurm, results of experiments. Package world invents the events in the fleet; package
// truth computes the right figures about it, and this package never uses truth.
//
// A fleet is one cluster per site: EKS always, GKE, AKS and bare metal by configuration. Each has a world, telemetry
// and a bill. At any instant exporters serve the same values as the files.
//
// It shares nothing with ingest, the catalogue or allocation, because it is the oracle they are tested against.
//
// The same configuration gives the same bytes. Telemetry is written day by day, so only the bill and the events take
// memory in proportion to the number of days. It uses no clock and no global random numbers.
package fleetsim
