import type { LogProgramme } from '@looptide/contracts/http/log'
import { describe, expect, it } from 'vitest'
import { bodyOf, changeIn, nextChangeable } from './log-change.ts'
import { logProgramme } from './log-fixture.ts'

const one = logProgramme('one', '20:00')
const two = logProgramme('two', '20:04')
const video = { id: 'video', title: 'Song', artistName: 'Ann' }

describe('bodyOf', () => {
  it('leaves out the place of what is played next', () => {
    expect(bodyOf({ action: 'insert', video, before: null })).toEqual({ action: 'insert', videoId: 'video' })
    expect(bodyOf({ action: 'move', programme: two, before: null })).toEqual({
      action: 'move',
      programmeId: two.programmeId,
    })
  })

  it('names programmes by their ids', () => {
    expect(bodyOf({ action: 'insert', video, before: one })).toEqual({
      action: 'insert',
      videoId: 'video',
      before: one.programmeId,
    })
    expect(bodyOf({ action: 'swap', programme: one, other: two })).toEqual({
      action: 'swap',
      programmeId: one.programmeId,
      with: two.programmeId,
    })
    expect(bodyOf({ action: 'skip', programme: one })).toEqual({
      action: 'skip',
      programmeId: one.programmeId,
    })
  })
})

describe('changeIn', () => {
  const renumbered = (programme: LogProgramme): LogProgramme => ({
    ...programme,
    programmeId: `${programme.programmeId}-new`,
  })
  const replanned = [one, two].map(renumbered)

  it('finds the programmes of a log that was planned again', () => {
    expect(changeIn(replanned, { action: 'swap', programme: one, other: two })).toEqual({
      action: 'swap',
      programme: replanned[0],
      other: replanned[1],
    })
    expect(changeIn(replanned, { action: 'insert', video, before: two })).toEqual({
      action: 'insert',
      video,
      before: replanned[1],
    })
    expect(changeIn(replanned, { action: 'skip', programme: one })).toEqual({
      action: 'skip',
      programme: replanned[0],
    })
  })

  it('needs no programme to play a video next', () => {
    expect(changeIn([], { action: 'insert', video, before: null })).toEqual({
      action: 'insert',
      video,
      before: null,
    })
  })

  it('finds nothing if a programme no longer airs at its time', () => {
    const later = [logProgramme('one', '20:01'), two]
    expect(changeIn(later, { action: 'skip', programme: one })).toBeUndefined()
    expect(changeIn(later, { action: 'swap', programme: two, other: one })).toBeUndefined()
    expect(changeIn(later, { action: 'move', programme: two, before: one })).toBeUndefined()
    expect(changeIn(later, { action: 'insert', video, before: one })).toBeUndefined()
  })
})

describe('nextChangeable', () => {
  it('passes over cards', () => {
    const card = { ...logProgramme('card', '20:02'), isChangeable: false }
    expect(nextChangeable([one, card, two], one)).toBe(two)
  })

  it('finds nothing after the last programme, or for one that is not in the log', () => {
    expect(nextChangeable([one, two], two)).toBeUndefined()
    expect(nextChangeable([two], one)).toBeUndefined()
  })
})
