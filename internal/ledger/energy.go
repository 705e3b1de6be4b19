package ledger

// MeasuredEnergy is the measured energy of a node's devices in an hour.
type MeasuredEnergy struct {
	Joules int64
	// DeviceSeconds are the seconds that the joules cover, added up over devices: 8 × 3600 if all of eight are known
	// for the whole hour.
	DeviceSeconds int64
}
