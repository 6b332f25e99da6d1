import { Failure } from '@looptide/backing/failure'
import { ConfigError } from '@looptide/service-kit/settings/env'
import type { Station } from './station/station.ts'

/**
 * npm forwards a signal that the terminal has sent to this process already. A second one within this time (ms) is
 * the same Ctrl-C.
 */
const sameSignalMs = 1000
const PARENT_CHECK_MS = 300

/** The text shown when the station is on the air. */
export function greeting(station: Station, tookMs: number): string {
  const { admin, mailUrl } = station
  return [
    '',
    `  On the air:  ${station.url}/live`,
    '',
    ...(admin === undefined
      ? []
      : [
          `  Admin:       ${admin.email}  ${admin.isGenerated ? `password ${admin.password}  (shown only now)` : '(with the password you set)'}`,
        ]),
    ...(mailUrl === undefined ? [] : [`  Mail inbox:  ${mailUrl}`]),
    `  Data, logs:  ${station.dataDir}`,
    '',
    `  Ready after ${(tookMs / 1000).toFixed(1)} s. Ctrl-C stops it.`,
    '',
  ].join('\n')
}

/**
 * The first signal stops in order, a second one at once.
 *
 * @param onStopping called at the first signal
 * @returns whether a signal has arrived
 */
export function stopOnSignals(station: Station, onStopping: () => void = () => {}): () => boolean {
  let firstAt: number | undefined
  const onSignal = () => {
    const now = performance.now()
    if (firstAt === undefined) {
      firstAt = now
      console.log('\nStopping … (Ctrl-C again to stop at once)')
      onStopping()
      void station.stop().then(() => {
        console.log('Stopped.')
        process.exit(0)
      })
    } else if (now - firstAt > sameSignalMs) {
      station.killAll()
      process.exit(130)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  onLauncherEnd(onSignal)
  return () => firstAt !== undefined
}

/**
 * Calls `stop` when the launcher has ended, perhaps without forwarding a signal: nobody could stop this process any more.
 * The launcher is the bootstrap, which holds a channel, or the npm or pnpm that this process is a child of.
 */
export function onLauncherEnd(stop: () => void): void {
  process.on('disconnect', stop)
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watching = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watching)
    stop()
  }, PARENT_CHECK_MS)
  watching.unref()
}

/** Ends the process with the reason, without a stack if the operator can fix it. */
export function exitWith(error: unknown): never {
  const readable = error instanceof Failure || error instanceof ConfigError
  console.error(readable ? error.message : error)
  process.exit(1)
}
