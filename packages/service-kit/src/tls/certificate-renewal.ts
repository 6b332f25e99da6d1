import { Gauge } from 'prom-client'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { PeriodicTask } from '../time/periodic-task.ts'
import type { InternalTls } from './internal-tls.ts'

/** Interval at which the files are read, in ms. Kubernetes itself needs about a minute to update a mounted secret. */
const RENEW_EVERY_MS = 60_000

/** Replaces the certificate when its files change, and measures when it expires. */
export function certificateRenewal(
  tls: InternalTls,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): PeriodicTask {
  new Gauge({
    name: 'looptide_tls_certificate_expires_timestamp_seconds',
    help: 'End of the validity of the certificate for connections between processes, in epoch seconds.',
    registers: [metrics.registry],
    collect() {
      this.set(tls.expiresAtMs / 1000)
    },
  })
  return new PeriodicTask({
    logger,
    everyMs: RENEW_EVERY_MS,
    atStart: false,
    failure: 'certificate not renewed',
    run: async () => {
      if (tls.renew()) logger.info({ expiresAtMs: tls.expiresAtMs }, 'certificate renewed')
    },
  })
}
