import { runService } from '@looptide/service-kit/process/run-service'
import { streamScheduler } from './app.ts'
import { env, loadConfig } from './config.ts'

await runService(streamScheduler(loadConfig(env)).service)
