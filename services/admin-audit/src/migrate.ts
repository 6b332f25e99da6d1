import { fileURLToPath } from 'node:url'
import { runMigrations } from '@looptide/service-kit/process/run-migrations'
import { env, readStoredSettings } from './config.ts'

await runMigrations(
  'admin-audit',
  fileURLToPath(new URL('./db/migrations', import.meta.url)),
  env,
  readStoredSettings,
)
