import { runService } from '@looptide/service-kit/process/run-service'
import { chatService } from './app.ts'
import { loadConfig } from './config.ts'

await runService(chatService(loadConfig()))
