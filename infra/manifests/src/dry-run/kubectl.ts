import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Program } from '@looptide/runner/backing/programs'

/** What a call of kubectl answered. */
export interface Answer {
  /** Whether it ended with 0. */
  done: boolean
  out: string
  err: string
}

/** Calls kubectl with these arguments; `input` is what it reads from its standard input. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<Answer>

/**
 * Calls of one cluster.
 *
 * @param chosen the options that name the cluster, put after each call's own arguments
 * @param signal ends a call under way
 */
export function kubectlFor(program: Program, chosen: readonly string[], signal?: AbortSignal): Kubectl {
  return async (args, input = '') => {
    // It gets the whole environment: what signs in to a cloud's cluster reads settings of its own.
    const child = spawn(program.path, [...args, ...chosen], {
      env: { ...process.env, ...program.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
    })
    // One that ends before it has read everything says why by itself.
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
