// Package fleetsim writes an invented GPU fleet out in the formats that real
// systems deliver: beside the bills (package bills) OpenMetrics of dcgm-exporter,
// kube-state-metrics, hosts, containers and inference servers, EventBridge and
// other spot events, sacct of Slurm, results of experiments. What happens in the
// fleet is invented by the package world; what the right figures about it are says
// the package truth, which this one never asks.
//
// A fleet is one cluster per site: EKS always, GKE, AKS and bare metal by
// configuration. Each has a world, telemetry and a bill. Exporters serve at an
// instant what the files hold of it.
//
// It shares nothing with ingest, the catalogue or allocation, because it is the
// oracle they are tested against.
//
// It guarantees: the same configuration gives the same bytes; telemetry is
// written day by day, so that only the bill and the events take memory by the
// number of days. It refuses clocks and global random numbers.
package fleetsim
