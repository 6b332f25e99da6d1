import { fileURLToPath } from 'node:url'
import { type Brand, DEFAULT_BRAND } from '@looptide/contracts/brand'
import type { CastSettings } from '@looptide/contracts/cast'
import type { ServiceName } from '@looptide/contracts/service-names'
import { SIGN_UP_POLICIES, type SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import {
  type CommonConfig,
  type Env,
  EnvReader,
  readCommon,
  readMailConfirmation,
  readRequests,
} from '@looptide/service-kit/settings/env'

export const env: Env = process.env

/** Addresses of the services. Without `audience` the station accepts no requests, and its routes do not exist. */
export type Upstreams = Record<Exclude<ServiceName, 'audience'>, string> & { audience?: string }

export interface GatewayConfig extends CommonConfig {
  /** Port of `/metrics`, separate from the public port. 0 takes any free port. */
  metricsPort: number
  upstreams: Upstreams
  redisUrl: string
  /** Folder of the built web app. */
  webRoot: string
  /** Vite's development server: pages and files come from it instead of `webRoot`. Null except in development. */
  webDevUrl: string | null
  brand: Brand
  youtubeBaseUrl: string
  mailConfirmation: boolean
  signUp: SignUpPolicy
  /** Links of the download page; null for one that is not configured. */
  firestick: { apkUrl: string | null; guideUrl: string | null }
  /** Null: nothing of Google Cast is loaded. */
  cast: CastSettings | null
  /** Origins whose pages may open the socket, in addition to the site's own. */
  allowedOrigins: string[]
  /** Origins from which pages may load pictures and media, in addition to YouTube's. */
  imageOrigins: string[]
  mediaOrigins: string[]
  /** Number of trusted proxies in front of the gateway, whose `X-Forwarded-For` is used; 0 ignores the header. */
  trustedHops: number
  /** Requests that arrived at the proxy over plain http are redirected (pages) or refused (everything else). */
  requireHttps: boolean
  /** Largest number of sockets of this process. Lowered if the limit of open files is too small. */
  maxSockets: number
  /** Largest number of sockets of one client network at this process, before `rateLimitFactor`. */
  maxSocketsPerNetwork: number
}

const MAX_HOPS = 10

/** `TRUST_PROXY`: a number of proxies; `on` means 1 and `off` 0. */
function readTrustedHops(reader: EnvReader): number {
  const text = reader.string('TRUST_PROXY', 'off')
  if (text === 'on') return 1
  return text === 'off' ? 0 : reader.integer('TRUST_PROXY', 0, { min: 0, max: MAX_HOPS })
}

/** `WEB_DEV_URL`: refused with a public SITE_URL, because Vite serves every source file. */
function readWebDevUrl(reader: EnvReader): string | null {
  if (reader.optional('WEB_DEV_URL') === undefined) return null
  reader.developmentOnly('WEB_DEV_URL')
  return reader.url('WEB_DEV_URL')
}

/** `CAST_APP_ID`: as the Google Cast SDK Developer Console shows it. */
function readCast(reader: EnvReader): CastSettings | null {
  const baseUrl = reader.url('CAST_BASE_URL', 'https://www.gstatic.com')
  const appId = reader.parsed('CAST_APP_ID', () => {
    const text = reader.optional('CAST_APP_ID')
    if (text !== undefined && !/^[0-9A-F]{8}$/.test(text)) throw new Error('must be 8 digits of 0-9 and A-F')
    return text
  })
  return appId === undefined ? null : { appId, baseUrl }
}

const AUDIENCE_URL = 'http://127.0.0.1:8107'

/** Reads all settings. Throws one error that names every invalid variable. */
export function loadConfig(source: Env): GatewayConfig {
  const reader = new EnvReader(source)
  const common = readCommon(reader, 8080)
  const link = (name: string) => (reader.optional(name) === undefined ? null : reader.url(name))
  const acceptsRequests = readRequests(reader) === 'on'
  // Not used otherwise: a station that has no address of audience goes on, also with TLS between its processes.
  const audienceUrl = acceptsRequests
    ? reader.internalUrl('AUDIENCE_URL', AUDIENCE_URL)
    : reader.url('AUDIENCE_URL', AUDIENCE_URL)
  const config: GatewayConfig = {
    ...common,
    metricsPort: reader.integer('METRICS_PORT', 0, { min: 0, max: 65_535 }),
    upstreams: {
      auth: common.authUrl,
      catalogue: reader.internalUrl('CATALOGUE_URL', 'http://127.0.0.1:8102'),
      'stream-scheduler': reader.internalUrl('SCHEDULER_URL', 'http://127.0.0.1:8103'),
      chat: reader.internalUrl('CHAT_URL', 'http://127.0.0.1:8104'),
      ...(acceptsRequests ? { audience: audienceUrl } : {}),
      'admin-audit': common.adminAuditUrl,
      'metadata-worker': reader.internalUrl('METADATA_URL', 'http://127.0.0.1:8106'),
    },
    redisUrl: reader.internalUrl('REDIS_URL', 'redis://127.0.0.1:6379'),
    webRoot: reader.string('WEB_ROOT', fileURLToPath(new URL('../../web/dist', import.meta.url))),
    webDevUrl: readWebDevUrl(reader),
    brand: {
      name: reader.string('BRAND_NAME', DEFAULT_BRAND.name),
      shortName: reader.string('BRAND_SHORT_NAME', DEFAULT_BRAND.shortName),
      tagline: reader.string('BRAND_TAGLINE', DEFAULT_BRAND.tagline),
      location: reader.string('BRAND_LOCATION', DEFAULT_BRAND.location),
    },
    youtubeBaseUrl: reader.url('YOUTUBE_BASE_URL', 'https://www.youtube.com'),
    mailConfirmation: readMailConfirmation(reader) === 'on',
    signUp: reader.choice('SIGN_UP', SIGN_UP_POLICIES, 'open'),
    firestick: { apkUrl: link('FIRESTICK_APK_URL'), guideUrl: link('FIRESTICK_GUIDE_URL') },
    cast: readCast(reader),
    allowedOrigins: reader.origins('ALLOWED_ORIGINS'),
    imageOrigins: reader.origins('IMAGE_ORIGINS'),
    mediaOrigins: reader.origins('MEDIA_ORIGINS'),
    trustedHops: readTrustedHops(reader),
    requireHttps: reader.choice('REQUIRE_HTTPS', ['on', 'off'], 'off') === 'on',
    maxSockets: reader.integer('MAX_SOCKETS', 20_000, { min: 1, max: 1_000_000 }),
    maxSocketsPerNetwork: reader.integer('MAX_SOCKETS_PER_NETWORK', 200, { min: 1, max: 1_000_000 }),
  }
  reader.done()
  return config
}

/** Sockets that one client network may open at this process. */
export const socketsPerNetwork = ({
  maxSocketsPerNetwork,
  rateLimitFactor,
}: Pick<GatewayConfig, 'maxSocketsPerNetwork' | 'rateLimitFactor'>): number =>
  Math.max(1, Math.round(maxSocketsPerNetwork * rateLimitFactor))
