import type { Env } from '@looptide/service-kit/settings/env'
import { audienceService } from './app.ts'
import { loadConfig } from './config.ts'

/** The process with these settings. */
export const createProcess = (env: Env) => audienceService(loadConfig(env))
