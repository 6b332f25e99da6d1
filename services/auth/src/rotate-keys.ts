import { createDb } from '@looptide/service-kit/db'
import { createLogger } from '@looptide/service-kit/logger'
import { loadConfig } from './config.ts'
import { Vault } from './crypto/vault.ts'
import type { AuthDatabase } from './db/schema.ts'
import { SigningKeys } from './features/keys/signing-keys.ts'

// `node src/rotate-keys.ts`: a new signing key; the old one is retired and stays published until its
// last token has run out. Prints {"kid":"…"}.
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
  process.stdout.write(`${JSON.stringify({ kid: await keys.rotate() })}\n`)
} finally {
  await db.destroy()
}
