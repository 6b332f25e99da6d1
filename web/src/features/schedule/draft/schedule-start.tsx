import type { Channel } from '@looptide/contracts/http/channels'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TimeZoneField } from '../fields/time-zone-field.tsx'
import { newSchedule } from '../model/new-schedule.ts'
import { browserZone } from '../model/zoned-time.ts'
import { VersionList } from '../publish/version-list.tsx'

/** Shown for a channel without a schedule: what a schedule is, two ways to start one, and earlier versions. */
export function ScheduleStart(props: { channel: Channel; onStart: (document: ScheduleDocument) => void }) {
  const [timeZone, setTimeZone] = useState(browserZone)
  return (
    <section
      aria-labelledby="schedule-start"
      className="mx-auto grid w-full max-w-3xl gap-6 rounded-lg border border-line/70 bg-panel p-6 sm:p-8"
    >
      <div className="grid gap-3">
        <h2 id="schedule-start" className="text-xl font-semibold">
          <bdi>{props.channel.name}</bdi> repeats its playlist
        </h2>
        <p className="text-muted">
          With a schedule, the channel plays different videos at different times: calm songs at night, a show
          on Friday at 20:00, no song twice within an hour. You build it as a draft and can preview any day.
          Viewers do not see it until you publish.
        </p>
        <ul className="grid list-disc gap-1 pl-5 text-sm text-muted">
          <li>A block is a part of the week, such as every night from 23:00 to 05:00.</li>
          <li>A source says which videos it plays: a playlist, or a library search.</li>
          <li>A clock mixes several sources, for example three new songs and one classic.</li>
        </ul>
      </div>
      <div className="max-w-sm">
        <TimeZoneField value={timeZone} onChange={setTimeZone} />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button tone="primary" onClick={() => props.onStart(newSchedule('playlist', timeZone))}>
          Start a schedule
        </Button>
        <Button onClick={() => props.onStart(newSchedule('day-and-night', timeZone))}>
          Start with day and night
        </Button>
      </div>
      <p className="text-sm text-muted">
        “Start a schedule” plays the channel’s own playlist all day. “Start with day and night” adds two
        blocks that you can edit.
      </p>
      <VersionList channel={props.channel} document={undefined} isInUse={false} empty={null} />
    </section>
  )
}
