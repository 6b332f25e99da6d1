import { expect, it } from 'vitest'
import { byDay, byHourOfDay } from './fold-hours.ts'

const at = (day: number, hour: number) => new Date(2026, 5, day, hour).getTime()
const HOURS = [
  { atMs: at(1, 9), airings: 10, playedMs: 1000, listeners: 4 },
  { atMs: at(1, 10), airings: 5, playedMs: 3000, listeners: 8 },
  { atMs: at(3, 9), airings: 2, playedMs: 1000, listeners: null },
]

it('has every day of the range, with viewers weighted by time', () => {
  expect(byDay(HOURS, { fromMs: at(1, 0), toMs: at(4, 0) })).toEqual([
    { x: at(1, 0), airings: 15, listeners: 7 },
    { x: at(2, 0), airings: 0, listeners: null },
    { x: at(3, 0), airings: 2, listeners: null },
  ])
})

it('adds the same hour of all days', () => {
  const points = byHourOfDay(HOURS)
  expect(points).toHaveLength(24)
  expect([points[9], points[10], points[11]]).toEqual([
    { x: 9, airings: 12, listeners: 4 },
    { x: 10, airings: 5, listeners: 8 },
    { x: 11, airings: 0, listeners: null },
  ])
})
