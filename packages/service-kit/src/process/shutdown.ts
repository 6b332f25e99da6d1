import type { Logger } from '../telemetry/logger.ts'

/** One step of a shutdown. A step that exceeds `deadlineMs` is abandoned. */
export interface ShutdownPhase {
  name: string
  deadlineMs: number
  run: () => Promise<void> | void
}

/** Runs the phases in order. A phase that fails or hangs does not prevent the next one. */
export async function shutDown(phases: readonly ShutdownPhase[], logger: Logger): Promise<void> {
  for (const phase of phases) {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${phase.deadlineMs} ms`)), phase.deadlineMs)
    })
    try {
      await Promise.race([Promise.resolve(phase.run()), deadline])
    } catch (error) {
      logger.error({ err: error, phase: phase.name }, 'shutdown phase failed')
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Shuts the process down on SIGTERM or SIGINT. Exits immediately, with a log entry, on an uncaught error: the supervisor
 * restarts the process from a known state. Not `close-with-grace`, which would run the shutdown after such an error.
 *
 * Further signals are ignored: Ctrl-C reaches the process twice, from the terminal and from the runner.
 */
export function onSignals(close: () => Promise<void>, logger: Logger): void {
  let closing = false
  const end = (signal: string): void => {
    if (closing) return
    closing = true
    logger.info({ signal }, 'process closing')
    void close().finally(() => process.exit(0))
  }
  process.on('SIGTERM', () => end('SIGTERM'))
  process.on('SIGINT', () => end('SIGINT'))
  const crash = (error: unknown): void => {
    logger.fatal({ err: error }, 'uncaught error')
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
}
