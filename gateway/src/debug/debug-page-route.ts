import { DebugReport, type DebugSource, readReport } from '@looptide/service-kit/debug/debug-report'
import { DEBUG_REPORT_PATH, processSource } from '@looptide/service-kit/debug/debug-route'
import { settingsSource } from '@looptide/service-kit/debug/settings-source'
import type { App } from '@looptide/service-kit/http/app'
import { errors } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'
import { isLocalSite } from '@looptide/service-kit/settings/url-settings'
import { Check } from 'typebox/value'
import type { GatewayConfig } from '../config.ts'
import { newNonce, policyText } from '../http/security-headers.ts'
import type { Hub } from '../realtime/hub.ts'
import { debugPage } from './debug-page.ts'

interface DebugPageOptions {
  config: GatewayConfig
  hub: Pick<Hub, 'topics'>
  /** Viewers of each channel over all gateways. */
  counter: { totals(): Readonly<Record<string, number>> }
}

/**
 * GET /debug: the state of every process as one HTML page. Absent unless `LOOPTIDE_DEBUG` is on, which a public SITE_URL
 * forbids. Requests by another host name are refused, because another site could rebind its name to this machine (DNS
 * rebinding).
 */
export async function debugPageRoute(app: App, { config, ...state }: DebugPageOptions): Promise<void> {
  if (!config.debug) return
  const own = [processSource, ...gatewaySources(state), settingsSource(config)]
  const options = { schema: { hide: true }, config: { operation: 'gateway.debug.read' } }
  app.get<{ Querystring: { refresh?: string } }>('/debug', options, async (request, reply) => {
    if (!isLocalSite(`http://${request.headers.host ?? ''}`)) throw errors.notFound('This URL')
    const services = Object.entries(config.upstreams).map(([name, url]) => reportOf(name, url, config))
    const reports = await Promise.all([readReport('gateway', own), ...services])
    const nonce = newNonce()
    const isRefreshing = request.query.refresh === 'on'
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policyText(config, { nonce }))
      .header('cache-control', 'no-store')
      .send(debugPage({ reports, nonce, isRefreshing, readAt: new Date().toISOString() }))
  })
}

/** The report of a service; a report with the error if it does not respond. */
async function reportOf(name: string, url: string, { internalToken }: GatewayConfig): Promise<DebugReport> {
  try {
    const report = await callInternal(`${url}${DEBUG_REPORT_PATH}`, `The ${name} service`, { internalToken })
    if (!Check(DebugReport, report)) throw new Error('the answer is not a report')
    return report
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { process: name, sections: [{ title: 'Report', rows: [], error: message }] }
  }
}

/** Viewers, topics and presence at this gateway. */
const gatewaySources = ({ hub, counter }: Omit<DebugPageOptions, 'config'>): DebugSource[] => [
  {
    title: 'Viewers, all gateways',
    read: () => Object.entries(counter.totals()).map(([channel, viewers]) => ({ channel, viewers })),
  },
  {
    title: 'Topics and presence at this gateway',
    read: () =>
      hub.topics().map(({ key, size, presence }) => ({
        topic: key,
        members: size,
        present: presence
          .local()
          .map((entry) => entry.key)
          .join(', '),
      })),
  },
]
