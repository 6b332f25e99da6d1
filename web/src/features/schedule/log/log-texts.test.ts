import type { LogEdit } from '@looptide/contracts/http/log'
import { describe, expect, it } from 'vitest'
import { logProgramme } from './log-fixture.ts'
import { changeTitle, doneText, effectSummary, notesOf } from './log-texts.ts'

const one = logProgramme('One', '20:00')
const two = logProgramme('Two', '20:04')
const video = { id: 'video', title: 'Song', artistName: 'Ann' }

describe('changeTitle', () => {
  const title = (change: Parameters<typeof changeTitle>[0]) =>
    changeTitle(change, 'UTC').replaceAll(/\s/g, ' ')

  it('says what is chosen, and what will be done', () => {
    expect(title({ action: 'insert', before: null })).toBe('Play next')
    expect(title({ action: 'insert', before: one })).toBe('Insert before One at 8:00:00 PM')
    expect(title({ action: 'insert', video, before: null })).toBe('Play Song next')
    expect(title({ action: 'insert', video, before: one })).toBe('Insert Song before One at 8:00:00 PM')
    expect(title({ action: 'skip', programme: one })).toBe('Skip One at 8:00:00 PM')
    expect(title({ action: 'swap', programme: one })).toBe('Swap One at 8:00:00 PM')
    expect(title({ action: 'swap', programme: one, other: two })).toBe(
      'Swap One at 8:00:00 PM and Two at 8:04:00 PM',
    )
    expect(title({ action: 'move', programme: one })).toBe('Move One at 8:00:00 PM')
    expect(title({ action: 'move', programme: one, before: two })).toBe(
      'Move One at 8:00:00 PM before Two at 8:04:00 PM',
    )
    expect(title({ action: 'move', programme: one, before: null })).toBe('Play One at 8:00:00 PM next')
  })
})

describe('doneText', () => {
  it('names what was changed', () => {
    expect(doneText({ action: 'insert', video, before: null })).toBe('Song inserted')
    expect(doneText({ action: 'skip', programme: one })).toBe('One skipped')
    expect(doneText({ action: 'swap', programme: one, other: two })).toBe('One and Two swapped')
    expect(doneText({ action: 'move', programme: one, before: two })).toBe('One moved')
  })
})

describe('effectSummary', () => {
  it('counts programmes', () => {
    expect(effectSummary({ changesCount: 0 })).toBe('No programme of the next 24 hours changes.')
    expect(effectSummary({ changesCount: 1 })).toBe('1 programme changes.')
    expect(effectSummary({ changesCount: 12 })).toBe('12 programmes change.')
  })
})

describe('notesOf', () => {
  const edit: LogEdit = {
    id: 'edit',
    action: 'swap',
    title: 'One',
    artistName: 'Ann',
    startsAt: one.startsAt,
    createdAt: one.startsAt,
    createdBy: null,
    isUndoable: true,
  }
  const texts = (...given: Parameters<typeof notesOf>) => notesOf(...given).map(({ text }) => text)

  it('has none for a programme as planned', () => {
    expect(notesOf(one, undefined, false)).toEqual([])
  })

  it('says what is on and what can no longer be changed', () => {
    const fixed = { ...one, isFixed: true }
    expect(texts(fixed, undefined, true)).toEqual(['On the air'])
    expect(texts(fixed, undefined, false)).toEqual(['About to start'])
  })

  it('names exact starts, edits, cuts and each broken rule once', () => {
    const all = {
      ...one,
      isHardStart: true,
      cut: true,
      editId: 'edit',
      breaks: ['exclusions', 'videoSeparationHours'] as const,
      reason: { ...one.reason, relaxed: ['videoSeparationHours'] as const },
    }
    const programme = {
      ...all,
      breaks: [...all.breaks],
      reason: { ...all.reason, relaxed: [...all.reason.relaxed] },
    }
    expect(texts(programme, edit, false)).toEqual([
      'Exact start',
      'Swapped',
      'Cut short',
      'the song is excluded',
      'the video airs again too soon',
    ])
    // The list of edits may be older than the programmes for a moment.
    expect(texts({ ...one, editId: 'edit' }, undefined, false)).toEqual(['Edited'])
  })
})
