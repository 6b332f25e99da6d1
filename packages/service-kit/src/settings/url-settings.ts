interface UrlRule {
  protocols: readonly string[]
  /** `origin`: protocol, host and port only. `host`: also credentials and a query. Default: any part but a fragment. */
  parts?: 'origin' | 'host'
}

const HTTP = ['http', 'https']
const ORIGIN: UrlRule = { protocols: HTTP, parts: 'origin' }

/** What the URL of each setting may contain. Other parts would be ignored without a message. */
const RULES: Readonly<Record<string, UrlRule>> = {
  SITE_URL: ORIGIN,
  AUTH_URL: ORIGIN,
  CATALOGUE_URL: ORIGIN,
  SCHEDULER_URL: ORIGIN,
  CHAT_URL: ORIGIN,
  ADMIN_AUDIT_URL: ORIGIN,
  METADATA_URL: ORIGIN,
  YOUTUBE_BASE_URL: ORIGIN,
  WEB_DEV_URL: ORIGIN,
  DATABASE_URL: { protocols: ['postgres', 'postgresql'] },
  REDIS_URL: { protocols: ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'] },
  NATS_URL: { protocols: ['nats', 'tls'], parts: 'host' },
  SMTP_URL: { protocols: ['smtp', 'smtps'], parts: 'host' },
  MALWARE_SCANNER_URL: { protocols: ['tcp'], parts: 'origin' },
  BREACHED_PASSWORDS_URL: { protocols: HTTP },
  FIRESTICK_APK_URL: { protocols: HTTP },
  FIRESTICK_GUIDE_URL: { protocols: HTTP },
  OTEL_EXPORTER_OTLP_ENDPOINT: { protocols: HTTP },
}

/**
 * Why `text` is no URL for the setting `name`, as the rest of a sentence that starts with the name; undefined if it is one.
 * Contains no part of the URL, which may be a secret.
 */
export function urlFault(name: string, text: string): string | undefined {
  if (/^\s|\s$/.test(text)) return 'must not begin or end with a blank'
  if (!URL.canParse(text)) return 'must be a URL'
  const rule = RULES[name]
  if (rule === undefined) return undefined
  const { protocols, parts } = rule
  const url = new URL(text)
  if (!protocols.includes(url.protocol.slice(0, -1))) {
    return `must be a URL that starts with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`
  }
  // Postgres may be reached by a socket file, which is a parameter.
  if (url.hostname === '' && name !== 'DATABASE_URL') return 'must contain a host'
  if (url.hash !== '' || text.endsWith('#'))
    return 'must not contain a fragment (write # in a password as %23)'
  if (!canDecode(url.username) || !canDecode(url.password)) return 'must have its credentials percent-encoded'
  if (parts === undefined) return undefined
  if (url.pathname !== '/' && url.pathname !== '') return 'must not contain a path'
  if (parts === 'host') return undefined
  if (url.username !== '' || url.password !== '') return 'must not contain credentials'
  return url.search !== '' || text.endsWith('?') ? 'must not contain a query' : undefined
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The URL as it is used: of a setting that is an origin, its normal form (`https://tv.example` for `HTTPS://TV.example:443/`). */
export function normalUrl(name: string, text: string): string {
  const { protocol, origin } = new URL(text)
  const isOrigin = RULES[name]?.parts === 'origin' && HTTP.includes(protocol.slice(0, -1))
  return isOrigin ? origin : text
}

/**
 * Whether the site's host is this machine: `localhost`, its subdomains, 127.0.0.0/8 or ::1. Anything else, including a
 * malformed URL, counts as public.
 */
export function isLocalSite(siteUrl: string): boolean {
  if (!URL.canParse(siteUrl)) return false
  // The URL parser normalizes every form of an IPv4 address to four decimal numbers.
  const host = new URL(siteUrl).hostname.replace(/\.$/, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(host)
  )
}
