set local gpuledger.closing = 'on'
