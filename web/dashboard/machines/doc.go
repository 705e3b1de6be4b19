// Package machines answers the pages about the fleet: what machines do now, one
// device with its last hour, and the figures of devices, slices and requests.
//
// What machines do now is read from facts alone, by the server's clock, and
// knows no money: what was not observed is said to be unobserved, not idle.
package machines
