import { partsOfCall } from '@looptide/contracts/operation'
import { gatewayCspReport } from '@looptide/contracts/operations/gateway'
import type { App } from '@looptide/service-kit/http/app'
import { bindRoute } from '@looptide/service-kit/routes/bind-routes'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Metrics } from '@looptide/service-kit/telemetry/metrics'
import { Counter } from 'prom-client'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { LocalLimits } from './local-limits.ts'

/** Path to which browsers report violations of the Content Security Policy. */
export const CSP_REPORT_PATH = partsOfCall(gatewayCspReport).path

const MAX_TEXT = 200
/** Log lines per minute; further reports are only counted. A broken browser extension must not fill the log. */
const LINES_PER_MINUTE = 30
const MINUTE_MS = 60_000

/** The body of a `report-uri` report (w3.org/TR/CSP3 §5.3). */
const Report = Type.Object({
  'csp-report': Type.Object({
    'effective-directive': Type.Optional(Type.String()),
    'violated-directive': Type.Optional(Type.String()),
    'blocked-uri': Type.Optional(Type.String()),
    'document-uri': Type.Optional(Type.String()),
    'source-file': Type.Optional(Type.String()),
  }),
})
/** Known directives (w3.org/TR/CSP3 §6 and related specifications). Only these become values of the metric's label. */
const DIRECTIVES: ReadonlySet<string> = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src', 'style-src-elem'],
  ...['style-src-attr', 'img-src', 'font-src', 'media-src', 'connect-src', 'frame-src', 'child-src'],
  ...['worker-src', 'manifest-src', 'object-src', 'prefetch-src', 'fenced-frame-src', 'base-uri'],
  ...['form-action', 'frame-ancestors', 'navigate-to', 'sandbox', 'require-trusted-types-for'],
  ...['trusted-types', 'upgrade-insecure-requests', 'webrtc'],
])

/**
 * Adds the route that counts and logs violations. It responds 204 to any body, and 429 above the rate limit. Returns the
 * route.
 */
export async function cspReportsRoute(
  app: App,
  { metrics, limits, now }: { metrics: Metrics; limits: LocalLimits; now: () => number },
): Promise<Route> {
  const violations = new Counter({
    name: 'looptide_gateway_csp_violations_total',
    help: 'Content Security Policy violations that browsers reported.',
    labelNames: ['directive'],
    registers: [metrics.registry],
  })
  let lines = 0
  let minuteMs = 0
  const mayLog = (): boolean => {
    if (now() - minuteMs >= MINUTE_MS) {
      minuteMs = now()
      lines = 0
    }
    lines += 1
    return lines <= LINES_PER_MINUTE
  }
  const reports = route(
    gatewayCspReport,
    ({ request: { body, log } }) => {
      if (!Check(Report, body)) return
      const violation = describe(body['csp-report'])
      violations.inc({ directive: violation.directive })
      if (mayLog()) log.warn(violation, 'csp violation reported')
    },
    { onRequest: limits.hook('cspReport') },
  )
  await app.register(async (scope) => {
    scope.addContentTypeParser('application/csp-report', { parseAs: 'string' }, (_request, body, done) =>
      done(null, parseJson(String(body))),
    )
    await bindRoute(scope as App, reports)
  })
  return reports
}

type Violation = Static<typeof Report>['csp-report']

/** The fields to log. URLs are logged without their query, which may hold personal data. */
function describe(report: Violation): Record<'directive' | 'blocked' | 'page' | 'source', string> {
  const name = (report['effective-directive'] ?? report['violated-directive'] ?? '').split(' ', 1)[0] ?? ''
  const withoutQuery = (text = '') => (text.split(/[?#]/, 1)[0] ?? '').slice(0, MAX_TEXT)
  return {
    directive: DIRECTIVES.has(name) ? name : 'unknown',
    blocked: withoutQuery(report['blocked-uri']),
    page: withoutQuery(report['document-uri']),
    source: withoutQuery(report['source-file']),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
