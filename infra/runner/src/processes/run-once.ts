import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Failure } from '@looptide/backing/failure'

/** A program that runs to its end. */
export interface OneShot {
  /** Name for messages, such as "the migrations of chat". */
  what: string
  command: string
  args: readonly string[]
  env: Record<string, string>
  cwd: string
  signal: AbortSignal
  /** Receives each line of the standard output, which is then not returned: for output of any length. */
  onLine?: (line: string) => void
}

const shownLines = 8
/** An error with its cause has more stack frames than lines are shown. */
const isNoStackFrame = (line: string): boolean => !/^\s+at /.test(line)

/**
 * Runs a program to its end.
 *
 * @returns its output
 * @throws Failure with its last lines when the exit code is not 0
 */
export async function runOnce(shot: OneShot): Promise<string> {
  const child = spawn(shot.command, [...shot.args], {
    cwd: shot.cwd,
    env: shot.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: shot.signal,
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-100_000)
  }
  if (shot.onLine === undefined) child.stdout.on('data', keep)
  else createInterface({ input: child.stdout }).on('line', shot.onLine)
  child.stderr.on('data', keep)
  const how = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? code}`))
  })
  if (how === undefined) return output
  const last = output.trim().split('\n').filter(isNoStackFrame).slice(-shownLines).join('\n')
  throw new Failure(`${shot.what}: ${how}${last === '' ? '' : `\n${last}`}`)
}
