import { createDb, PROGRAM_TIMEOUTS } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { env, loadConfig } from './config.ts'
import { Vault } from './crypto/vault.ts'
import type { Database } from './db/schema.ts'
import { SigningKeys } from './features/keys/signing-keys.ts'

/**
 * For command-line programs: runs `work` with the stored signing keys and prints its result as one line of JSON. Rejects
 * with a `ConfigError` when AUTH_KEY_SECRET is not that of the database.
 */
export async function runWithKeys(work: (keys: SigningKeys) => Promise<object>): Promise<void> {
  const config = loadConfig(env)
  const logger = createLogger('auth', 'warn')
  const db = createDb<Database>(config.databaseUrl, logger, 1, PROGRAM_TIMEOUTS)
  try {
    const keys = new SigningKeys({
      db,
      vault: new Vault(config.keySecret, config.previousKeySecret),
      accessTokenTtlS: config.accessTokenTtlS,
      now: Date.now,
      warn: (error) => logger.warn({ err: error }, 'signing keys load failed'),
    })
    await keys.requireSecret()
    process.stdout.write(`${JSON.stringify(await work(keys))}\n`)
  } finally {
    await db.destroy()
  }
}
