import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import type { AuthMetrics } from '../../auth-metrics.ts'
import type { AuthConfig } from '../../config.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import { AccountNetworks } from './account-networks.ts'
import { MailGuard } from './mail-guard.ts'
import { ProofOfWork } from './proof-of-work.ts'
import { RateLimits } from './rate-limits.ts'
import { SignInGuard } from './sign-in-guard.ts'
import { SignUpGuard } from './sign-up-guard.ts'

interface LimitDeps {
  db: Kysely<Database>
  vault: Vault
  logger: Logger
  metrics: AuthMetrics
  now: () => number
}

/** Creates the rate limits, and the guards that use them. */
export function createLimits(config: AuthConfig, { db, vault, logger, metrics, now }: LimitDeps) {
  const limits = new RateLimits({
    vault,
    redisUrl: config.redisUrl,
    factor: config.rateLimitFactor,
    station: config,
    refusals: metrics.refusals,
    warn: (error) => logger.warn({ err: error }, 'rate limits fell back to memory'),
  })
  const networks = new AccountNetworks({ db, vault, now })
  const { proofOfWork } = config
  const proofs = new ProofOfWork({ vault, limits, now, isOn: proofOfWork !== 'off' })
  return {
    limits,
    networks,
    proofs,
    signInGuard: new SignInGuard({ limits, networks, proofs, logger }),
    signUpGuard: new SignUpGuard({ limits, isRequired: proofOfWork === 'sign-up' }),
    mailGuard: new MailGuard({ limits, networks }),
  }
}
