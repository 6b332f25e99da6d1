import { type CommonConfig, type Env, EnvReader, readCommon } from '@looptide/service-kit/settings/env'

export const env: Env = process.env

export interface MetadataConfig extends CommonConfig {
  redisUrl: string
  youtube: {
    /** API key; null to use oEmbed and the watch page instead. */
    apiKey: string | null
    siteUrl: string
    apiUrl: string
    /** Quota units per day; applies to the API only. */
    dailyQuota: number
    callsPerSecond: number
  }
  lookup: {
    /** Attempts before a look-up becomes a dead letter. */
    attempts: number
    /** Delay after the first failed attempt, in ms; doubles with each further one. */
    backoffMs: number
    /** A job whose worker has not renewed its lock for this time is given to another worker, in ms. */
    lockMs: number
  }
  /** Origins from which media files may be read, in addition to the site's own. */
  mediaOrigins: string[]
}

/** Reads the settings of this service. Throws a ConfigError that names every invalid variable. */
export function loadConfig(from: Env): MetadataConfig {
  const reader = new EnvReader(from)
  const common = readCommon(reader, 8106)
  const baseUrl =
    reader.optional('YOUTUBE_BASE_URL') === undefined ? undefined : reader.url('YOUTUBE_BASE_URL')
  const config: MetadataConfig = {
    ...common,
    redisUrl: reader.internalUrl('REDIS_URL', 'redis://127.0.0.1:6379'),
    youtube: {
      apiKey: reader.optional('YOUTUBE_API_KEY') ?? null,
      siteUrl: baseUrl ?? 'https://www.youtube.com',
      apiUrl: baseUrl ?? 'https://www.googleapis.com',
      dailyQuota: reader.integer('YOUTUBE_DAILY_QUOTA', 10_000, { min: 1, max: 1_000_000_000 }),
      callsPerSecond: reader.number('YOUTUBE_CALLS_PER_SECOND', 5, { min: 0.1, max: 1000 }),
    },
    lookup: {
      attempts: reader.integer('LOOKUP_ATTEMPTS', 10, { min: 1, max: 100 }),
      backoffMs: reader.integer('LOOKUP_BACKOFF_MS', 2000, { min: 1, max: 3_600_000 }),
      lockMs: reader.integer('LOOKUP_LOCK_MS', 15_000, { min: 100, max: 600_000 }),
    },
    mediaOrigins: reader.origins('MEDIA_ORIGINS'),
  }
  reader.done()
  return config
}
