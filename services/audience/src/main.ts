import { runProcess } from '@looptide/service-kit/process/run-process'
import { env } from './config.ts'
import { createProcess } from './process.ts'

await runProcess(createProcess(env))
