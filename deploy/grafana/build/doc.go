// Command build writes the Grafana dashboards of deploy/grafana from Go.
//
//	go -C deploy/grafana/build run .
//
// Each board is a list of panels in a file named like it; board.go has the few forms that they share. Data sources are
// variables, so a board can be imported anywhere. Money and hours come from the views of bi_v1, by whole UTC days that
// begin in the time range; figures of alerts come from Prometheus.
package main
