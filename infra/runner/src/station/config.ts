import { totalmem } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import type { ServiceName } from '@looptide/backing/service-names'
import { SIGN_UP_POLICIES, type SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import {
  type Env,
  EnvReader,
  readDebug,
  readInternalTls,
  readMailConfirmation,
  readRequests,
} from '@looptide/service-kit/settings/env'
import type { TlsFiles } from '@looptide/service-kit/tls/internal-tls'

/** A port, and whether the operator set it explicitly. */
export interface WantedPort {
  port: number
  explicit: boolean
}

/** Every setting of the station (docs/configuration.md). */
export interface StationConfig {
  dataDir: string
  gateway: WantedPort
  mailWeb: WantedPort
  adminEmail: string | undefined
  adminPassword: string | undefined
  databaseUrl: string | undefined
  redisUrl: string | undefined
  natsUrl: string | undefined
  smtpUrl: string | undefined
  /** One certificate for all processes; they then serve HTTPS, and Redis and NATS must use TLS. */
  internalTls: TlsFiles | undefined
  /** Sender of mails, as in `Looptide <no-reply@example.com>`. */
  mailFrom: string | undefined
  siteUrl: string | undefined
  mailConfirmation: 'on' | 'off'
  signUp: SignUpPolicy
  anonymousSignIn: 'on' | 'off'
  anonymousAccountDays: number
  accessTokenTtlS: number
  otpTtlS: number
  refreshReuseIntervalS: number
  sessionsPerUser: number
  secondFactor: 'off' | 'recommended' | 'required'
  adminWelcomeHandle: string
  unconfirmedAccountDays: number
  signUpsPerMinute: number
  mailsPerMinute: number
  mailsPerDay: number
  /** Days after which chat messages are deleted; 0 keeps them. */
  chatRetentionDays: number
  auditPseudonymiseDays: number
  /** Days for which the air log is kept. */
  airLogDays: number
  /** Whether audience runs. */
  requests: 'on' | 'off'
  rateLimitFactor: number
  redirectAllowList: string
  youtubeApiKey: string | undefined
  youtubeBaseUrl: string | undefined
  /** Links of the download page for a Fire TV. */
  firestickApkUrl: string | undefined
  firestickGuideUrl: string | undefined
  logLevel: string
  /** Whether processes report their state for `/debug`. */
  debug: boolean
  /** Whether the services run as bundles or from their sources. */
  bundle: 'on' | 'off'
  /** A process for each service, or one process for all of them, as on machines with little memory. */
  processes: 'separate' | 'one'
  /** OpenTelemetry's variables (`OTEL_…`), passed to every service unchanged. */
  openTelemetry: Record<string, string>
  /** Settings that only services read and check, passed to them unchanged. */
  ofServices: Partial<Record<ServiceName, Record<string, string>>>
}

const gatewaySettings = [
  ...['ALLOWED_ORIGINS', 'IMAGE_ORIGINS', 'MEDIA_ORIGINS', 'TRUST_PROXY', 'REQUIRE_HTTPS'],
  ...['MAX_SOCKETS', 'MAX_SOCKETS_PER_NETWORK', 'WEB_DEV_URL', 'CAST_APP_ID', 'CAST_BASE_URL'],
]
const catalogueSettings = [
  ...['SUBMISSION_EXEMPT_ROLES', 'SUBMISSION_EXEMPT_USERS'],
  ...['IMAGE_ORIGINS', 'FOLLOW_CHECK_MINUTES'],
]
const authSettings = [
  ...['PROOF_OF_WORK', 'BREACHED_PASSWORDS_URL', 'PASSKEY_RP_ID', 'PASSKEY_ORIGINS', 'OIDC_PROVIDERS'],
  'MALWARE_SCANNER_URL',
]
const chatSettings = ['CHAT_LINKS_MIN_ACCOUNT_AGE_HOURS', 'CHAT_NEW_ACCOUNT_SLOW_MODE_S']
const audienceSettings = [
  ...['REQUESTS_MIN_ACCOUNT_AGE_HOURS', 'VOTES_MIN_WATCH_MINUTES', 'PUSH_ALLOWED_NETWORKS'],
]
const adminAuditSettings = ['MALWARE_SCANNER_URL', 'WEBHOOK_ALLOWED_NETWORKS']
const schedulerSettings = ['FALLBACK_MAX_MINUTES', 'DEMO_CHANNELS', 'SCHEDULE_APPROVAL']
const workerSettings = ['MEDIA_ORIGINS', 'YOUTUBE_CALLS_PER_SECOND', 'YOUTUBE_DAILY_QUOTA']
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
const ports = { min: 1, max: 65_535 }
/** A machine sold with 4 GB reports a little more than this. */
const SMALL_MEMORY_BYTES = 4e9

/**
 * Reads the settings.
 *
 * @throws ConfigError that names every faulty variable, without values
 */
export function readConfig(env: Env): StationConfig {
  const reader = new EnvReader(env)
  const optionalUrl = (name: string) => (reader.optional(name) === undefined ? undefined : reader.url(name))
  const wantedPort = (name: string, fallback: number): WantedPort => ({
    port: reader.integer(name, fallback, ports),
    explicit: reader.optional(name) !== undefined,
  })
  const dataDir = reader.string('LOOPTIDE_DATA', '.local')
  const config: StationConfig = {
    dataDir: isAbsolute(dataDir) ? dataDir : join(repositoryRoot, dataDir),
    gateway: wantedPort('PORT', 8080),
    mailWeb: wantedPort('MAIL_WEB_PORT', 1080),
    adminEmail: reader.optional('LOOPTIDE_ADMIN_EMAIL'),
    adminPassword: reader.optional('LOOPTIDE_ADMIN_PASSWORD'),
    databaseUrl: optionalUrl('DATABASE_URL'),
    redisUrl: optionalUrl('REDIS_URL'),
    natsUrl: optionalUrl('NATS_URL'),
    smtpUrl: optionalUrl('SMTP_URL'),
    mailFrom: reader.optional('MAIL_FROM'),
    siteUrl: optionalUrl('SITE_URL'),
    internalTls: readInternalTls(reader),
    mailConfirmation: readMailConfirmation(reader),
    signUp: reader.choice('SIGN_UP', SIGN_UP_POLICIES, 'open'),
    anonymousSignIn: reader.choice('ANONYMOUS_SIGN_IN', ['on', 'off'], 'off'),
    anonymousAccountDays: reader.integer('ANONYMOUS_ACCOUNT_DAYS', 30, { min: 1, max: 365 }),
    accessTokenTtlS: reader.integer('ACCESS_TOKEN_TTL_S', 3600, { min: 10, max: 86_400 }),
    otpTtlS: reader.integer('OTP_TTL_S', 3600, { min: 10, max: 3600 }),
    refreshReuseIntervalS: reader.integer('REFRESH_REUSE_INTERVAL_S', 10, { min: 0, max: 300 }),
    secondFactor: reader.choice('SECOND_FACTOR', ['off', 'recommended', 'required'], 'recommended'),
    sessionsPerUser: reader.integer('SESSIONS_PER_USER', 50, { min: 1, max: 100 }),
    adminWelcomeHandle: reader.string('ADMIN_WELCOME_HANDLE', 'admin'),
    unconfirmedAccountDays: reader.integer('UNCONFIRMED_ACCOUNT_DAYS', 7, { min: 1, max: 365 }),
    signUpsPerMinute: reader.integer('SIGN_UPS_PER_MINUTE', 60, { min: 1, max: 1_000_000 }),
    mailsPerMinute: reader.integer('MAILS_PER_MINUTE', 120, { min: 1, max: 1_000_000 }),
    mailsPerDay: reader.integer('MAILS_PER_DAY', 10_000, { min: 1, max: 100_000_000 }),
    chatRetentionDays: reader.number('CHAT_RETENTION_DAYS', 90, { min: 0, max: 36_500 }),
    auditPseudonymiseDays: readAuditPseudonymiseDays(reader),
    airLogDays: reader.integer('AIR_LOG_DAYS', 400, { min: 1, max: 36_500 }),
    requests: readRequests(reader),
    rateLimitFactor: reader.number('RATE_LIMIT_FACTOR', 1, { min: 0.001, max: 1_000_000 }),
    redirectAllowList: reader.string('REDIRECT_ALLOW_LIST', ''),
    youtubeApiKey: reader.optional('YOUTUBE_API_KEY'),
    youtubeBaseUrl: optionalUrl('YOUTUBE_BASE_URL'),
    firestickApkUrl: optionalUrl('FIRESTICK_APK_URL'),
    firestickGuideUrl: optionalUrl('FIRESTICK_GUIDE_URL'),
    debug: readDebug(reader),
    logLevel: reader.choice('LOG_LEVEL', logLevels, 'info'),
    bundle: reader.choice('LOOPTIDE_BUNDLE', ['on', 'off'], 'on'),
    processes: processesFor(reader.choice('LOOPTIDE_PROCESSES', ['auto', 'separate', 'one'], 'auto')),
    openTelemetry: chosenFrom(env, (name) => name.startsWith('OTEL_')),
    ofServices: settingsOfServices(env),
  }
  reader.done()
  return config
}

/** With `auto` the machine's memory, or the limit of its container, decides; `memoryBytes` for tests. */
export function processesFor(
  setting: 'auto' | 'separate' | 'one',
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
): 'separate' | 'one' {
  if (setting !== 'auto') return setting
  return memoryBytes < SMALL_MEMORY_BYTES ? 'one' : 'separate'
}

/** The settings that only services read, by service. */
function settingsOfServices(env: Env): StationConfig['ofServices'] {
  return {
    gateway: chosenFrom(env, (name) => gatewaySettings.includes(name)),
    chat: chosenFrom(env, (name) => chatSettings.includes(name)),
    catalogue: chosenFrom(env, (name) => catalogueSettings.includes(name)),
    auth: chosenFrom(env, (name) => authSettings.includes(name)),
    'admin-audit': chosenFrom(env, (name) => adminAuditSettings.includes(name)),
    audience: chosenFrom(env, (name) => audienceSettings.includes(name)),
    'stream-scheduler': chosenFrom(env, (name) => schedulerSettings.includes(name)),
    'metadata-worker': chosenFrom(env, (name) => workerSettings.includes(name)),
  }
}

function chosenFrom(env: Env, isChosen: (name: string) => boolean): Record<string, string> {
  const named = Object.entries(env).filter(([name]) => isChosen(name))
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Age at which audit entries lose their personal data, in days. 0: never. */
export const readAuditPseudonymiseDays = (reader: EnvReader): number =>
  reader.integer('AUDIT_PSEUDONYMISE_DAYS', 365, { min: 0, max: 3650 })
