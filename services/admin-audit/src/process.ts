import type { Env } from '@looptide/service-kit/settings/env'
import { adminAuditService } from './app.ts'
import { loadConfig } from './config.ts'

/** The process with these settings. */
export const createProcess = (env: Env) => adminAuditService(loadConfig(env))
