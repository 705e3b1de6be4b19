package verify

// Names that tests in package verify_test use.
type Invariant = invariant

var CheckDigests = checkDigests
var OfRollUps = ofRollUps
var OfSharing = ofSharing
