import type { NatsConnection } from '../events/nats-client.ts'
import type { HealthCheck } from '../http/health.ts'
import type { CommonConfig } from '../settings/env.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { LiveAccessList } from './access-list.ts'
import { issuerOf, JwksTokenVerifier } from './tokens.ts'

/** Verifies users in every process except auth, by auth's published keys and access list. */
export interface PublishedIdentity {
  verifier: JwksTokenVerifier
  access: LiveAccessList
  start(): void
  stop(): void
  check: HealthCheck
}

/** Verifies tokens with the keys and the access list that auth publishes, kept current by its events. */
export function publishedIdentity(
  config: CommonConfig,
  nats: NatsConnection,
  logger: Logger,
  now: () => number,
  metrics: Pick<Metrics, 'eventsRejected'>,
): PublishedIdentity {
  const access = new LiveAccessList({
    authUrl: config.authUrl,
    internalToken: config.internalToken,
    nats,
    keys: config.eventKeys,
    logger,
    metrics,
    now,
  })
  const verifier = new JwksTokenVerifier(
    `${config.authUrl}/auth/v1/.well-known/jwks.json`,
    issuerOf(config.siteUrl),
    now,
  )
  access.onChange((change) => {
    if (change.kind === 'key') verifier.revokeKey(change.kid)
  })
  return {
    verifier,
    access,
    start: () => access.start(),
    stop: () => access.stop(),
    check: {
      name: 'access list',
      check: () => {
        if (!access.loaded) throw new Error('not loaded yet')
      },
    },
  }
}
