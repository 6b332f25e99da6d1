import type { LogProgramme } from '@looptide/contracts/http/log'
import { useState } from 'react'
import { TextField } from '../../../ui/field.tsx'
import { programmeTitle } from '../model/sentences.ts'
import { dateTimeIn, exactTimeIn } from '../model/zoned-time.ts'
import { findProgrammes } from './log-rows.ts'

/** Number of programmes that are shown. */
const SHOWN = 60

const CHOICE = 'lift flex min-h-11 w-full items-baseline gap-3 rounded-md px-3 py-2 text-left hover:bg-raised'

/** The programmes of a log to choose one of, with search. */
export function ProgrammeChoices(props: {
  programmes: readonly LogProgramme[]
  timeZone: string
  onChoose: (programme: LogProgramme) => void
  /** Offers the place after the programme on the air. */
  onNext?: (() => void) | undefined
}) {
  const { programmes, timeZone, onChoose, onNext } = props
  const [text, setText] = useState('')
  const found = findProgrammes(programmes, text, timeZone)
  return (
    <div className="grid gap-3">
      <TextField
        label="Find a programme"
        type="search"
        placeholder="Title, artist, block or time"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul
        aria-label="Programmes to choose from"
        className="h-72 overflow-y-auto overscroll-contain rounded-md bg-deep p-1.5"
      >
        {onNext && text === '' && (
          <li>
            <button type="button" className={CHOICE} onClick={onNext}>
              <span className="text-sm font-medium">Next, after the programme on the air</span>
            </button>
          </li>
        )}
        {found.slice(0, SHOWN).map((programme) => {
          const startsAtMs = Date.parse(programme.startsAt)
          return (
            <li key={programme.programmeId}>
              <button type="button" className={CHOICE} onClick={() => onChoose(programme)}>
                <time
                  dateTime={programme.startsAt}
                  title={dateTimeIn(timeZone, startsAtMs)}
                  className="w-24 shrink-0 text-sm whitespace-nowrap text-muted tabular-nums"
                >
                  {exactTimeIn(timeZone, startsAtMs)}
                </time>
                <span className="min-w-0 flex-1 text-sm">
                  <span className="block font-medium wrap-anywhere">{programmeTitle(programme)}</span>
                  <span className="block wrap-anywhere text-muted">{programme.artistName}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      <p role="status" className="text-sm text-muted">
        {found.length === 0
          ? 'No matching programmes.'
          : found.length > SHOWN &&
            `The first ${SHOWN} of ${found.length}. Search for a title or a time to find the others.`}
      </p>
    </div>
  )
}
