import type { CastPage, CastSettings } from '@looptide/contracts/cast'
import type { App } from '@looptide/service-kit/http/app'
import { errors } from '@looptide/service-kit/http/errors'
import type { GatewayConfig } from '../config.ts'
import type { LocalLimits } from '../http/local-limits.ts'
import { newNonce, policyText } from '../http/security-headers.ts'
import { escapeHtml } from '../pages/head-tags.ts'
import { dataTag, fillHead, type PageSource } from '../pages/page-template.ts'

interface CastRouteDeps {
  config: GatewayConfig
  /** The page for cast devices as the web app's build or Vite provides it. */
  page: PageSource
  limits: LocalLimits
}

/** Of the receiver framework, below the origin of the settings. */
const RECEIVER_SCRIPT = '/cast/sdk/libs/caf_receiver/v3/cast_receiver_framework.js'

/** GET /cast: the page that a Google Cast device opens. It exists only on stations with a receiver app (`CAST_APP_ID`). */
export async function castRoute(app: App, { config, page, limits }: CastRouteDeps): Promise<void> {
  const operation = { operation: 'gateway.cast.serve' }
  app.get('/cast', { schema: { hide: true }, config: operation }, async (request, reply) => {
    limits.count('page', request)
    const loaded = config.cast && (await page.load())
    if (config.cast === null || loaded === null) throw errors.notFound('This URL')
    const nonce = newNonce()
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policyText(config, { nonce, cast: 'receiver' }))
      .header('cache-control', 'no-cache')
      .send(fillHead(loaded.html, headOf(config.brand.name, config.cast), nonce))
  })
}

const headOf = (stationName: string, { baseUrl }: CastSettings): string =>
  [
    `<title>${escapeHtml(stationName)}</title><meta name="robots" content="noindex">`,
    // Before the module of the page, which needs it.
    `<script src="${escapeHtml(baseUrl + RECEIVER_SCRIPT)}"></script>`,
    dataTag('cast-data', { stationName } satisfies CastPage),
  ].join('')
