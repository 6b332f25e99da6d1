import type { App } from '../http/app.ts'
import { requireInternal } from '../identity/internal.ts'
import { type DebugSource, readReport } from './debug-report.ts'
import { processSource } from './process-source.ts'
import { settingsSource } from './settings-source.ts'

/** Path of a process's report. The gateway never proxies it. */
export const DEBUG_REPORT_PATH = '/internal/debug'

interface DebugRouteOptions {
  name: string
  config: { debug: boolean; internalTokensAccepted: readonly string[] }
  sources: readonly DebugSource[]
}

/** `GET /internal/debug` with an internal token: the state of this process. Absent unless `LOOPTIDE_DEBUG` is on. */
export function addDebugRoute(app: App, { name, config, sources }: DebugRouteOptions): void {
  if (!config.debug) return
  const options = { schema: { hide: true }, onRequest: requireInternal(config.internalTokensAccepted) }
  app.get(DEBUG_REPORT_PATH, options, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send(await readReport(name, [processSource, ...sources, settingsSource(config)])),
  )
}
