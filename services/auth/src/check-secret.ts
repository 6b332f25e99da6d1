import { ConfigError, EnvReader } from '@looptide/service-kit/settings/env'
import { env } from './config.ts'
import { Vault } from './crypto/vault.ts'
import { openCheckValue } from './features/keys/secret-check.ts'

// `node src/check-secret.ts <hex>` prints {"matches":boolean}: whether AUTH_KEY_SECRET decrypts the check value of a backup
// (`auth.secret_check`).
const reader = new EnvReader(env)
const vault = new Vault(reader.secret('AUTH_KEY_SECRET'), reader.optional('AUTH_KEY_SECRET_PREVIOUS'))
reader.done()

function matches(): boolean {
  try {
    openCheckValue(vault, Buffer.from(process.argv[2] ?? '', 'hex'))
    return true
  } catch (error) {
    if (error instanceof ConfigError) return false
    throw error
  }
}
process.stdout.write(`${JSON.stringify({ matches: matches() })}\n`)
