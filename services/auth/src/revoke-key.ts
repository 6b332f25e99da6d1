import { createDb } from '@looptide/service-kit/db'
import { newId } from '@looptide/service-kit/ids'
import { createLogger } from '@looptide/service-kit/logger'
import { env, loadConfig } from './config.ts'
import { Vault } from './crypto/vault.ts'
import type { AuthDatabase } from './db/schema.ts'
import { SigningKeys } from './features/keys/signing-keys.ts'

// `node src/revoke-key.ts`: deletes the signing key REVOKE_KID. Its tokens count nowhere any more as soon as auth's
// relay has published the event. Prints {"revoked":boolean}.
const config = loadConfig()
const logger = createLogger('auth', 'warn')
const db = createDb<AuthDatabase>(config.databaseUrl, logger, 1)
try {
  const keys = new SigningKeys({
    db,
    vault: new Vault(config.keySecret, config.previousKeySecret),
    accessTokenTtlS: config.accessTokenTtlS,
    now: Date.now,
    warn: (error) => logger.warn({ err: error }, 'the keys could not be read'),
  })
  const revoked = await keys.revoke(env.REVOKE_KID ?? '', { actorId: null, correlationId: newId(Date.now()) })
  process.stdout.write(`${JSON.stringify({ revoked })}\n`)
} finally {
  await db.destroy()
}
