import { BACKING, type BackingName, type FaultStage } from '../support/fault-stage.ts'
import { hold } from '../support/fault-table.ts'

const isBacking = (name: string): name is BackingName => BACKING.some((one) => one === name)

/** Lets a process stand still, its connections open, for so long (ms). */
export async function freeze(stage: FaultStage, name: string, ms: number): Promise<void> {
  await signal(stage, name, 'SIGSTOP')
  await hold(ms)
  await signal(stage, name, 'SIGCONT')
}

async function signal(
  { station, lines }: FaultStage,
  name: string,
  signal: 'SIGSTOP' | 'SIGCONT',
): Promise<void> {
  if (!isBacking(name)) await station.kill(name, signal)
  else if (signal === 'SIGSTOP') lines[name].backing.freeze()
  else lines[name].backing.thaw()
}
