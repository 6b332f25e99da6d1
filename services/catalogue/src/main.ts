import { runService } from '@looptide/service-kit/process/run-service'
import { catalogueService } from './app.ts'
import { env, loadConfig } from './config.ts'

await runService(catalogueService(loadConfig(env)))
