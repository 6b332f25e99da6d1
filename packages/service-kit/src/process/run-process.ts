import { createLogger } from '../telemetry/logger.ts'
import { onSignals } from './shutdown.ts'
import { type ProcessDefinition, startProcess } from './start-process.ts'

/** Runs a process until it receives a signal. */
export async function runProcess(definition: ProcessDefinition): Promise<void> {
  const { close } = await startProcess(definition)
  onSignals(close, createLogger(definition.name, definition.config.logLevel))
}
