import type { App } from '../http/app.ts'
import { requireInternal } from '../identity/internal.ts'
import { type DebugSource, readReport } from './debug-report.ts'
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

const BYTES_PER_MIB = 2 ** 20

/** The operating system's view of this process. */
export const processSource: DebugSource = {
  title: 'Process',
  read: () => [
    {
      pid: process.pid,
      node: process.version,
      uptimeS: Math.round(process.uptime()),
      memoryMiB: Math.round(process.memoryUsage.rss() / BYTES_PER_MIB),
    },
  ],
}
