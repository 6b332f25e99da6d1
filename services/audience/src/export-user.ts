import { runExport } from '@looptide/service-kit/process/export-program'
import { env } from './config.ts'
import { exportParts } from './features/export/export-parts.ts'

await runExport('audience', env, exportParts)
