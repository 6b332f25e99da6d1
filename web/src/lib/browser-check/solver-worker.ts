import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { handler } from 'altcha-lib/workers/shared'

// A Web Worker that solves one proof-of-work challenge.
handler({ deriveKey })
