// Package machines serves the pages about the fleet: the state of machines now, one
// device with its last hour, and the figures of devices, slices and requests.
//
// The state of machines comes from facts alone, by the server's clock, without
// money. Time that was not observed counts as unobserved, not as idle.
package machines
