import { expect, it } from 'vitest'
import { trimProblem } from './trim-problem.ts'

const MINUTE = { durationMs: 60_000, durationAssumed: false }

it.each([
  ['', ''],
  ['0:10', ''],
  ['', '0:50.5'],
  ['0:10', '0:11'],
  ['0:59', ''],
])('from "%s" to "%s" can be saved', (startAt, endAt) => {
  expect(trimProblem({ startAt, endAt }, MINUTE)).toBeUndefined()
})

it.each([
  ['ten', '', 'startAt', 'such as 1:05'],
  ['', '50', 'endAt', 'such as 1:05'],
  ['0:10', '0:10.999', 'endAt', 'at least one second after'],
  ['0:59.001', '', 'startAt', 'at least one second after'],
  ['', '1:00.001', 'endAt', 'The video ends at 1:00.'],
])('from "%s" to "%s" cannot be saved', (startAt, endAt, field, text) => {
  expect(trimProblem({ startAt, endAt }, MINUTE)).toMatchObject({
    field,
    text: expect.stringContaining(text),
  })
})

it('an assumed duration limits nothing', () => {
  const assumed = { ...MINUTE, durationAssumed: true }
  expect(trimProblem({ startAt: '1:30', endAt: '2:00' }, assumed)).toBeUndefined()
})
