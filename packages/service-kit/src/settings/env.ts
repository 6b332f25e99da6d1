import { EventKeys } from '../events/event-keys.ts'
import type { TracingConfig } from '../telemetry/tracing-config.ts'
import type { TlsFiles } from '../tls/internal-tls.ts'
import { isLocalSite, normalUrl, urlFault } from './url-settings.ts'

/** Prefix of every secret in docker-compose.yml, .env.example and k8s/overlays/local. */
const DEVELOPMENT_SECRET = 'dev-only-change-me'

/** Invalid environment variables, by name. Contains no values: they may be secrets. */
export class ConfigError extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`Invalid settings: ${faults.join('; ')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

export type Env = Record<string, string | undefined>

/**
 * Reads typed settings and collects all errors, so that an operator sees them at once. Not `envalid`: errors must not
 * contain values, and `docs/configuration.md` is generated from the calls of this class.
 */
export class EnvReader {
  readonly #env: Env
  readonly #faults: string[] = []
  readonly #read = new Set<string>()

  constructor(env: Env) {
    this.#env = env
  }

  /** The value of `name`. An empty variable counts as missing. */
  string(name: string, fallback?: string): string {
    const value = this.optional(name)
    if (value !== undefined) return value
    if (fallback !== undefined) return fallback
    this.#faults.push(`${name} is missing`)
    return ''
  }

  /** A secret of at least `minLength` characters. */
  secret(name: string, minLength = 32): string {
    const value = this.string(name)
    if (value !== '' && value.length < minLength) {
      this.#faults.push(`${name} must have at least ${minLength} characters`)
    }
    return value
  }

  /** The result of `read`. An error it throws is recorded for `name`, without the value. */
  parsed<T>(name: string, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      this.#faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }

  optional(name: string): string | undefined {
    this.#read.add(name)
    const value = this.#env[name]
    return value === '' ? undefined : value
  }

  number(name: string, fallback: number, range: { min: number; max: number }): number {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (!Number.isFinite(value) || value < range.min || value > range.max) {
      this.#faults.push(`${name} must be a number from ${range.min} to ${range.max}`)
      return fallback
    }
    return value
  }

  integer(name: string, fallback: number, range: { min: number; max: number }): number {
    const value = this.number(name, fallback, range)
    if (Number.isInteger(value)) return value
    this.#faults.push(`${name} must be a whole number`)
    return fallback
  }

  choice<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.string(name, fallback)
    const found = choices.find((choice) => choice === text)
    if (found !== undefined) return found
    this.#faults.push(`${name} must be one of ${choices.join(', ')}`)
    return fallback
  }

  /** As {@link choice}, with a default for a local and one for a public site. Without a SITE_URL the site is local. */
  choiceBySite<const T extends string>(
    name: string,
    choices: readonly T[],
    fallbacks: Readonly<Record<'local' | 'public', T>>,
  ): T {
    return this.choice(name, choices, this.#isLocalSite() ? fallbacks.local : fallbacks.public)
  }

  /** Comma-separated values, trimmed; empty for a missing variable. `accepts` checks each value. */
  list<T extends string>(name: string, accepts: (value: string) => value is T, what: string): T[] {
    const values = (this.optional(name) ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '')
    if (!values.every((value) => accepts(value))) this.#faults.push(`${name} must be ${what}`)
    return values.filter((value) => accepts(value))
  }

  /** Comma-separated origins in their normal form, such as `https://media.example.com`; blanks around them are removed. */
  origins(name: string): string[] {
    return this.list(name, isOrigin, 'origins separated by commas').map((text) => new URL(text).origin)
  }

  /** A URL that contains only what its setting uses (`url-settings.ts`); an origin in its normal form. */
  url(name: string, fallback?: string): string {
    const text = this.string(name, fallback)
    if (text === '') return text
    const fault = urlFault(name, text)
    if (fault === undefined) return normalUrl(name, text)
    this.#faults.push(`${name} ${fault}`)
    return text
  }

  /** URL of another process or store. If `INTERNAL_TLS_CA` is set, its protocol must be one with TLS. */
  internalUrl(name: string, fallback?: string): string {
    const text = this.url(name, fallback)
    const needsTls = this.optional('INTERNAL_TLS_CA') !== undefined
    if (needsTls && text !== '' && !TLS_PROTOCOL.test(text))
      this.#faults.push(`${name} must use TLS (https, tls, rediss, rediss+sentinel) with INTERNAL_TLS_CA`)
    return text
  }

  /** Records a fault for a development setting that is in use while SITE_URL is not local. */
  developmentOnly(name: string): void {
    if (this.#isLocalSite()) return
    this.#faults.push(`${name} is for development and allowed only with a local SITE_URL`)
  }

  /**
   * Throws a {@link ConfigError} if any setting is invalid, or if a setting contains an example secret while SITE_URL is
   * not local. Call it last.
   */
  done(): void {
    this.#refuseDevelopmentSecrets()
    if (this.#faults.length > 0) throw new ConfigError(this.#faults)
  }

  #refuseDevelopmentSecrets(): void {
    if (this.#isLocalSite()) return
    for (const name of this.#read) {
      if (this.#env[name]?.includes(DEVELOPMENT_SECRET) === true)
        this.#faults.push(`${name} contains an example secret, which is allowed only with a local SITE_URL`)
    }
  }

  /** Whether SITE_URL is local, as it is by default. */
  #isLocalSite(): boolean {
    const siteUrl = this.#env.SITE_URL
    return siteUrl === undefined || siteUrl === '' || isLocalSite(siteUrl)
  }
}

const TLS_PROTOCOL = /^(https|tls|rediss|rediss\+sentinel):/

const isOrigin = (value: string): value is string => urlFault('SITE_URL', value) === undefined

/** Settings of every service. The loopback defaults are for development. */
export interface CommonConfig {
  host: string
  port: number
  logLevel: string
  natsUrl: string
  /** Signs this service's events and verifies those of other services. */
  eventKeys: EventKeys
  authUrl: string
  adminAuditUrl: string
  /** Token that this process sends to other services. At least 32 characters. */
  internalToken: string
  /** Tokens accepted from other services: `internalToken`, and `INTERNAL_TOKEN_PREVIOUS` during a rotation. */
  internalTokensAccepted: readonly string[]
  siteUrl: string
  /** Certificate for connections between processes; undefined if they are not encrypted. */
  internalTls?: TlsFiles | undefined
  /** Whether the process reports its state for `/debug`. Off in production. */
  debug: boolean
  rateLimitFactor: number
  /** Undefined if tracing is disabled. */
  tracing?: TracingConfig | undefined
}

export interface DatabaseConfig {
  databaseUrl: string
  databasePoolSize: number
}

/** The settings that every process has. Faulty ones are collected by the reader. */
export function readCommon(reader: EnvReader, defaultPort: number): CommonConfig {
  const internalToken = reader.secret('INTERNAL_TOKEN')
  const hasPrevious = reader.optional('INTERNAL_TOKEN_PREVIOUS') !== undefined
  const previousToken = hasPrevious ? reader.secret('INTERNAL_TOKEN_PREVIOUS') : undefined
  return {
    host: reader.string('HOST', '127.0.0.1'),
    port: reader.integer('PORT', defaultPort, { min: 0, max: 65_535 }),
    logLevel: reader.choice(
      'LOG_LEVEL',
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'info',
    ),
    natsUrl: reader.internalUrl('NATS_URL', 'nats://127.0.0.1:4222'),
    eventKeys: readEventKeys(reader),
    authUrl: reader.internalUrl('AUTH_URL', 'http://127.0.0.1:8101'),
    adminAuditUrl: reader.internalUrl('ADMIN_AUDIT_URL', 'http://127.0.0.1:8105'),
    internalToken,
    internalTokensAccepted: previousToken === undefined ? [internalToken] : [internalToken, previousToken],
    siteUrl: reader.url('SITE_URL', 'http://localhost:8080'),
    internalTls: readInternalTls(reader),
    debug: readDebug(reader),
    rateLimitFactor: reader.number('RATE_LIMIT_FACTOR', 1, { min: 0.001, max: 1_000_000 }),
    tracing: readTracing(reader),
  }
}

/** The files `INTERNAL_TLS_CERT`, `INTERNAL_TLS_KEY` and `INTERNAL_TLS_CA`: all of them or none. */
export function readInternalTls(reader: EnvReader): TlsFiles | undefined {
  const names = ['INTERNAL_TLS_CERT', 'INTERNAL_TLS_KEY', 'INTERNAL_TLS_CA'] as const
  if (names.every((name) => reader.optional(name) === undefined)) return undefined
  const [cert, key, ca] = names.map((name) => reader.string(name))
  return cert === undefined || key === undefined || ca === undefined ? undefined : { cert, key, ca }
}

/** `LOOPTIDE_DEBUG`: refused with a public SITE_URL. */
export function readDebug(reader: EnvReader): boolean {
  const isOn = reader.choice('LOOPTIDE_DEBUG', ['on', 'off'], 'off') === 'on'
  if (isOn) reader.developmentOnly('LOOPTIDE_DEBUG')
  return isOn
}

/**
 * `MAIL_CONFIRMATION`: on unless the site is local, because without it anyone may create an account with another
 * person's email (docs/decisions/0072-a-public-site-confirms-email-addresses.md).
 */
export const readMailConfirmation = (reader: EnvReader): 'on' | 'off' =>
  reader.choiceBySite('MAIL_CONFIRMATION', ['on', 'off'], { local: 'off', public: 'on' })

/** `REQUESTS`: whether the station runs audience, so that viewers can request videos and vote. */
export const readRequests = (reader: EnvReader): 'on' | 'off' =>
  reader.choice('REQUESTS', ['on', 'off'], 'on')

/**
 * Reads `EVENT_PUBLIC_KEYS` of all owners and `EVENT_SIGNING_KEY`, which only processes that publish events have. If they
 * are invalid, the result is undefined and `reader.done()` throws.
 */
function readEventKeys(reader: EnvReader): EventKeys {
  const publicKeys = reader.string('EVENT_PUBLIC_KEYS')
  const signingKey = reader.optional('EVENT_SIGNING_KEY')
  const name = signingKey === undefined ? 'EVENT_PUBLIC_KEYS' : 'EVENT_PUBLIC_KEYS or EVENT_SIGNING_KEY'
  const read = (): EventKeys | undefined =>
    publicKeys === '' ? undefined : new EventKeys(signingKey, publicKeys)
  return reader.parsed(name, read) as EventKeys
}

/** OpenTelemetry's own names for these settings (its specification, "Environment Variable Specification"). */
function readTracing(reader: EnvReader): TracingConfig | undefined {
  const endpoint = reader.url('OTEL_EXPORTER_OTLP_ENDPOINT', '')
  const ratio = reader.number('OTEL_TRACES_SAMPLER_ARG', 1, { min: 0, max: 1 })
  const delayMs = reader.integer('OTEL_BSP_SCHEDULE_DELAY', 5000, { min: 10, max: 60_000 })
  return endpoint === '' ? undefined : { endpoint, ratio, delayMs }
}

/** The settings of a service with a database. Faulty ones are collected by the reader. */
export function readDatabase(reader: EnvReader): DatabaseConfig {
  return {
    databaseUrl: reader.url('DATABASE_URL'),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 10, { min: 1, max: 200 }),
  }
}
