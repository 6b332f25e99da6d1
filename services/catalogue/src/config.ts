import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/env'
import type { SubmissionExempt } from './features/submissions/may-add.ts'

export const env: Env = process.env

export interface CatalogueConfig extends CommonConfig, DatabaseConfig {
  /** Whose videos need no review, besides admins'. */
  submissionExempt: SubmissionExempt
  /** Where pictures may come from besides YouTube and the station itself. */
  imageOrigins: string[]
}

const isExemptRole = (value: string): value is 'user' | 'moderator' =>
  value === 'user' || value === 'moderator'
const isAccountId = (value: string): value is string =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)

const isOrigin = (value: string): value is string =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** The settings of this service. Throws a ConfigError that names every faulty variable. */
export function loadConfig(from: Env): CatalogueConfig {
  const reader = new EnvReader(from)
  const config = {
    ...readCommon(reader, 8102),
    ...readDatabase(reader),
    submissionExempt: {
      roles: reader.list(
        'SUBMISSION_EXEMPT_ROLES',
        isExemptRole,
        'moderator, user or both, separated by commas',
      ),
      // Ids, not handles: a handle can be given up and taken by somebody else.
      users: reader.list('SUBMISSION_EXEMPT_USERS', isAccountId, 'account ids separated by commas'),
    },
    imageOrigins: reader.list('IMAGE_ORIGINS', isOrigin, 'origins separated by commas'),
  }
  reader.done()
  return config
}
