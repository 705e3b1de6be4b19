// Package exporters serves, over HTTP, what the exporters of an invented fleet
// would serve at this instant: dcgm-exporter on every node, kube-state-metrics
// per cluster, the metrics of inference servers and trainers, service
// discovery for them in Prometheus' http_sd format, and a Prometheus
// configuration that scrapes all of it and writes it on.
//
// It owns the paths; what is served comes from fleetsim. It refuses times
// outside of the fleet's story, answers 503 where the story has a gap, and
// reads the clock that it is given.
package exporters
