import type { Env } from '@looptide/service-kit/settings/env'
import { loadConfig } from './config.ts'
import { gatewayProcess } from './gateway.ts'

/** The process with these settings. */
export const createProcess = (env: Env) => gatewayProcess(loadConfig(env))
