package pages

// Names that tests in package pages_test use.
const SilentFor = silentFor
