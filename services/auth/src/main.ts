import { runService } from '@looptide/service-kit/process/run-service'
import { authService } from './app.ts'
import { loadConfig } from './config.ts'

await runService(authService(loadConfig()))
