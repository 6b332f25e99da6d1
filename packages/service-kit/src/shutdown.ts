import type { Logger } from './logger.ts'

/** One step of going away. A step that takes longer than `deadlineMs` is left behind. */
export interface ShutdownPhase {
  name: string
  deadlineMs: number
  run: () => Promise<void> | void
}

/** Runs the phases in order; one that fails or hangs does not keep the next from running. */
export async function shutDown(phases: readonly ShutdownPhase[], logger: Logger): Promise<void> {
  for (const phase of phases) {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${phase.deadlineMs} ms`)), phase.deadlineMs)
    })
    try {
      await Promise.race([Promise.resolve(phase.run()), deadline])
    } catch (error) {
      logger.error({ err: error, phase: phase.name }, 'a shutdown phase failed')
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Ends the process in order on SIGTERM or SIGINT, and at once, with a word in the log, on an error
 * nobody caught: the supervisor starts it again from a known state.
 */
export function onSignals(close: () => Promise<void>, logger: Logger): void {
  let closing = false
  const end = (signal: string): void => {
    if (closing) return
    closing = true
    logger.info({ signal }, 'closing')
    void close().finally(() => process.exit(0))
  }
  process.on('SIGTERM', () => end('SIGTERM'))
  process.on('SIGINT', () => end('SIGINT'))
  const crash = (error: unknown): void => {
    logger.fatal({ err: error }, 'an error nobody caught')
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
}
