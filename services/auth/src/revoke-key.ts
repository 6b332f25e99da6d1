import { newId } from '@looptide/service-kit/ids'
import { env } from './config.ts'
import { runWithKeys } from './run-with-keys.ts'

// `node src/revoke-key.ts`: deletes the signing key REVOKE_KID. Its tokens are refused everywhere as soon as auth's
// relay has published the event. Prints {"revoked":boolean}.
await runWithKeys(async (keys) => {
  const cause = { actorId: null, correlationId: newId(Date.now()) }
  return { revoked: await keys.revoke(env.REVOKE_KID ?? '', cause) }
})
