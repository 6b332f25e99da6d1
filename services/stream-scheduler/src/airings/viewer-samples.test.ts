import { expect, it } from 'vitest'
import { ViewerSamples } from './viewer-samples.ts'

it('averages the counts within a programme, its end excluded', () => {
  const samples = new ViewerSamples(1000)
  for (const [atMs, count] of [
    [0, 10],
    [100, 20],
    [200, 31],
    [300, 99],
  ] as const)
    samples.add({ atMs, viewers: new Map([['pop', count]]) })
  expect(samples.averageOf('pop', 100, 300)).toBe(26)
  expect(samples.averageOf('jazz', 100, 300)).toBe(0)
  expect(samples.averageOf('pop', 301, 400)).toBeNull()
})

it('keeps only the newest counts', () => {
  const samples = new ViewerSamples(1000)
  for (const atMs of [0, 500, 1000]) samples.add({ atMs, viewers: new Map([['pop', atMs]]) })
  expect(samples.averageOf('pop', 0, 2000)).toBe(750)
})
