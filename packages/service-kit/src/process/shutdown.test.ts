import { expect, it } from 'vitest'
import { createLogger } from '../telemetry/logger.ts'
import { shutDown } from './shutdown.ts'

const logger = createLogger('test', 'silent')

it('runs the phases in their order', async () => {
  const ran: string[] = []
  const phase = (name: string) => ({
    name,
    deadlineMs: 1000,
    run: async () => {
      await Promise.resolve()
      ran.push(name)
    },
  })
  await shutDown([phase('one'), phase('two'), phase('three')], logger)
  expect(ran).toEqual(['one', 'two', 'three'])
})

it('continues after a phase that rejects, throws or exceeds its deadline', async () => {
  const ran: string[] = []
  await shutDown(
    [
      { name: 'rejects', deadlineMs: 1000, run: () => Promise.reject(new Error('no')) },
      {
        name: 'throws',
        deadlineMs: 1000,
        run: () => {
          throw new Error('no')
        },
      },
      { name: 'hangs', deadlineMs: 20, run: () => new Promise(() => undefined) },
      { name: 'last', deadlineMs: 1000, run: () => void ran.push('last') },
    ],
    logger,
  )
  expect(ran).toEqual(['last'])
})
