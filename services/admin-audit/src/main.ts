import { runService } from '@looptide/service-kit/process/run-service'
import { adminAuditService } from './app.ts'
import { loadConfig } from './config.ts'

await runService(adminAuditService(loadConfig()))
