import { BACKING, type BackingName, type FaultHarness } from '../support/fault-harness.ts'
import { hold } from '../support/fault-table.ts'

const isBacking = (name: string): name is BackingName => BACKING.some((one) => one === name)

/** Suspends a process for `ms`; its connections stay open. */
export async function freeze(harness: FaultHarness, name: string, ms: number): Promise<void> {
  await signal(harness, name, 'SIGSTOP')
  await hold(ms)
  await signal(harness, name, 'SIGCONT')
}

async function signal(
  { station, lines }: FaultHarness,
  name: string,
  signal: 'SIGSTOP' | 'SIGCONT',
): Promise<void> {
  if (!isBacking(name)) await station.kill(name, signal)
  else if (signal === 'SIGSTOP') lines[name].backing.freeze()
  else lines[name].backing.thaw()
}
