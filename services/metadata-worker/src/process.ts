import type { Env } from '@looptide/service-kit/settings/env'
import { metadataWorker } from './app.ts'
import { loadConfig } from './config.ts'

/** The process with these settings. */
export const createProcess = (env: Env) => metadataWorker(loadConfig(env))
