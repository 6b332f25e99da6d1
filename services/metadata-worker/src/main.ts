import { createLogger } from '@looptide/service-kit/process/logger'
import { onSignals } from '@looptide/service-kit/process/shutdown'
import { startMetadataWorker } from './app.ts'
import { env, loadConfig } from './config.ts'

const config = loadConfig(env)
const worker = await startMetadataWorker(config)
onSignals(worker.close, createLogger('metadata-worker', config.logLevel))
