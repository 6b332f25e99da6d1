import { isAbsolute, join } from 'node:path'
import { nodeEnv } from '@looptide/backing/base-env'
import type { DatabaseOwner } from '@looptide/backing/database/owners'
import type { NatsUser } from '@looptide/backing/nats/nats-permissions'
import { bundleRoot, repositoryRoot } from '@looptide/backing/paths'
import type { ServiceName } from '@looptide/backing/service-names'
import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import { eventPublicKeys } from '@looptide/service-kit/events/event-keys'
import type { StationConfig } from '../station/config.ts'
import type { Secrets } from '../station/secrets.ts'

/** One process of the station: its program and its part of the database. */
export interface ServiceDefinition {
  name: ServiceName
  /** Relative to the repository, or absolute. */
  folder: string
  database?: DatabaseOwner
  /** Program that creates the demo content, run once at the first start. */
  seed?: string
  /** Run from its sources even if the station runs bundles. */
  fromSource?: boolean
  /** Options of Node. */
  nodeArgs?: readonly string[]
}

/**
 * Size of V8's young generation, in MiB (default 16). Arrivals at a gateway create much short-lived garbage; with 8
 * MiB it is collected earlier, and ten thousand viewers need 70 MB less at the same processor time
 * (`bench/arrivals.ts`).
 */
export const gatewayNodeArgs = ['--max-semi-space-size=8'] as const

/** The plans of its start are garbage afterwards: with the default it keeps 12 MB more when idle. */
const schedulerNodeArgs = ['--max-semi-space-size=8'] as const

/** For services that answer few requests: they need about 10 MiB less. */
const quietNodeArgs = ['--max-semi-space-size=2'] as const

/** The station's processes. They start concurrently, the gateway after the others are ready. */
export const stationServices: readonly ServiceDefinition[] = [
  { name: 'auth', folder: 'services/auth', database: 'auth' },
  { name: 'catalogue', folder: 'services/catalogue', database: 'catalogue', seed: 'src/seed-demo.ts' },
  {
    name: 'stream-scheduler',
    folder: 'services/stream-scheduler',
    database: 'scheduler',
    seed: 'src/seed-demo.ts',
    nodeArgs: schedulerNodeArgs,
  },
  { name: 'chat', folder: 'services/chat', database: 'chat' },
  { name: 'audience', folder: 'services/audience', database: 'audience', nodeArgs: quietNodeArgs },
  {
    name: 'admin-audit',
    folder: 'services/admin-audit',
    database: 'admin_audit',
    nodeArgs: quietNodeArgs,
  },
  { name: 'metadata-worker', folder: 'services/metadata-worker', nodeArgs: quietNodeArgs },
  { name: 'gateway', folder: 'gateway', nodeArgs: gatewayNodeArgs },
]

/** Whether a service runs with these settings. The tables of one that does not run exist nevertheless. */
export const isRun = (name: string, { requests }: Pick<StationConfig, 'requests'>): boolean =>
  name !== 'audience' || requests === 'on'

/** What the environments of the services are made from. */
export interface StationContext {
  config: StationConfig
  secrets: Secrets
  ports: Record<ServiceName, number>
  siteUrl: string
  redisUrl: string
  smtpUrl: string
  natsUrlFor: (name: NatsUser) => string
  databaseUrlFor: (owner: DatabaseOwner) => string
}

const urlVariables = {
  auth: 'AUTH_URL',
  catalogue: 'CATALOGUE_URL',
  'stream-scheduler': 'SCHEDULER_URL',
  chat: 'CHAT_URL',
  audience: 'AUDIENCE_URL',
  'admin-audit': 'ADMIN_AUDIT_URL',
  'metadata-worker': 'METADATA_URL',
} as const satisfies Partial<Record<ServiceName, string>>

/** The protocol of all processes. */
export const protocolOf = ({ internalTls }: StationConfig): 'http' | 'https' =>
  internalTls === undefined ? 'http' : 'https'

/** Addresses by service; `audience` is missing where it does not run. */
export type ServiceUrls = Record<Exclude<ServiceName, 'audience'>, string> & { audience?: string }

/** The loopback URL of each service that runs. */
export function serviceUrls(ports: Record<ServiceName, number>, config: StationConfig): ServiceUrls {
  const protocol = protocolOf(config)
  const entries = Object.entries(ports)
    .filter(([name]) => isRun(name, config))
    .map(([name, port]) => [name, `${protocol}://127.0.0.1:${port}`])
  return Object.fromEntries(entries) as ServiceUrls
}

/** Folder of a service's package. */
export function serviceFolder(service: ServiceDefinition): string {
  return isAbsolute(service.folder) ? service.folder : join(repositoryRoot, service.folder)
}

/** Whether a service may run as a bundle: not a replacement from another folder, and not wanted from its sources. */
export const isBundleable = ({ folder, fromSource = false }: ServiceDefinition): boolean =>
  !isAbsolute(folder) && !fromSource

/** The file of a program such as `src/main.ts`: its bundle if there is one, else its source. */
export function programFile(
  service: ServiceDefinition,
  program: string,
  { bundle }: Pick<StationConfig, 'bundle'>,
): string {
  const isBundled = bundle === 'on' && isBundleable(service)
  return isBundled
    ? join(bundleRoot, service.folder, program.replace(/\.ts$/, '.js'))
    : join(serviceFolder(service), program)
}

/** Services that use Redis: for shared limits, and for the look-up queue. */
const USES_REDIS: readonly ServiceName[] = ['auth', 'metadata-worker', 'gateway']

/** The complete environment of one service. */
export function serviceEnv(service: ServiceDefinition, context: StationContext): Record<string, string> {
  const urls = serviceUrls(context.ports, context.config)
  const env: Record<string, string> = {
    ...nodeEnv(),
    HOST: '127.0.0.1',
    PORT: String(context.ports[service.name]),
    LOG_LEVEL: context.config.logLevel,
    LOOPTIDE_DEBUG: context.config.debug ? 'on' : 'off',
    NATS_URL: context.natsUrlFor(service.name),
    ...eventKeys(service.name, context.secrets),
    ...(USES_REDIS.includes(service.name) ? { REDIS_URL: context.redisUrl } : {}),
    INTERNAL_TOKEN: context.secrets.internalToken,
    ...optional('INTERNAL_TOKEN_PREVIOUS', context.secrets.previousInternalToken),
    ...tlsSettings(context.config),
    SITE_URL: context.siteUrl,
    RATE_LIMIT_FACTOR: String(context.config.rateLimitFactor),
    ...context.config.openTelemetry,
    ...context.config.ofServices[service.name],
    ...ownSettings(service.name, context),
  }
  for (const [name, variable] of Object.entries(urlVariables))
    Object.assign(env, optional(variable, urls[name as ServiceName]))
  if (service.database !== undefined) env.DATABASE_URL = context.databaseUrlFor(service.database)
  return env
}

function tlsSettings({ internalTls }: StationConfig): Record<string, string> {
  if (internalTls === undefined) return {}
  const { cert, key, ca } = internalTls
  return { INTERNAL_TLS_CERT: cert, INTERNAL_TLS_KEY: key, INTERNAL_TLS_CA: ca }
}

/** Settings of a service that its migrations store in the database, where it can only read them. */
export const migrationSettings = (
  name: ServiceName,
  { auditPseudonymiseDays }: Pick<StationConfig, 'auditPseudonymiseDays'>,
): Record<string, string> =>
  name === 'admin-audit' ? { AUDIT_PSEUDONYMISE_DAYS: String(auditPseudonymiseDays) } : {}

/** All public keys, and the private key of the service's own events. */
function eventKeys(name: ServiceName, secrets: Secrets): Record<string, string> {
  const { owner } = EVENT_SUBSCRIPTIONS[name]
  return {
    EVENT_PUBLIC_KEYS: eventPublicKeys(secrets.eventKeys),
    ...(owner === null ? {} : { EVENT_SIGNING_KEY: secrets.eventKeys[owner] }),
  }
}

const optional = (name: string, value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { [name]: value }

function ownSettings(
  name: ServiceName,
  { config, secrets, smtpUrl }: StationContext,
): Record<string, string> {
  const youtube: Record<string, string> =
    config.youtubeBaseUrl === undefined ? {} : { YOUTUBE_BASE_URL: config.youtubeBaseUrl }
  switch (name) {
    case 'auth':
      return {
        AUTH_KEY_SECRET: secrets.authKey,
        ...optional('AUTH_KEY_SECRET_PREVIOUS', secrets.previousAuthKey),
        AUTH_SERVICE_KEY: secrets.serviceKey,
        ...optional('AUTH_SERVICE_KEY_PREVIOUS', secrets.previousServiceKey),
        SMTP_URL: smtpUrl,
        ...(config.mailFrom === undefined ? {} : { MAIL_FROM: config.mailFrom }),
        MAIL_CONFIRMATION: config.mailConfirmation,
        SIGN_UP: config.signUp,
        ANONYMOUS_SIGN_IN: config.anonymousSignIn,
        ANONYMOUS_ACCOUNT_DAYS: String(config.anonymousAccountDays),
        ACCESS_TOKEN_TTL_S: String(config.accessTokenTtlS),
        OTP_TTL_S: String(config.otpTtlS),
        REFRESH_REUSE_INTERVAL_S: String(config.refreshReuseIntervalS),
        SESSIONS_PER_USER: String(config.sessionsPerUser),
        SECOND_FACTOR: config.secondFactor,
        ADMIN_WELCOME_HANDLE: config.adminWelcomeHandle,
        UNCONFIRMED_ACCOUNT_DAYS: String(config.unconfirmedAccountDays),
        SIGN_UPS_PER_MINUTE: String(config.signUpsPerMinute),
        MAILS_PER_MINUTE: String(config.mailsPerMinute),
        MAILS_PER_DAY: String(config.mailsPerDay),
        REDIRECT_ALLOW_LIST: config.redirectAllowList,
      }
    case 'chat':
      return { CHAT_RETENTION_DAYS: String(config.chatRetentionDays) }
    case 'audience':
      return { AIR_LOG_DAYS: String(config.airLogDays), VAPID_PRIVATE_KEY: secrets.vapidKey }
    case 'stream-scheduler':
      return { AIR_LOG_DAYS: String(config.airLogDays), REQUESTS: config.requests }
    case 'metadata-worker':
      return {
        ...youtube,
        ...(config.youtubeApiKey === undefined ? {} : { YOUTUBE_API_KEY: config.youtubeApiKey }),
      }
    case 'gateway':
      return {
        ...youtube,
        WEB_ROOT: join(repositoryRoot, 'web/dist'),
        MAIL_CONFIRMATION: config.mailConfirmation,
        SIGN_UP: config.signUp,
        REQUESTS: config.requests,
        ...(config.firestickApkUrl === undefined ? {} : { FIRESTICK_APK_URL: config.firestickApkUrl }),
        ...(config.firestickGuideUrl === undefined ? {} : { FIRESTICK_GUIDE_URL: config.firestickGuideUrl }),
      }
    default:
      return {}
  }
}
