import { runExport } from '@looptide/service-kit/process/export-program'
import { env } from './config.ts'
import { exportParts } from './features/export/export-messages.ts'

await runExport('chat', env, exportParts)
