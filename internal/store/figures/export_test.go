package figures

// What tests of this room look at from outside.
const CPUSeconds = cpuSeconds
const MemoryBytes = memoryBytes

var WasteHolders = wasteHolders
var HeldHours = heldHours
