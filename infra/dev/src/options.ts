import { parseArgs } from 'node:util'
import { Failure } from '../../../packages/backing/src/failure.ts'
import { type ServiceName, serviceNames } from '../../../packages/backing/src/service-names.ts'

/** What `pnpm dev` was asked for. */
export interface DevOptions {
  /** Services that run from their sources and are reloaded after a change. */
  reloaded: readonly ServiceName[]
  /** Services whose log is shown in full. */
  shownInFull: readonly ServiceName[]
  /** Services that Node's inspector listens for. */
  inspected: readonly ServiceName[]
}

/**
 * Reads the arguments `--only SERVICE` and `--inspect SERVICE`; both may be repeated.
 *
 * @throws Failure for an unknown argument or service
 */
export function readOptions(args: readonly string[]): DevOptions {
  const { only, inspect } = parse(args)
  const inspected = inspect.map(toServiceName)
  const chosen = only.map(toServiceName)
  return {
    reloaded: chosen.length === 0 ? serviceNames : [...new Set([...chosen, ...inspected])],
    shownInFull: chosen,
    inspected,
  }
}

function parse(args: readonly string[]): { only: string[]; inspect: string[] } {
  const option = { type: 'string', multiple: true, default: [] as string[] } as const
  try {
    const { values } = parseArgs({ args: [...args], options: { only: option, inspect: option } })
    return values
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function toServiceName(text: string): ServiceName {
  const name = serviceNames.find((known) => known === text)
  if (name === undefined)
    throw new Failure(`No service named ${text}: name one of ${serviceNames.join(', ')}.`)
  return name
}
