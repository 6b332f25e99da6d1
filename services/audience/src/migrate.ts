import { fileURLToPath } from 'node:url'
import { runMigrations } from '@looptide/service-kit/process/run-migrations'
import { env } from './config.ts'

await runMigrations('audience', fileURLToPath(new URL('./db/migrations', import.meta.url)), env)
