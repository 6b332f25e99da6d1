import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Program } from '@looptide/backing/programs/programs'

/** Result of a kubectl call. */
interface Answer {
  /** Whether the exit code was 0. */
  done: boolean
  out: string
  err: string
}

/** Calls kubectl with these arguments; `input` is its standard input. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<Answer>

/**
 * Calls kubectl for one cluster.
 *
 * @param chosen options that select the cluster, appended to each call's arguments
 * @param signal aborts a running call
 */
export function kubectlFor(program: Program, chosen: readonly string[], signal?: AbortSignal): Kubectl {
  return async (args, input = '') => {
    // The whole environment: plug-ins that sign in to a cloud read their own settings.
    const child = spawn(program.path, [...args, ...chosen], {
      env: { ...process.env, ...program.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
    })
    // A kubectl that ends before it has read its input reports the reason itself.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const ended = new Promise<boolean>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code === 0))
    })
    const [done, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    return { done, out, err: err.trim() }
  }
}
