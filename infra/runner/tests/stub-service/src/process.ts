import { buildServer } from '@looptide/service-kit/http/server'
import type { ProcessDefinition } from '@looptide/service-kit/process/start-process'
import { EnvReader, readCommon } from '@looptide/service-kit/settings/env'

/** Replaces any service in a shared process: answers its environment, and fails as its request asks. */
export function createProcess(env: Record<string, string>): ProcessDefinition {
  const reader = new EnvReader(env)
  const config = readCommon(reader, 0)
  reader.done()
  const name = new URL(config.natsUrl).username
  return {
    name,
    config,
    build: ({ logger, metrics }) => {
      const app = buildServer({ name, logger, metrics })
      const hidden = { schema: { hide: true } }
      app.get('/env', hidden, async () => env)
      app.post('/throw', hidden, async () => {
        setTimeout(() => {
          throw new Error('thrown by a timer')
        })
        return {}
      })
      app.post('/reject', hidden, async () => {
        void Promise.reject(new Error('rejected by nobody'))
        return {}
      })
      return {
        app,
        checks: [],
        metricsText: () => metrics.registry.metrics(),
        parts: [],
        handle: {},
      }
    },
  }
}
