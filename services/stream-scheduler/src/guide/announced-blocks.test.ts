import type { GuideBlock } from '@looptide/contracts/http/guide'
import { expect, it } from 'vitest'
import type { ScheduledBlock } from '../timeline/block-cache.ts'
import { withAnnouncedBlocks } from './announced-blocks.ts'

const HOUR_MS = 3_600_000
const noonMs = Date.UTC(2026, 10, 28, 12)
const at = (hours: number) => noonMs + hours * HOUR_MS
const programmeBlock = (id: string) => ({ id, name: id, description: null, colour: null })

const planned = (id: string, from: number, to: number): GuideBlock => ({
  id: `block-${id}.1`,
  startsAtMs: at(from),
  endsAtMs: at(to),
  trackCount: 3,
  artists: ['A'],
  artistCount: 1,
  title: null,
  block: programmeBlock(id),
})
const scheduled = (id: string, from: number, to: number, begun = from): ScheduledBlock => ({
  kind: 'block',
  block: programmeBlock(id),
  startMs: at(from),
  endMs: at(to),
  occurrenceMs: at(begun),
  isHardStart: false,
})
const spans = (blocks: readonly GuideBlock[]) =>
  blocks.map(({ block, startsAtMs, endsAtMs, trackCount }) => [
    block?.id,
    (startsAtMs - noonMs) / HOUR_MS,
    (endsAtMs - noonMs) / HOUR_MS,
    trackCount,
  ])

it('continues the block in which the timeline ends, and appends those after it without tracks', () => {
  const blocks = withAnnouncedBlocks(
    [planned('day', 0, 3)],
    [scheduled('day', 3, 6, 0), scheduled('night', 8, 12)],
    at(0),
  )
  expect(spans(blocks)).toEqual([
    ['day', 0, 6, 3],
    ['night', 8, 12, 0],
  ])
})

it('leaves out what is over before the window, and shows what has begun before it from its start', () => {
  const later = [scheduled('day', 3, 6, 0), scheduled('night', 8, 12)]
  expect(spans(withAnnouncedBlocks([], later, at(7)))).toEqual([['night', 8, 12, 0]])
  expect(spans(withAnnouncedBlocks([], later, at(4)))).toEqual([
    ['day', 0, 6, 0],
    ['night', 8, 12, 0],
  ])
})

it('gives each block an id of its own, also if another one interrupts it', () => {
  const blocks = withAnnouncedBlocks(
    [planned('day', 0, 1)],
    [scheduled('gala', 1, 2), scheduled('day', 2, 3, 0), scheduled('gala', 4, 5), scheduled('day', 5, 6, 0)],
    at(0),
  )
  expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length)
})
