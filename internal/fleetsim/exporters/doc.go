// Package exporters serves, over HTTP, the current metrics of the exporters of an invented fleet: dcgm-exporter on
// every node, kube-state-metrics per cluster, the metrics of inference servers and trainers, service discovery for them
// in Prometheus' http_sd format, and a Prometheus configuration that scrapes all of it and forwards it.
//
// It owns the paths; fleetsim supplies the metrics. It refuses times outside the fleet's story, answers 503 while the
// story has a gap, and reads the clock that it is given.
package exporters
