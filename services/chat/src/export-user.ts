import { runExport } from '@looptide/service-kit/process/export-program'
import { env } from './config.ts'
import type { Database } from './db/schema.ts'
import { readMessages } from './features/export/export-messages.ts'

await runExport<Database>('chat', env, { messages: readMessages })
