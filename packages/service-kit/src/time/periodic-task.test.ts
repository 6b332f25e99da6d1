import { until } from '@looptide/testkit/until'
import { expect, it } from 'vitest'
import { createLogger } from '../telemetry/logger.ts'
import { PeriodicTask } from './periodic-task.ts'

const logger = createLogger('test', 'silent')

it('repeats its work after a failure, one run at a time, until it is stopped', async () => {
  let runs = 0
  let atOnce = 0
  let most = 0
  const run = async (): Promise<void> => {
    runs += 1
    atOnce += 1
    most = Math.max(most, atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    atOnce -= 1
    if (runs === 1) throw new Error('the first one fails')
  }
  const task = new PeriodicTask({ logger, everyMs: 1, atStart: true, failure: 'not done', run })
  task.start()
  task.start()
  await until('it has run three times', () => runs >= 3)
  await task.stop()
  expect(most).toBe(1)
})

it('waits for the first interval unless it runs at the start', async () => {
  let runs = 0
  const run = async (): Promise<void> => {
    runs += 1
  }
  const task = new PeriodicTask({ logger, everyMs: 60_000, atStart: false, failure: 'not done', run })
  task.start()
  await task.stop()
  expect(runs).toBe(0)
})

it('aborts the run in progress when it is stopped, and waits for its end', async () => {
  let isOver = false
  const run = async (signal: AbortSignal): Promise<void> => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    isOver = true
  }
  const task = new PeriodicTask({ logger, everyMs: 1, atStart: true, failure: 'not done', run })
  task.start()
  await task.stop()
  expect(isOver).toBe(true)
})
