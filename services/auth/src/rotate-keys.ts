import { runWithKeys } from './run-with-keys.ts'

// `node src/rotate-keys.ts`: a new signing key; the old one is retired and stays published until its
// last token has run out. Prints {"kid":"…"}.
await runWithKeys(async (keys) => ({ kid: await keys.rotate() }))
