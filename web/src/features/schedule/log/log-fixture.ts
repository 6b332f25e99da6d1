import type { LogProgramme } from '@looptide/contracts/http/log'

/** A programme of a log on 2026-11-27, for tests: a video that can be changed. `time` is in UTC, such as `20:00`. */
export const logProgramme = (title: string, time: string): LogProgramme => ({
  programmeId: `channel.${title}.${time}`,
  startsAt: `2026-11-27T${time}:00.000Z`,
  endsAt: `2026-11-27T${time}:59.000Z`,
  kind: 'video',
  ident: null,
  videoId: `video ${title}`,
  title,
  artistName: 'Ann',
  cut: false,
  reason: {
    blockId: null,
    specialId: null,
    slot: null,
    source: 'library',
    number: null,
    count: null,
    relaxed: [],
  },
  blockName: null,
  isHardStart: false,
  isFixed: false,
  isChangeable: true,
  editId: null,
  breaks: [],
})
