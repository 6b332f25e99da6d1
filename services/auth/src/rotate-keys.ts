import { runWithKeys } from './run-with-keys.ts'

// `node src/rotate-keys.ts` creates a signing key and prints {"kid":"…"}. The former key is retired. It stays published
// until the last token it signed has expired.
await runWithKeys(async (keys) => ({ kid: await keys.rotate() }))
