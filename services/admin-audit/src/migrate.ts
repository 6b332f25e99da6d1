import { fileURLToPath } from 'node:url'
import { runMigrations } from '@looptide/service-kit/process/run-migrations'
import { env } from './config.ts'
import { readStoredSettings } from './stored-settings.ts'

await runMigrations(
  'admin-audit',
  fileURLToPath(new URL('./db/migrations', import.meta.url)),
  env,
  readStoredSettings,
)
