import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/settings/env'
import type { SubmissionExempt } from './features/submissions/review-policy.ts'

export const env: Env = process.env

export interface CatalogueConfig extends CommonConfig, DatabaseConfig {
  /** Roles and accounts whose videos need no review. Videos of those who edit the library never do. */
  submissionExempt: SubmissionExempt
  /** Origins from which thumbnails may be loaded, in addition to YouTube's and the station's own. */
  imageOrigins: string[]
  /** Time between two checks of a followed list, in minutes. */
  followCheckMinutes: number
}

const EXEMPT_ROLES = ['user', 'curator', 'moderator'] as const
const isExemptRole = (value: string): value is (typeof EXEMPT_ROLES)[number] =>
  EXEMPT_ROLES.some((role) => role === value)
const isAccountId = (value: string): value is string =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)

/** Reads the settings of this service. Throws a ConfigError that names every invalid variable. */
export function loadConfig(from: Env): CatalogueConfig {
  const reader = new EnvReader(from)
  const config = {
    ...readCommon(reader, 8102),
    ...readDatabase(reader),
    submissionExempt: {
      roles: reader.list(
        'SUBMISSION_EXEMPT_ROLES',
        isExemptRole,
        `some of ${EXEMPT_ROLES.join(', ')}, separated by commas`,
      ),
      // Ids, not handles: a handle can pass to another account.
      users: reader.list('SUBMISSION_EXEMPT_USERS', isAccountId, 'account ids separated by commas'),
    },
    imageOrigins: reader.origins('IMAGE_ORIGINS'),
    followCheckMinutes: reader.integer('FOLLOW_CHECK_MINUTES', 60, { min: 5, max: 10_080 }),
  }
  reader.done()
  return config
}
