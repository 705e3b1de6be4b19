// Package world invents the events in a GPU fleet from a seed: machines, cards and their slices, pods and jobs with
// their true lives, wear, and deliberate waste (scene_waste.go). One world is one cluster on one site (site.go); each
// file scene_….go has one kind of scene.
//
// It owns its own tables of instance types, MIG profiles and prices, and the configuration. It writes nothing and knows
// no format: bills are in the package bills, telemetry and events in fleetsim.
//
// The same configuration gives the same world. It uses no clock and no global random numbers, and refuses inconsistent
// configurations.
package world
