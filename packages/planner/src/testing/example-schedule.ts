import type { Block, ScheduleDocument, Weekday } from '@looptide/contracts/schedule'

const WORKDAYS: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri']
const WEEKEND: Weekday[] = ['sat', 'sun']

function block(
  id: string,
  days: Weekday[],
  [from, to]: [string, string],
  content: Pick<Block, 'clock' | 'source' | 'start' | 'rules'>,
): Block {
  return { id, name: id, days, from, to, ...content }
}

const BLOCKS: Block[] = [
  block('breakfast', WORKDAYS, ['06:00', '09:30'], { start: 'hard', clock: 'morning' }),
  block('weekend-breakfast', WEEKEND, ['08:00', '11:00'], { clock: 'late' }),
  block('workday', WORKDAYS, ['10:00', '17:00'], { clock: 'mixed' }),
  block('drive', WORKDAYS, ['17:00', '19:00'], { start: 'hard', clock: 'evening' }),
  block('list-hour', ['mon', 'wed'], ['19:00', '20:00'], { start: 'hard', source: 'list' }),
  block('friday-gold', ['fri'], ['20:00', '23:00'], {
    start: 'hard',
    source: 'classics',
    rules: { artistSeparationMinutes: { value: 30, strength: 'soft' } },
  }),
  block('jazz', WEEKEND, ['20:00', '23:00'], { start: 'hard', source: 'jazz' }),
  block('night', [...WORKDAYS, ...WEEKEND], ['23:00', '05:00'], { start: 'hard', clock: 'late' }),
]

/** A channel programmed like a real one: eight blocks, four clocks, hard starts, rules of both strengths. */
export function exampleSchedule(timeZone: string): ScheduleDocument {
  return {
    timeZone,
    defaultSource: 'everything',
    sources: {
      everything: { kind: 'smart', where: {}, order: 'leastRecentlyAired' },
      classics: { kind: 'smart', where: { categories: ['Classics'] }, order: 'shuffle' },
      fresh: { kind: 'smart', where: { categories: ['Must Watch'] }, order: 'newestFirst' },
      jazz: { kind: 'smart', where: { genres: ['Jazz', 'Soul'] }, order: 'shuffle' },
      loud: { kind: 'smart', where: { genres: ['Rock', 'Electronic'] }, order: 'mostLiked' },
      list: { kind: 'playlist' },
    },
    clocks: {
      morning: [
        { ident: 'station', durationMs: 8000 },
        { source: 'fresh', count: 3 },
        { source: 'classics', fallback: 'everything' },
      ],
      mixed: [
        { source: 'everything', durationMs: 900_000 },
        { ident: 'next', durationMs: 10_000 },
        { source: 'requests', fallback: 'classics' },
      ],
      evening: [
        { source: 'loud', count: 4 },
        { ident: 'previous', durationMs: 5000 },
      ],
      late: [{ source: 'jazz', count: 2 }, { source: 'everything' }],
    },
    blocks: BLOCKS,
    overrides: [
      {
        id: 'christmas',
        from: '2026-12-24',
        to: '2026-12-26',
        blocks: [
          { id: 'holiday', name: 'Holiday', from: '08:00', to: '22:00', start: 'hard', source: 'everything' },
        ],
      },
    ],
    specials: [
      {
        id: 'premiere',
        name: 'Premiere',
        at: '2026-11-27T20:30',
        durationMs: 3_600_000,
        start: 'hard',
        source: 'fresh',
      },
    ],
    rules: {
      artistSeparationMinutes: { value: 25, strength: 'soft' },
      videoSeparationHours: { value: 3, strength: 'hard' },
      maxAiringsPerDay: { value: 6, strength: 'soft' },
      maxDurationMinutes: { value: 10, strength: 'hard' },
      tagWindows: [{ tag: 'explicit', from: '22:00', to: '06:00' }],
    },
  }
}
