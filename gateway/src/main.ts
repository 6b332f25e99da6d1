import { createLogger } from '@looptide/service-kit/process/logger'
import { onSignals } from '@looptide/service-kit/process/shutdown'
import { readConfig } from './config.ts'
import { startGateway } from './gateway.ts'

const config = readConfig()
const gateway = await startGateway(config)
onSignals(gateway.close, createLogger('gateway', config.logLevel))
