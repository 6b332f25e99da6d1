import { startProcess } from '@looptide/service-kit/process/start-process'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { startRedis } from '@looptide/testkit/redis'
import { loadConfig } from '../../gateway/src/config.ts'
import { gatewayProcess } from '../../gateway/src/gateway.ts'
import { startAuth, type TestAuth } from '../../services/auth/tests/_harness.ts'
import { authJsSuite } from '../../services/auth/tests/auth-js-suite.ts'

/** The auth service through the gateway, as browsers use it. */
async function startBehindGateway(env?: Record<string, string>): Promise<TestAuth> {
  const [auth, redis] = await Promise.all([startAuth(env), startRedis()])
  const gateway = await startProcess(
    gatewayProcess(
      loadConfig({
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'silent',
        NATS_URL: auth.nats.url,
        ...eventKeyEnv('gateway'),
        REDIS_URL: redis.url,
        AUTH_URL: auth.service.url,
        INTERNAL_TOKEN: auth.config.internalToken,
        SITE_URL: auth.config.siteUrl,
        RATE_LIMIT_FACTOR: '100000',
      }),
    ),
  )
  return {
    ...auth,
    url: `${gateway.url}/auth/v1`,
    stop: async () => {
      await gateway.close()
      await auth.stop()
      await redis.stop()
    },
  }
}

authJsSuite(startBehindGateway)
