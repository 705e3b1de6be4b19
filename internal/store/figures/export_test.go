package figures

// Names that tests in package figures_test use.
const CPUSeconds = cpuSeconds
const MemoryBytes = memoryBytes

var WasteHolders = wasteHolders
var HeldHours = heldHours
