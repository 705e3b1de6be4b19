package ledger

// MeasuredEnergy is what telemetry knows of the energy of a node's devices in
// an hour.
type MeasuredEnergy struct {
	Joules int64
	// DeviceSeconds are the seconds that the joules are of, added up over
	// devices: 8 × 3600 when all of eight are known throughout.
	DeviceSeconds int64
}
