import { newId } from '@looptide/service-kit/db/ids'
import { env } from './config.ts'
import { runWithKeys } from './run-with-keys.ts'

// `node src/revoke-key.ts` deletes the signing key REVOKE_KID and prints {"revoked":boolean}. Every process refuses the
// key's tokens as soon as the outbox relay of auth has published the event.
await runWithKeys(async (keys) => {
  const cause = { actorId: null, correlationId: newId(Date.now()) }
  return { revoked: await keys.revoke(env.REVOKE_KID ?? '', cause) }
})
