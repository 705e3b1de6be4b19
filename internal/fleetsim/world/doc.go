// Package world invents what happens in a GPU fleet, from a seed: machines, cards
// and their slices, pods and jobs with their true lives, what wears out, and what
// is wasted on purpose (scene_waste.go). One world is one cluster on one site
// (site.go); the files scene_….go say what is played there.
//
// It owns its own tables of instance types, MIG profiles and prices, and the
// configuration. It writes nothing and knows no format: bills are in the package
// bills, telemetry and events in fleetsim.
//
// It guarantees that the same configuration gives the same world. It refuses
// clocks, global random numbers, and configurations that make no sense.
package world
