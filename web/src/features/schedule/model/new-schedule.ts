import type { ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { ALL_DAYS } from './times.ts'

/** The documents with which a schedule can be started. */
export type Template = 'playlist' | 'day-and-night'

/** A new schedule in a time zone. Both templates play the channel's own playlist outside their blocks. */
export function newSchedule(template: Template, timeZone: string): ScheduleDocument {
  const document: ScheduleDocument = {
    timeZone,
    defaultSource: 'playlist',
    freezeMinutes: 10,
    sources: { playlist: { kind: 'playlist' } },
    clocks: {},
    blocks: [],
    overrides: [],
    specials: [],
    rules: {},
    exclusions: [],
  }
  if (template === 'playlist') return document
  const days = [...ALL_DAYS]
  return {
    ...document,
    sources: { ...document.sources, library: { kind: 'smart', where: {}, order: 'leastRecentlyAired' } },
    clocks: {
      day: [{ ident: 'station', durationMs: 8000 }, { source: 'playlist', count: 4 }, { source: 'library' }],
    },
    blocks: [
      { id: 'day', name: 'Day', colour: '#f59e0b', days, from: '06:00', to: '22:00', clock: 'day' },
      { id: 'night', name: 'Night', colour: '#6366f1', days, from: '22:00', to: '06:00', source: 'library' },
    ],
    rules: { artistSeparationMinutes: { value: 30, strength: 'soft' } },
  }
}

/** A draft with what is missing filled in, so that every part of the editor has something to show. */
export function completeDraft(draft: ScheduleDraftDocument, timeZone: string): ScheduleDocument {
  const complete = { ...newSchedule('playlist', timeZone), ...draft }
  return draft.sources === undefined || Object.keys(draft.sources).length === 0
    ? { ...complete, sources: { [complete.defaultSource]: { kind: 'playlist' } } }
    : complete
}
